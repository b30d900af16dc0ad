// Indexes works with made vectors, and searches them by words, vectors and both, and by sqlite-vec; prints
// the times as JSON.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  HybridBackend,
  PlainTextChunkingStrategy,
  SegmentBackend,
  VectorBackend,
} from '@vizprompt/rag';
import { sqliteDatabase } from '@vizprompt/providers/node';
import { quantizedVectors } from '@vizprompt/providers/quantized';
import { sqliteVecStore } from '@vizprompt/providers/sqlite-vec';
import { DIMENSIONS, product, questionVector, textVector } from './made-vectors.mjs';
import { openAnalyzer } from './open-analyzer.mjs';
import { readWorks, textOf } from './works.mjs';

const WARM_UP = 50;
const QUERIES = 500;
const EXACT = 100;

const [, , folder, index, dictionaries, wanted] = process.argv;
const chunking = new PlainTextChunkingStrategy();
const chunks = [];
for (const work of await readWorks(folder, Number(wanted))) {
  const text = await textOf(folder, work);
  chunks.push(...(await chunking.chunk({ novelId: 'bench', filePath: work.file, text })));
}
// A topic is a stretch of a work.
const vectors = chunks.map((chunk) =>
  textVector(chunk.id, `${chunk.filePath} ${Math.floor(chunk.chunkIndex / 20)}`),
);
const byText = new Map(chunks.map((chunk, at) => [chunk.own, at]));
const queries = JSON.parse(await readFile(join(folder, 'queries.json'), 'utf8'));
const questionFor = new Map(
  queries.map((query, at) => [
    query,
    questionVector(query, vectors[(at * 7919) % vectors.length], 1),
  ]),
);
let current;
const embeddings = {
  specVersion: 1,
  provider: 'bench',
  modelId: 'made',
  maxBatch: 1000,
  dimensions: DIMENSIONS,
  embed: async ({ values, kind }) => ({
    vectors: values.map((value) =>
      kind === 'query'
        ? questionFor.get(current)
        : vectors[byText.get(value) ?? byText.get(value.slice(value.indexOf('\n') + 1)) ?? 0],
    ),
    usage: {},
  }),
};

async function timed(work) {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

async function timesOf(asked, search) {
  for (const query of asked.slice(0, WARM_UP)) await search(query);
  const times = [];
  for (const query of asked) times.push(await timed(() => search(query)));
  return times;
}

const database = sqliteDatabase({ path: join(folder, 'vectors.db'), durability: 'normal' });
const store = quantizedVectors({ database, dimensions: DIMENSIONS });
const shared = { database, embeddings, store };
const vector = await VectorBackend.open(shared);
const writing = await timed(() => vector.add(chunks));
const keyword = await SegmentBackend.open({
  folder: index,
  analyzer: await openAnalyzer(dictionaries),
  chunking,
});
const hybrid = await HybridBackend.open({ ...shared, keyword, chunking });
const cold = sqliteDatabase({ path: join(folder, 'vectors.db') });
const opening = await timed(() =>
  quantizedVectors({ database: cold, dimensions: DIMENSIONS }).query(vectors[0]),
);
await cold.close();

const asked = queries.slice(0, QUERIES);
const times = {
  hybrid: await timesOf(asked, (query) => {
    current = query;
    return hybrid.search(query, { limit: 10 });
  }),
  keyword: await timesOf(asked, (query) => keyword.search(query, { limit: 10 })),
  quantized: await timesOf(asked, (query) => store.query(questionFor.get(query), { limit: 10 })),
};

const other = sqliteDatabase({ path: join(folder, 'sqlite-vec.db'), durability: 'normal' });
const exact = sqliteVecStore({ database: other, dimensions: DIMENSIONS });
const records = vectors.map((one, at) => ({ id: `${at}`, vector: one }));
const writingExact = await timed(() => exact.upsert(records));
times.sqlite_vec = await timesOf(asked.slice(0, EXACT), (query) =>
  exact.query(questionFor.get(query), { limit: 10 }),
);

// Recall against all products, on questions near some text and on others that are near nothing much.
const plain = quantizedVectors({ database: other, dimensions: DIMENSIONS, name: 'recall' });
await plain.upsert(records);
const recalls = [];
for (const noise of [0.5, 1, 3]) {
  let found = 0;
  for (let at = 0; at < EXACT; at++) {
    const question = questionVector(`recall ${at}`, vectors[(at * 7919) % vectors.length], noise);
    const scores = vectors.map((one, place) => ({ place, score: product(question, one) }));
    const best = scores.toSorted((a, b) => b.score - a.score).slice(0, 10);
    const ids = new Set((await plain.query(question, { limit: 10 })).map(({ id }) => id));
    found += best.filter(({ place }) => ids.has(`${place}`)).length;
  }
  recalls.push({ noise, recall: found / (EXACT * 10) });
}
await hybrid.close();
await vector.close();
await database.close();
await other.close();
console.log(
  JSON.stringify({ chunks: chunks.length, writing, writingExact, opening, times, recalls }),
);
