// Watches a project that it changes, in a process of its own; prints what it measured as JSON.
import { mkdir, rm } from 'node:fs/promises';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ProjectIndexer } from '@vizprompt/rag';
import { openAnalyzer } from './open-analyzer.mjs';
import { readLines } from './read-lines.mjs';

const SIZE = 1000;
const SAVES = 15;
const ROUNDS = 3;

const [, , folder, count, corpus] = process.argv;
const project = 'bench';
const novel = join(folder, 'novel');
const dictionaries = join(folder, 'dictionaries');
await mkdir(dictionaries);
const analyzer = await openAnalyzer(dictionaries);
const texts = await readTexts(2 * Number(count));
const [first, second] = [texts.slice(0, Number(count)), texts.slice(Number(count))];

const pathOf = (at) => join('contents', String(Math.floor(at / 100)), `${at}.md`);
const put = (path, text) => {
  const place = join(novel, path);
  mkdirSync(join(place, '..'), { recursive: true });
  writeFileSync(place, text);
};
const putAll = (list) => list.forEach((text, at) => put(pathOf(at), text));
const edit = (text, mark) => {
  const at = text.indexOf('。', text.length / 2) + 1;
  return `${text.slice(0, at)}目印は${mark}である。${text.slice(at)}`;
};
const seconds = async (work) => {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1000;
};
const next = (indexer, name) => new Promise((resolve) => indexer.events.once(name, resolve));
const open = (indexFolder) =>
  ProjectIndexer.open({ project, folder: novel, indexFolder, analyzer });

const measured = { found: [], index: [], rewritten: [], edited: [], look: [], cpu: {} };

/** Runs some work, and notes the processor time of this process and those that it started (Linux). */
async function withCpu(name, work) {
  const start = await cpuSeconds();
  const result = await work();
  (measured.cpu[name] ??= []).push((await cpuSeconds()) - start);
  return result;
}

async function cpuSeconds() {
  if (!existsSync('/proc/self/stat')) return Number.NaN;
  // Processes that have ended count from when they were waited for.
  await new Promise((resolve) => setTimeout(resolve, 1000));
  const stat = readFileSync('/proc/self/stat', 'utf8');
  const ticks = stat.slice(stat.lastIndexOf(')')).split(' ').slice(12, 16);
  return ticks.reduce((sum, value) => sum + Number(value), 0) / 100;
}

/** Indexes what is there, in an index of its own. */
async function indexAfresh() {
  const indexFolder = join(folder, 'fresh');
  const indexer = await open(indexFolder);
  await withCpu('index', async () => measured.index.push(await seconds(() => indexer.refresh())));
  await indexer.close();
  await rm(indexFolder, { recursive: true });
}

/** From the moment that all is written: how long that takes is a matter of the disk. */
async function change(indexer, name, write) {
  await withCpu(name, async () => {
    const finished = next(indexer, 'index:finished');
    write();
    measured[name].push(await seconds(() => finished));
  });
}

putAll(first);
const indexer = await open(join(folder, 'index'));
await indexer.watch();
for (let round = 0; round < ROUNDS; round++) {
  const now = round % 2 === 0 ? second : first;
  await change(indexer, 'rewritten', () => putAll(now));
  await indexAfresh();
  await change(indexer, 'edited', () => putAll(now.map((text) => edit(text, `r${round}`))));
}
for (let save = 0; save < SAVES; save++) {
  const mark = `zq${String(save).padStart(3, 'x')}`;
  const path = pathOf((save * 97) % Number(count));
  const indexed = next(indexer, 'file:indexed');
  const start = performance.now();
  put(path, edit(texts[save], mark));
  await indexed;
  const { hits } = await indexer.search(mark);
  measured.found.push(performance.now() - start);
  if (!hits.some(({ content }) => content.includes(mark))) throw new Error(`${mark} is not found`);
}
for (let look = 0; look < 9; look++) measured.look.push(await seconds(() => indexer.refresh()));
await indexer.close();
const characters = [...first, ...second].reduce((sum, text) => sum + text.length, 0) / 2;
console.log(JSON.stringify({ ...measured, characters: Math.round(characters) }));

/** Pieces of texts, cut where a sentence ends. */
async function readTexts(wanted) {
  const pieces = [];
  for await (const { text } of readLines(corpus)) {
    for (let at = 0; at + SIZE < text.length && pieces.length < wanted; at += SIZE) {
      pieces.push(text.slice(at, at + SIZE));
    }
    if (pieces.length === wanted) return pieces;
  }
  throw new Error(`the texts give ${pieces.length} pieces of ${SIZE} characters, not ${wanted}`);
}
