// Asks each query of a task once, of a memory that exists; prints how long search and recall took as JSON.
import { readFileSync } from 'node:fs';
import { openMemory } from './open-memory.mjs';

const { place, first, mix, k, workspace } = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const { store, statements, close } = await openMemory(place);

const search = ({ text, workspace: own, path: file }) =>
  store.search(text, { k, workspace: own, path: file });
const recall = ({ text, workspace: own = workspace, path: file }) =>
  store.recall({ query: text, workspace: own, path: file, budgetTokens: 2000 });

const counts = [];
const timesOf = async (queries, ask) => {
  const times = [];
  for (const query of queries) {
    const before = statements();
    const start = performance.now();
    await ask(query);
    times.push(performance.now() - start);
    if (ask === search) counts.push(statements() - before);
  }
  return times;
};

const times = {
  first: await timesOf(first, search),
  search: await timesOf(mix, search),
  recall: await timesOf(mix, recall),
};
await close();
console.log(JSON.stringify({ ...times, statements: counts.slice(first.length) }));
