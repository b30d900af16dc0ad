// #region open
import { VizPrompt } from '@vizprompt/core';
import { LLMError } from '@vizprompt/providers';
import { openai } from '@vizprompt/providers/openai';

const model = openai({ model: 'gpt-5-mini' }); // the key is in OPENAI_API_KEY
const vizprompt = await VizPrompt.open('./my-project', { model });
// #endregion open

// #region chat
for await (const event of vizprompt.chat({ prompt: '期限は何分？' })) {
  if (event.type === 'text') process.stdout.write(event.text);
}
const { head = '' } = await vizprompt.getFlow();
const again = await vizprompt.retry(head).node(); // a sibling with another answer
console.log(again.status, again.stats.assistant);
// #endregion chat

// #region instructions
const instructions = 'あなたは厳しい編集者です。三行で答えてください。';
const strict = await vizprompt.chat({ prompt: 'この案をどう思う？', instructions }).node();
console.log(strict.promptParts); // [{ type: 'data', kind: 'text', value: 'あなたは…', role: 'system' }]
// #endregion instructions

// #region fail
const turn = vizprompt.chat({ prompt: 'なぜ？', signal: AbortSignal.timeout(60_000) });
try {
  console.log((await turn.node()).response);
} catch (error) {
  if (!LLMError.isInstance(error)) throw error;
  const { head: cut = '' } = await vizprompt.getFlow(); // it holds what had come
  console.log(error.code, (await vizprompt.getNode(cut)).status); // network failed
  await vizprompt.continue(cut).node(); // or retry(cut)
}
// #endregion fail

// #region record
await vizprompt.recorder().record({
  id: '1',
  conversationId: '設計の討論', // it becomes a flow of that name
  follows: [], // the turns before it, by their ids
  kind: 'turn',
  status: 'done',
  speaker: '批評家',
  input: [{ type: 'text', text: '期限の案をどう思う？' }],
  output: [{ type: 'text', text: '30日は長すぎます。' }],
  startedAt: '2026-11-21T22:43:07.670+09:00',
});
const [passage] = await vizprompt.retriever().retrieve('期限は長すぎる？', { limit: 3 });
console.log(passage?.source.uri, passage?.text); // the id of the node, its prompt and response
// #endregion record
await vizprompt.close();
