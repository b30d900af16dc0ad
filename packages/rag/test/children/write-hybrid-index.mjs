// Changes words and vectors in one database on PostgreSQL without end, and reports each change that is acknowledged.
import { postgresStorage } from '@vizprompt/providers/postgres';
import { quantizedVectors } from '@vizprompt/providers/quantized';
import { hashEmbeddings } from '@vizprompt/providers/testing';
import { HybridBackend, SqlBackend, segmenterAnalyzer } from '@vizprompt/rag';
import { paragraphs } from '@vizprompt/rag/testing';

const [, , connectionString, namespace, first] = process.argv;
const random = (below) => Math.floor(Math.random() * below);
const { database } = await postgresStorage({ connectionString, namespace });
const parts = { chunking: paragraphs, database };
const backend = await HybridBackend.open({
  ...parts,
  keyword: await SqlBackend.open({ ...parts, analyzer: segmenterAnalyzer() }),
  store: quantizedVectors({ database, dimensions: 64 }),
  embeddings: hashEmbeddings({ dimensions: 64 }),
});
process.send({ type: 'open' });
for (let round = Number(first); ; round++) {
  const paragraph = (_, at) => `灯台${round}の嵐${at}`;
  const text = Array.from({ length: 1 + random(6) }, paragraph).join('\n\n');
  const document = { novelId: '灯台', filePath: `${random(8)}.md`, text };
  process.send({ type: 'begin', documents: [document] });
  await backend.updateFile(document);
  process.send({ type: 'done', documents: [document] });
}
