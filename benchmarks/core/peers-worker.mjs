// Tree operations of core and of one peer on the same conversation, in pairs whose order changes;
// prints what it measured as JSON.
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openOurs } from './peers/ours.mjs';

const langGraph = () => import('./peers/langgraph.mjs');
const PEERS = {
  assistant_ui: async () => (await import('./peers/assistant-ui.mjs')).openAssistantUi,
  langgraph_memory: async () => (await langGraph()).openLangGraphMemory,
  langgraph_sqlite: async () => (await langGraph()).openLangGraphSqlite,
  langgraph_delta: async () => (await langGraph()).openLangGraphDelta,
};
const OPERATIONS = ['branch', 'branches', 'append', 'save', 'edit', 'load', 'path', 'switch'];
const PAIRS = { least: 3, most: 15, ms: 6000 };

const [, , peer, folder, file] = process.argv;
const conversation = JSON.parse(await readFile(file, 'utf8'));
const sides = {};
for (const [name, open] of Object.entries({ ours: openOurs, theirs: await PEERS[peer]() })) {
  await mkdir(join(folder, name));
  sides[name] = await open({ folder: join(folder, name), conversation });
}

/** Milliseconds of each; the first pair warms up. */
async function measure(operation) {
  const pairs = [];
  globalThis.gc();
  const start = performance.now();
  for (let round = -1; round < PAIRS.most; round++) {
    if (round >= PAIRS.least && performance.now() - start > PAIRS.ms) break;
    const pair = {};
    const counts = new Set();
    for (const name of round % 2 ? ['ours', 'theirs'] : ['theirs', 'ours']) {
      const began = performance.now();
      const value = await sides[name][operation](`${operation} ${round}`, round);
      pair[name] = performance.now() - began;
      if (value !== undefined) counts.add(sides[name].count(value));
    }
    if (counts.size > 1) throw new Error(`${operation}: ${[...counts].join(' and ')} differ`);
    if (round >= 0) pairs.push(pair);
  }
  return pairs;
}

const measured = {};
for (const operation of OPERATIONS.filter((name) => name in sides.theirs)) {
  measured[operation] = await measure(operation);
}
await sides.ours.close();
await sides.theirs.close();
console.log(JSON.stringify(measured));
