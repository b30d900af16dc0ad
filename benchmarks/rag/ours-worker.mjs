// One task with our index of works, in a process of its own; prints what it measured as JSON. The
// package is imported inside, since a cold start counts that too.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { residentMemory, restingMemory } from './resting-memory.mjs';
import { readWorks, textOf } from './works.mjs';

const NODE_START = performance.now();
/** Queries that are asked before, where peers are asked so many, too. */
const WARM_UP_BESIDE = 100;
const ROUNDS = 200;
const UPDATED_CHARACTERS = 13_000;

const [, , task, folder, index, dictionaries, given] = process.argv;

const listIn = async (name) => JSON.parse(await readFile(join(folder, name), 'utf8'));
const queriesOf = () => listIn('queries.json');

async function open() {
  const { PlainTextChunkingStrategy, SegmentBackend } = await import('@vizprompt/rag');
  const { openAnalyzer } = await import('./open-analyzer.mjs');
  return SegmentBackend.open({
    folder: index,
    analyzer: await openAnalyzer(dictionaries),
    chunking: new PlainTextChunkingStrategy(),
  });
}

async function timed(work) {
  const start = performance.now();
  const result = await work();
  return [performance.now() - start, result];
}

/** What is asked before: all there is, unless it is for a comparison with peers. */
async function warmUp(every) {
  return (await listIn('warm-up.json')).slice(0, every === 1 ? Infinity : WARM_UP_BESIDE);
}

const tasks = {
  /** Indexes the works that together have so many chunks. */
  async index() {
    const works = await readWorks(folder, Number(given));
    async function* documents() {
      for (const work of works) {
        yield { novelId: 'bench', filePath: work.file, text: await textOf(folder, work) };
      }
    }
    const backend = await open();
    const [ms] = await timed(() => backend.index(documents()));
    const [closing] = await timed(() => backend.close());
    return { ms, closing };
  },
  /** From nothing but Node to the first answer. */
  async cold() {
    const query = (await queriesOf())[Number(given)];
    const start = performance.now();
    const backend = await open();
    const opened = performance.now();
    const { hits } = await backend.search(query, { limit: 10 });
    const end = performance.now();
    await backend.close();
    if (hits.length === 0) throw new Error(`nothing is found for ${query}`);
    return { node: NODE_START, ms: end - start, opening: opened - start };
  },
  /** Two of so many queries, each once, after others. */
  async search() {
    const every = Number(given);
    const backend = await open();
    const ask = async (query) => {
      const [ms, { hits }] = await timed(() => backend.search(query, { limit: 10 }));
      return { ms, isEmpty: hits.length === 0 };
    };
    const first = [];
    for (const query of await warmUp(every)) first.push((await ask(query)).ms);
    const before = process.cpuUsage();
    const times = [];
    let zero = 0;
    for (const query of (await queriesOf()).filter((_, at) => at % every < 2)) {
      const { ms, isEmpty } = await ask(query);
      times.push(ms);
      if (isEmpty) zero++;
    }
    const { user, system } = process.cpuUsage(before);
    await backend.close();
    return { first, times, zero, cpu: (user + system) / 1000 / times.length };
  },
  async rss() {
    const backend = await open();
    for (const query of await queriesOf()) await backend.search(query, { limit: 10 });
    globalThis.gc();
    const busy = residentMemory();
    const rss = await restingMemory();
    await backend.close();
    return { rss, busy };
  },
  /** A file of 13,000 characters, changed in one place again and again, and looked for each time. */
  async update() {
    const works = await readWorks(folder, Infinity);
    const fit = works.filter(({ characters }) => characters >= UPDATED_CHARACTERS);
    const [shortest] = fit.toSorted((a, b) => a.characters - b.characters);
    const text = (await textOf(folder, shortest)).slice(0, UPDATED_CHARACTERS);
    const backend = await open();
    const update = (changed) =>
      backend.updateFile({ novelId: 'bench', filePath: 'updated.txt', text: changed });
    await update(text);
    const times = [];
    const chunks = [];
    for (let round = -5; round < ROUNDS; round++) {
      const at = text.indexOf('。', Math.floor((((round * 7919) % 9973) / 9973) * text.length)) + 1;
      const mark = `zq${String(round + 5).padStart(3, 'x')}`;
      const changed = `${text.slice(0, at)}目印は${mark}である。${text.slice(at)}`;
      const [ms] = await timed(async () => {
        chunks.push((await update(changed)).added);
        const { hits } = await backend.search(mark, { limit: 10 });
        if (!hits.some(({ content }) => content.includes(mark)))
          throw new Error(`${mark} is not found`);
      });
      if (round >= 0) times.push(ms);
    }
    await backend.close();
    return { times, chunks };
  },
};
console.log(JSON.stringify(await tasks[task]()));
