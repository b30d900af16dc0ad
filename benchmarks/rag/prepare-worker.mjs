// Cuts works of a corpus until there are enough chunks, writes works, chunks and queries into a folder,
// and prints how many there are.
import { createWriteStream } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PlainTextChunkingStrategy } from '@vizprompt/rag';
import { openAnalyzer } from './open-analyzer.mjs';
import { makeQueries } from './make-queries.mjs';
import { readLines } from './read-lines.mjs';
import { randomNumbers } from './random-numbers.mjs';

const [, , corpus, folder, dictionaries, wanted] = process.argv;
const random = randomNumbers(7);

const sources = [];
for await (const { text } of readLines(corpus)) sources.push(text);
shuffle(sources);

await mkdir(join(folder, 'works'));
const lines = createWriteStream(join(folder, 'chunks.jsonl'));
const chunking = new PlainTextChunkingStrategy();
const works = [];
const texts = [];
for (const text of sources) {
  if (texts.length >= Number(wanted)) break;
  const file = `${String(works.length).padStart(5, '0')}.txt`;
  const chunks = await chunking.chunk({ novelId: 'bench', filePath: file, text });
  await writeFile(join(folder, 'works', file), text);
  works.push({ file, chunks: chunks.length, characters: text.length });
  for (const { content, overlap } of chunks) {
    const own = content.slice(overlap);
    lines.write(`${JSON.stringify({ text: own })}\n`);
    texts.push(own);
  }
}
await new Promise((resolve) => lines.end(resolve));
await writeFile(join(folder, 'works.json'), JSON.stringify(works));
const analyzer = await openAnalyzer(dictionaries);
// The others are asked before, as what is asked often is compiled meanwhile.
for (const [name, count] of [
  ['queries.json', 1000],
  ['warm-up.json', 500],
]) {
  await writeFile(join(folder, name), JSON.stringify(makeQueries(count, texts, analyzer, random)));
}
const characters = works.reduce((sum, work) => sum + work.characters, 0);
console.log(JSON.stringify({ works: works.length, chunks: texts.length, characters }));

function shuffle(list) {
  for (let at = list.length - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1));
    [list[at], list[other]] = [list[other], list[at]];
  }
}
