// Asks words, made vectors and both the same questions; prints the rank of the answer to each as JSON.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Chunk, HybridBackend, SegmentBackend, VectorBackend } from '@vizprompt/rag';
import { sqliteDatabase } from '@vizprompt/providers/node';
import { quantizedVectors } from '@vizprompt/providers/quantized';
import { DIMENSIONS, product, questionVector, textVector } from './made-vectors.mjs';
import { openAnalyzer } from './open-analyzer.mjs';

const [, , folder, dictionaries, file] = process.argv;
const { paragraphs, questions, recalls, weights } = JSON.parse(await readFile(file, 'utf8'));
const answers = paragraphs.map(({ title, text }) => textVector(text, title));
const texts = new Map(paragraphs.map(({ title, text }, at) => [`${title}\n${text}`, answers[at]]));
// What is asked now: a backend may pass on a question without its signs.
let current;

let noise = 0;
const embeddings = {
  specVersion: 1,
  provider: 'bench',
  modelId: 'made',
  maxBatch: 1000,
  dimensions: DIMENSIONS,
  embed: async ({ values, kind }) => ({
    vectors: values.map((value) =>
      kind === 'query'
        ? questionVector(current.question, answers[current.paragraph], noise)
        : texts.get(value),
    ),
    usage: {},
  }),
};
const database = sqliteDatabase({ path: join(folder, 'quality.db'), durability: 'normal' });
const shared = {
  database,
  embeddings,
  store: quantizedVectors({ database, dimensions: DIMENSIONS }),
};
const keyword = await SegmentBackend.open({
  folder: join(folder, 'quality'),
  analyzer: await openAnalyzer(dictionaries),
});
const fusions = {
  hybrid: {},
  gated_rrf: { by: 'ranks' },
  rrf: { by: 'ranks', gate: 1 },
  ...Object.fromEntries(
    weights.map((vector) => [`w${vector}`, { gate: 1, weights: { keyword: 1, vector } }]),
  ),
};
const backends = { vector: await VectorBackend.open(shared) };
for (const [name, fusion] of Object.entries(fusions)) {
  backends[name] = await HybridBackend.open({ ...shared, keyword, fusion });
}
backends.hybrid.events.on('vectors:queued', ({ error }) => {
  throw error;
});
await backends.hybrid.add(
  paragraphs.map(({ title, text: content }, at) => {
    const place = { filePath: `${at}.txt`, chunkIndex: 0, startLine: 1 };
    const endLine = content.split('\n').length;
    return new Chunk({ title, content, novelId: 'bench', endLine, ...place });
  }),
);

/** The share of questions whose answer is among the ten nearest. */
function recallAt(level, some) {
  const found = some.filter(({ question, paragraph }) => {
    const vector = questionVector(question, answers[paragraph], level);
    const own = product(vector, answers[paragraph]);
    return answers.filter((answer) => product(vector, answer) > own).length < 10;
  });
  return found.length / some.length;
}

function noiseFor(recall) {
  const some = questions.filter((_, at) => at % 8 === 0);
  let [low, high] = [0, 20];
  for (let step = 0; step < 10; step++) {
    const middle = (low + high) / 2;
    if (recallAt(middle, some) > recall) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

async function ranksOf(backend, some) {
  const ranks = [];
  for (current of some) {
    const right = `${current.paragraph}.txt`;
    const { hits } = await backend.search(current.question, { limit: 10 });
    ranks.push(hits.findIndex(({ payload }) => payload.file === right) + 1);
  }
  return ranks;
}

const reported = questions.filter(({ isTuned }) => !isTuned);
const tuned = questions.filter(({ isTuned }) => isTuned).filter((_, at) => at % 4 === 0);
const result = { keyword: await ranksOf(keyword, reported), sets: [] };
const tunedKeyword = await ranksOf(keyword, tuned);
for (const recall of recalls) {
  noise = recall === 0 ? 1e9 : noiseFor(recall);
  const set = { recall, tuned: { keyword: tunedKeyword }, reported: {} };
  set.tuned.vector = await ranksOf(backends.vector, tuned);
  for (const weight of weights) {
    set.tuned[`w${weight}`] = await ranksOf(backends[`w${weight}`], tuned);
  }
  for (const name of ['vector', 'hybrid', 'gated_rrf', 'rrf']) {
    set.reported[name] = await ranksOf(backends[name], reported);
  }
  result.sets.push(set);
}
for (const backend of Object.values(backends)) await backend.close();
await database.close();
console.log(JSON.stringify(result));
