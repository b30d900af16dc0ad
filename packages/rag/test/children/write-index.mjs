// Changes an index without end or so often, and reports each change that is acknowledged.
import { SegmentBackend, segmenterAnalyzer } from '@vizprompt/rag';
import { paragraphs } from '@vizprompt/rag/testing';

const [, , folder, name, first, rounds = 'Infinity'] = process.argv;
const WORDS = [
  '灯台',
  '嵐',
  '猫',
  '海',
  '夜明け',
  'カモメ',
  'サーバー',
  '桟橋',
  '手紙',
  'lighthouse',
];
const random = (below) => Math.floor(Math.random() * below);
const paragraph = () =>
  Array.from({ length: 1 + random(9) }, () => WORDS[random(WORDS.length)]).join('の');
const text = (round) => {
  const list = Array.from({ length: random(12) }, paragraph);
  return [`${name} ${round}`, ...list].join('\n\n');
};
const backend = await SegmentBackend.open({
  folder,
  analyzer: segmenterAnalyzer(),
  chunking: paragraphs,
});
process.send({ type: 'open' });

/** Reports the next change, makes it, and reports that it is done. */
async function change(documents, work) {
  process.send({ type: 'begin', documents });
  await work();
  process.send({ type: 'done', documents });
}

for (let round = Number(first); round < Number(rounds); round++) {
  const filePath = `${name}/${random(12)}.md`;
  const document = { novelId: '灯台', filePath, text: text(round) };
  const kind = random(10);
  if (kind < 6) await change([document], () => backend.updateFile(document));
  else if (kind === 6) {
    await change([{ ...document, text: '' }], () => backend.removeByFile(document));
  } else if (kind === 7) await change([], () => backend.compact());
  else {
    const more = { ...document, filePath: `${name}/new-${round}.md`, text: text(`new ${round}`) };
    await change([document, more], () => backend.index([document, more]));
  }
}
await backend.close();
process.disconnect();
