// #region program
import { textMessage } from '@vizprompt/providers';
import { scriptedModel } from '@vizprompt/providers/testing';
import { citationOf, retriever, SegmentBackend } from '@vizprompt/rag';

const model = scriptedModel(['灯台の礎石の下です [1]。']); // or ollama({ model: 'qwen3:8b' })
await using backend = await SegmentBackend.open({ folder: './index' });

const question = '鍵はどこに埋めた？';
const passages = await retriever(backend).retrieve(question, { limit: 3 });
const sources = passages.map(({ text }, at) => `[${at + 1}] ${text}`).join('\n\n');
const rule =
  'Answer from these passages alone, with their numbers. Say so if they do not answer it.';
const { text: answer } = await model.generate({
  messages: [textMessage('system', `${rule}\n\n${sources}`), textMessage('user', question)],
});
console.log(answer);
for (const [mark, number] of answer.matchAll(/\[(\d+)\]/g)) {
  const passage = passages[Number(number) - 1];
  console.log(mark, passage ? citationOf(passage) : 'is made up');
}
// #endregion program
