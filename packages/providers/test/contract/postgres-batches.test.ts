import pg from 'pg';
import { expect, it, onTestFinished, vi } from 'vitest';
import type { Database, Statement } from '../../src/index.ts';
import { onPostgres } from '../support/subjects.ts';

async function openDatabase(): Promise<Database> {
  const { storage, close } = await onPostgres();
  onTestFinished(close);
  const { database } = storage;
  await database.execute('CREATE TABLE thing (id BIGINT PRIMARY KEY, label TEXT NOT NULL)');
  return database;
}

const insert = (id: number, label: string): Statement => ({
  sql: 'INSERT INTO thing VALUES (?, ?) RETURNING id',
  params: [id, label],
});
const update = (id: number): Statement => ({
  sql: 'UPDATE thing SET label = ? WHERE id = ?',
  params: ['犬', id],
});
const some = (count: number): Statement[] =>
  Array.from({ length: count }, (_, at) => insert(at, `猫${at}`));

it('a batch goes to the server a hundred statements at a time, and each has its own rows', async () => {
  const database = await openDatabase();
  const query = vi.spyOn(pg.Client.prototype, 'query');
  onTestFinished(() => query.mockRestore());
  const rows = await database.batchRows([...some(240), { sql: '' }, { sql: 'SELECT 7 AS n' }]);
  // Three for the statements, and those that begin and end the transaction.
  expect(query).toHaveBeenCalledTimes(5);
  expect(rows.slice(0, 240).map(([row]) => row?.['id'])).toEqual(
    Array.from({ length: 240 }, (_, at) => at),
  );
  expect(rows.slice(240)).toEqual([[], [{ n: 7 }]]);
  expect(await database.batch(Array.from({ length: 240 }, (_, id) => update(id)))).toEqual(
    Array.from({ length: 240 }, () => 1),
  );
});

it.each([0, 99, 100, 170])(
  'the statement %i of a batch that fails is named, and none stays',
  async (at) => {
    const database = await openDatabase();
    const failing: readonly Statement[] = [
      { sql: 'INSERT INTO thing VALUES (?, NULL)', params: [1] },
      { sql: 'INSERT INTO nowhere VALUES (?)', params: [1] },
      { sql: 'SELECT ?', params: ['\ud800'] },
      { sql: 'COMMIT' },
    ];
    for (const statement of failing) {
      const statements = some(200).with(at, statement);
      await expect(database.batch(statements)).rejects.toThrow(statement.sql.slice(0, 19));
      expect(await database.query('SELECT id FROM thing')).toEqual([]);
    }
    expect(await database.batch(some(3))).toEqual([1, 1, 1]);
  },
);

it('closing ends the calls that still wait for a connection', async () => {
  const { storage, close } = await onPostgres();
  onTestFinished(close);
  const { database } = storage;
  await database.query('SELECT 1 AS one');
  // More than there are connections.
  const calls = Array.from({ length: 40 }, () => database.query('SELECT pg_sleep(0.05)'));
  const ended = Promise.allSettled(calls);
  await Promise.race(calls);
  await storage.close();
  const failed = (await ended).filter(({ status }) => status === 'rejected');
  expect(failed.length).toBeGreaterThan(0);
  for (const call of failed) expect(call).toMatchObject({ reason: { code: 'closed' } });
});
