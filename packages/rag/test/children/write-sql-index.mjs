// Changes an index on PostgreSQL without end, and reports each change that is acknowledged.
import { postgresStorage } from '@vizprompt/providers/postgres';
import { SqlBackend, segmenterAnalyzer } from '@vizprompt/rag';
import { paragraphs } from '@vizprompt/rag/testing';

const [, , connectionString, namespace, first] = process.argv;
const WORDS = ['灯台', '嵐', '猫', '海', '夜明け', 'カモメ', 'サーバー', '桟橋', '手紙'];
const random = (below) => Math.floor(Math.random() * below);
const paragraph = () =>
  Array.from({ length: 1 + random(9) }, () => WORDS[random(WORDS.length)]).join('の');
const storage = await postgresStorage({ connectionString, namespace });
const { database } = storage;
const backend = await SqlBackend.open({
  database,
  analyzer: segmenterAnalyzer(),
  chunking: paragraphs,
});
process.send({ type: 'open' });
for (let round = Number(first); ; round++) {
  // Merges are as frequent as they can be.
  if (round % 5 === 0) await database.execute('UPDATE chunks_space SET unmerged = 1000');
  const text = [`${round}`, ...Array.from({ length: random(12) }, paragraph)].join('\n\n');
  const document = { novelId: '灯台', filePath: `${random(8)}.md`, text };
  process.send({ type: 'begin', documents: [document] });
  await backend.updateFile(document);
  process.send({ type: 'done', documents: [document] });
}
