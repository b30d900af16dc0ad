// A memory on the driver that VIZPROMPT_SQLITE names: does a round when its parent asks, and reports how long it took.
import { join } from 'node:path';
import { MemoryStore } from '@vizprompt/memory';
import { sqliteDatabase } from '@vizprompt/providers/node';
import { sessionEvents, wordOf } from '../memory/make-events.ts';

const [, , folder = '.', rounds = '1', size = '1'] = process.argv;
const EVENTS = Number(size);
const QUERIES = 200;
const events = sessionEvents(7, Number(rounds) * EVENTS * 2).filter(
  // Edits also write contents, which would be another comparison.
  ({ type }) => type !== 'file_edit' && type !== 'code_intention',
);

const database = sqliteDatabase({ path: ':memory:' });
const [row] = await database.query('SELECT sqlite_version() AS version');
await database.close();
const store = await MemoryStore.open({ path: join(folder, 'memory.db') });
const { id } = await store.startSession({ workspace: '/home/ann/bench' });
let at = 0;

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

async function round(): Promise<Readonly<Record<string, number>>> {
  const single = events.slice(at, (at += Math.floor(EVENTS / 10)));
  const many = events.slice(at, (at += EVENTS));
  const append = await timed(async () => {
    for (const { type, data, ...facts } of single) await store.log(id, type, data, facts);
  });
  const batch = await timed(() => store.logMany(id, many));
  const search = await timed(async () => {
    for (let query = 0; query < QUERIES; query++) await store.search(wordOf(query * 7));
  });
  return { append, batch, search };
}

process.on('message', () => {
  void round().then((times) => process.send?.(times));
});
process.on('disconnect', () => void store.close());
process.send?.({ version: String(row?.['version']) });
