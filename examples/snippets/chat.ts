// #region open
import { VizPrompt } from '@vizprompt/core';
import { LLMError } from '@vizprompt/providers';
import { openai } from '@vizprompt/providers/openai';

const model = openai({ model: 'gpt-5-mini' }); // the key is in OPENAI_API_KEY
const vizprompt = await VizPrompt.open('./my-project', { model });
// #endregion open

// #region chat
for await (const event of vizprompt.chat({ prompt: 'How long is a login valid?' })) {
  if (event.type === 'text') process.stdout.write(event.text);
}
const { head = '' } = await vizprompt.getFlow();
const again = await vizprompt.retry(head).node(); // a sibling with another answer
console.log(again.status, again.stats.assistant);
// #endregion chat

// #region instructions
const instructions = 'You are a strict editor. Answer in three lines.';
const strict = await vizprompt
  .chat({ prompt: 'What do you think of this plan?', instructions })
  .node();
console.log(strict.promptParts); // [{ type: 'data', kind: 'text', value: 'You are …', role: 'system' }]
// #endregion instructions

// #region fail
const turn = vizprompt.chat({ prompt: 'Why?', signal: AbortSignal.timeout(60_000) });
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
  conversationId: 'design review', // it becomes a flow of that name
  follows: [], // the turns before it, by their ids
  kind: 'turn',
  status: 'done',
  speaker: 'critic',
  input: [{ type: 'text', text: 'What about the limit?' }],
  output: [{ type: 'text', text: '30 days is too long.' }],
  startedAt: '2026-11-21T22:43:07.670+09:00',
});
const [passage] = await vizprompt.retriever().retrieve('Is the limit too long?', { limit: 3 });
console.log(passage?.source.uri, passage?.text); // the id of the node, its prompt and response
// #endregion record
await vizprompt.close();
