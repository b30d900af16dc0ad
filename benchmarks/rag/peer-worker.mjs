// One system on the chunks of works, in a process of its own: to be filled, to be searched, or, if it
// lies in memory, both. Prints what it measured as JSON.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readLines } from './read-lines.mjs';
import { SYSTEMS, WITHOUT_WORDS } from './systems/index.mjs';
import { restingMemory } from './resting-memory.mjs';
import { readWorks } from './works.mjs';

const WARM_UP = 100;

const [, , task, name, folder, index, dictionaries, chunks, every] = process.argv;
const open = await SYSTEMS[name]();
const tokens = WITHOUT_WORDS.has(name) ? undefined : await wordsOfOurs();
const system = await open({ folder: index, tokens });
const measured = {};
if (task !== 'search') {
  const start = performance.now();
  await fill();
  measured.ms = performance.now() - start;
}
if (task !== 'index') {
  measured.times = await search();
  measured.rss = await restingMemory();
}
system.close();
console.log(JSON.stringify(measured));

async function wordsOfOurs() {
  const { openAnalyzer, tokensOf } = await import('./open-analyzer.mjs');
  return tokensOf(await openAnalyzer(dictionaries));
}

/** The chunks of the works that together have so many of them. */
async function fill() {
  const works = await readWorks(folder, Number(chunks));
  const wanted = works.reduce((sum, work) => sum + work.chunks, 0);
  let id = 0;
  for await (const { text } of readLines(join(folder, 'chunks.jsonl'))) {
    if (id >= wanted) break;
    await system.add(++id, text);
  }
  await system.done();
}

async function search() {
  const listIn = async (file) => JSON.parse(await readFile(join(folder, file), 'utf8'));
  for (const query of (await listIn('warm-up.json')).slice(0, WARM_UP)) {
    await system.search(query, 10);
  }
  const queries = await listIn('queries.json');
  const times = [];
  for (const query of queries.filter((_, at) => at % Number(every) < 2)) {
    const start = performance.now();
    await system.search(query, 10);
    times.push(performance.now() - start);
  }
  return times;
}
