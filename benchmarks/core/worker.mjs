// One task of the benchmark of core, in a process of its own; prints what it measured as JSON.
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

const [, , task, folder] = process.argv;
const megabytes = () => {
  globalThis.gc();
  return process.memoryUsage().rss / 1e6;
};
const idle = megabytes();
const { VizPrompt } = await import('@vizprompt/core');

async function timed(work) {
  const start = performance.now();
  const result = await work();
  return [performance.now() - start, result];
}

/** What any durable write costs here: write, fsync, rename, fsync of the folder. */
function rawWrite(index) {
  const start = performance.now();
  const file = openSync(join(folder, '.raw.tmp'), 'w');
  writeSync(file, 'x'.repeat(1500));
  fsyncSync(file);
  closeSync(file);
  renameSync(join(folder, '.raw.tmp'), join(folder, `.raw.${index % 10}`));
  const parent = openSync(folder, 'r');
  fsyncSync(parent);
  closeSync(parent);
  return performance.now() - start;
}

async function create(options, rounds) {
  const vizprompt = await VizPrompt.open(folder);
  const figures = { create: [], raw: [] };
  for (let round = 0; round < rounds; round++) {
    const node = { prompt: `質問 ${round}`, response: '回答です。'.repeat(80) };
    const [ms] = await timed(() => vizprompt.createNode(node, options));
    figures.create.push(ms);
    figures.raw.push(rawWrite(round));
  }
  await vizprompt.close();
  for (let index = 0; index < 10; index++) rmSync(join(folder, `.raw.${index}`), { force: true });
  return figures;
}

const tasks = {
  async open() {
    const [ms, vizprompt] = await timed(() => VizPrompt.open(folder));
    const rss = megabytes();
    await vizprompt.close();
    return { ms, rss, idle };
  },
  async reindex() {
    for (const name of ['cache.db', 'cache.db-wal', 'cache.db-shm']) {
      rmSync(join(folder, '.vizprompt', name), { force: true });
    }
    const [ms, vizprompt] = await timed(() => VizPrompt.open(folder));
    await vizprompt.close();
    return { ms, peak: process.resourceUsage().maxRSS / 1000 };
  },
  async 'load-flow'() {
    const vizprompt = await VizPrompt.open(folder);
    await vizprompt.getFlow('flow 0');
    const [ms, flow] = await timed(() => vizprompt.getFlow('chain'));
    const text = await readFile(join(folder, flow.file), 'utf8');
    const { parse } = await import('yaml');
    const [yaml] = await timed(() => parse(text));
    await vizprompt.close();
    return { ms, yaml, nodes: flow.nodes.length };
  },
  create: () => create({}, 300),
  'create-in-long-flow': () => create({ flow: 'chain' }, 100),
  async search() {
    const vizprompt = await VizPrompt.open(folder);
    const queries = [
      '認証',
      'JWT 設定',
      '猫の予約はどうする？',
      '"flow 7 12"',
      'middleware',
      '手紙 海',
    ];
    const search = [];
    for (let round = 0; round < 120; round++) {
      const text = queries[round % queries.length];
      const [ms] = await timed(() => vizprompt.searchNodes({ text, limit: 10 }));
      if (round >= queries.length) search.push(ms);
    }
    await vizprompt.close();
    return { search };
  },
  async context() {
    const vizprompt = await VizPrompt.open(folder);
    const prompts = ['猫の予約はどうする？', 'JWT と認証の設定', '主人公の手紙', 'session token'];
    const options = { flow: 'long', budget: 8000 };
    const [first] = await timed(() => vizprompt.buildContext({ ...options, prompt: '続けて' }));
    const context = [];
    let inFull = 0;
    for (let round = 0; round < 24; round++) {
      const prompt = `${prompts[round % prompts.length]} ${round}`;
      const [ms, { report }] = await timed(() => vizprompt.buildContext({ ...options, prompt }));
      context.push(ms);
      inFull = Math.max(inFull, report.entries.filter(({ form }) => form === 'full').length);
    }
    await vizprompt.close();
    return { first, context, inFull };
  },
};
console.log(JSON.stringify(await tasks[task]()));
