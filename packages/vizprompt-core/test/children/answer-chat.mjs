// Stores answers to one question of a chat, and sends the same question with each.
import { VizPrompt } from '@vizprompt/core';
import { chatStore } from '@vizprompt/core/ai-sdk';

const [, , folder, name, count] = process.argv;
const vizprompt = await VizPrompt.open(folder);
const chats = chatStore(vizprompt);
const messages = [{ id: 'u', role: 'user', parts: [{ type: 'text', text: 'question' }] }];
for (let at = 0; at < Number(count); at++) {
  const body = JSON.stringify({ id: 'chat', messages, trigger: 'regenerate-message' });
  const turn = await chats.receive(new Request('http://x.test', { method: 'POST', body }));
  const parts = [{ type: 'text', text: `${name} ${at}` }];
  await turn.streamOptions.onFinish({
    responseMessage: { id: `${name}-${at}`, role: 'assistant', parts },
  });
}
await vizprompt.close();
