// Asks each query of a task once, of a memory that exists; prints how long search and recall took as JSON.
import { readFileSync } from 'node:fs';
import { MemoryStore } from '@vizprompt/memory';

const { path, first, mix, k, workspace } = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const store = await MemoryStore.open({ path });

const search = ({ text, workspace: own, path: file }) =>
  store.search(text, { k, workspace: own, path: file });
const recall = ({ text, workspace: own = workspace, path: file }) =>
  store.recall({ query: text, workspace: own, path: file, budgetTokens: 2000 });

const timesOf = async (queries, ask) => {
  const times = [];
  for (const query of queries) {
    const start = performance.now();
    await ask(query);
    times.push(performance.now() - start);
  }
  return times;
};

const times = {
  first: await timesOf(first, search),
  search: await timesOf(mix, search),
  recall: await timesOf(mix, recall),
};
await store.close();
console.log(JSON.stringify(times));
