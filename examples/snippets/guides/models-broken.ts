// #region program
import { LLMError, textMessage } from '@vizprompt/providers';
import { openai } from '@vizprompt/providers/openai';
import { startFakeLLM } from '@vizprompt/providers/testing';

await using server = await startFakeLLM({ answer: 'Because they are quiet.' });
server.fail({ type: 'truncate', afterChunks: 3 }); // the next answer ends without its end
const model = openai({ model: 'gpt-5-mini', baseURL: `${server.url}/v1`, apiKey: 'none' });
try {
  const messages = [textMessage('user', 'Why cats?')];
  for await (const event of model.stream({ messages, timeout: { idleMs: 10_000 } })) {
    if (event.type === 'text-delta') process.stdout.write(event.text);
  }
} catch (error) {
  if (!LLMError.isInstance(error)) throw error;
  console.log(`\n${error.code}, may pass: ${error.isRetryable}`);
  console.log(error.message);
}
// #endregion program
