// #region program
import { VizPrompt } from '@vizprompt/core';
import { chatStore } from '@vizprompt/core/ai-sdk';
import { toAiSdk } from '@vizprompt/providers/ai-sdk';
import { scriptedModel } from '@vizprompt/providers/testing';
import { convertToModelMessages, streamText } from 'ai';

await using vizprompt = await VizPrompt.open('./chats');
const chats = chatStore(vizprompt);
// const model = openai('gpt-5'); // of @ai-sdk/openai, or any other
const model = toAiSdk(scriptedModel(['They sleep at noon.', 'They sleep all day.']));

// The route of your framework, such as app/api/chat/route.ts.
const POST = chats.handler(async (turn) => {
  const result = streamText({ model, messages: await convertToModelMessages(turn.messages) });
  return result.toUIMessageStreamResponse(turn.streamOptions);
});

// The requests of `useChat`: a question, and later "again".
const parts = [{ type: 'text', text: 'When do cats sleep?' }];
const messages = [{ id: 'question-1', role: 'user', parts }];
for (const trigger of ['submit-message', 'regenerate-message']) {
  const body = JSON.stringify({ id: 'chat-1', messages, trigger });
  await (await POST(new Request('http://localhost/api/chat', { method: 'POST', body }))).text();
}

const [, answer] = await chats.load('chat-1');
const { messages: answers, index } = await chats.siblings('chat-1', answer?.id ?? '');
console.log(`${index + 1} / ${answers.length}`);
console.log(await vizprompt.toText((await chats.flow('chat-1')).id));
// #endregion program
