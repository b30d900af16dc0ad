// #region program
import { textMessage } from '@vizprompt/providers';
import { openai } from '@vizprompt/providers/openai';
import { startFakeLLM } from '@vizprompt/providers/testing';

// A server on this machine that speaks the protocol of OpenAI, so that no key is needed.
await using server = await startFakeLLM({ answer: 'Because they are quiet.' });
const model = openai({ model: 'gpt-5-mini', baseURL: `${server.url}/v1`, apiKey: 'none' });

for await (const event of model.stream({ messages: [textMessage('user', 'Why cats?')] })) {
  if (event.type === 'text-delta') process.stdout.write(event.text);
  if (event.type === 'finish') console.log(`\n${event.reason}, ${event.usage.outputTokens} tokens`);
}
// #endregion program
