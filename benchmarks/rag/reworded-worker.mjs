// Asks reworded questions and questions over paragraphs with and without a thesaurus; prints ranks as JSON.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  AutoChunkingStrategy,
  Chunk,
  SegmentBackend,
  compileThesaurus,
  openThesaurus,
} from '@vizprompt/rag';
import { openAnalyzer } from './open-analyzer.mjs';

const [, , folder, dictionaries, file] = process.argv;
const given = JSON.parse(await readFile(file, 'utf8'));
const analyzer = await openAnalyzer(dictionaries);
const path = join(folder, 'thesaurus.bin');
compileThesaurus({ source: given.list, analyzer, path });
let thesaurus;
/** The best of ten: a file that is read has to wait for other processes. */
let openMs = Number.POSITIVE_INFINITY;
for (let round = 0; round < 10; round++) {
  const before = performance.now();
  thesaurus = openThesaurus({ path, analyzer });
  openMs = Math.min(openMs, performance.now() - before);
}

async function ranksOf(backend, questions, isRight) {
  const ranks = [];
  for (const one of questions) {
    const { hits } = await backend.search(one.question, { k: 10 });
    ranks.push(hits.findIndex((found) => isRight(found, one)) + 1);
  }
  return ranks;
}

/** Asks without a thesaurus, then with it. */
async function asked(name, options, fill, questions, isRight) {
  const index = { folder: join(folder, name), analyzer, mayFork: false, ...options };
  const plain = await SegmentBackend.open(index);
  await fill(plain);
  const words = await ranksOf(plain, questions, isRight);
  const { chunks } = await plain.stats();
  await plain.close();
  const other = await SegmentBackend.open({ ...index, thesaurus });
  const found = await ranksOf(other, questions, isRight);
  await other.close();
  return { chunks, words, thesaurus: found };
}

const novels = await asked(
  'reworded-novels',
  { chunking: new AutoChunkingStrategy({ maxTokens: 400, overlap: 0.2 }) },
  (backend) =>
    backend.index(
      given.texts.map(({ text }, at) => ({ novelId: 'bench', filePath: `${at}.md`, text })),
    ),
  given.asked,
  ({ content }, { quote }) => content.includes(quote),
);
const paragraphs = await asked(
  'reworded-paragraphs',
  {},
  (backend) =>
    backend.add(
      given.paragraphs.map(({ title, text: content }, at) => {
        const endLine = content.split('\n').length;
        const place = { filePath: `${at}.txt`, chunkIndex: 0, startLine: 1, endLine };
        return new Chunk({ title, content, novelId: 'bench', ...place });
      }),
    ),
  given.questions,
  ({ payload }, { paragraph }) => payload.file === `${paragraph}.txt`,
);
console.log(JSON.stringify({ chunks: novels.chunks, openMs, novels, paragraphs }));
