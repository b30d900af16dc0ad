import { createTextIndex, type TextIndex } from '@vizprompt/providers/text';
import type { Database, SqlExecutor, Statement } from '@vizprompt/providers';
import { expect, it, onTestFinished } from 'vitest';
import { settleSegments } from '../../src/text/segments/maintain-segments.ts';
import { segmentTables } from '../../src/text/segments/segment-tables.ts';
import { onPostgres } from '../support/subjects.ts';

const OPTIONS = { name: 'note_text', table: 'note', key: 'id', fields: { body: 1 } };
const TABLES = segmentTables('derived_note_text');
const NOW = { rows: 1, bytes: 1 };
const READ_COMMITTED = { isolation: 'read-committed' } as const;

async function openNotes(): Promise<{ readonly database: Database; readonly index: TextIndex }> {
  const { storage, close } = await onPostgres();
  onTestFinished(close);
  const { database } = storage;
  await database.execute('CREATE TABLE note (id BIGINT PRIMARY KEY, body TEXT)');
  const index = await createTextIndex(database, OPTIONS);
  await index.rebuild([]);
  return { database, index };
}

async function idsOf(index: TextIndex, query: string): Promise<readonly number[]> {
  return [...(await index.match(query)).rows.keys()].toSorted((a, b) => a - b);
}

/** Runs other statements from when some have run, which are committed when `until` returns. */
async function during(
  database: Database,
  some: readonly Statement[],
  others: () => Promise<unknown>,
  until: (tx: SqlExecutor) => Promise<unknown> = waitedFor,
): Promise<void> {
  let transaction: Promise<void> | undefined;
  await new Promise<void>((resolve, reject) => {
    transaction = database.transaction(async (tx) => {
      for (const { sql, params } of some) await tx.execute(sql, params);
      resolve();
      await until(tx);
    }, READ_COMMITTED);
    transaction.catch(reject);
  });
  await Promise.all([transaction, others()]);
}

/** Returns when another transaction waits for this one. */
async function waitedFor(tx: SqlExecutor): Promise<void> {
  const waiting =
    'SELECT 1 AS found FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY(pg_blocking_pids(pid))';
  while ((await tx.query(waiting)).length === 0);
}

it.for([true, false])(
  'of two writers of a row at once one leaves its words (new: %s)',
  async (isNew) => {
    const { database, index } = await openNotes();
    const put = (body: string): readonly Statement[] =>
      index.put({ id: 1, fields: { body }, isNew });
    await during(database, put('first'), () => database.batch(put('second')));
    expect(await idsOf(index, 'first')).toEqual([]);
    expect(await idsOf(index, 'second')).toEqual([1]);
    await during(database, put('third'), () => database.batch(index.remove(1)));
    expect(await database.query(`SELECT id FROM ${TABLES.fresh}`)).toEqual([]);
    expect(await idsOf(index, 'third')).toEqual([]);
    await during(database, index.remove(1), () => database.batch(put('fourth')));
    expect(await idsOf(index, 'fourth')).toEqual([1]);
  },
);

it('a writer that waits for another one replaces its words after they were settled, too', async () => {
  const { database, index } = await openNotes();
  const put = (body: string): readonly Statement[] => index.put({ id: 1, fields: { body } });
  await database.batch(put('first'));
  await settleSegments(database, TABLES, NOW);
  for (const [body, next] of [
    ['second', 'third'],
    ['fourth', 'fifth'],
  ] as const) {
    await during(database, put(body), async () => {
      await Promise.all([database.batch(put(next)), settleSegments(database, TABLES, NOW)]);
    });
    await settleSegments(database, TABLES, NOW);
    expect(await idsOf(index, next)).toEqual([1]);
  }
  expect(await idsOf(index, 'first second third fourth')).toEqual([]);
});

it('settling does not wait for rows that are replaced', async () => {
  const { database, index } = await openNotes();
  const rows = [0, 1, 2, 3].map((id) => index.put({ id, fields: { body: 'old' }, isNew: true }));
  await database.batch(rows.flat());
  let settled = (): void => {};
  const isSettled = new Promise<void>((resolve) => (settled = resolve));
  await during(
    database,
    index.put({ id: 2, fields: { body: 'new' } }),
    async () => {
      await settleSegments(database, TABLES, { rows: 2, bytes: 1 << 20 });
      const fresh = await database.query(`SELECT id FROM ${TABLES.fresh} ORDER BY id`);
      settled();
      expect(fresh).toEqual([{ id: 2 }]);
      await database.batch(index.put({ id: 3, fields: { body: 'new' } }));
    },
    () => isSettled,
  );
  expect(await idsOf(index, 'old')).toEqual([0, 1]);
  expect(await idsOf(index, 'new')).toEqual([2, 3]);
});

it('removes nothing for a query without a number', async () => {
  const { database, index } = await openNotes();
  await database.batch(index.put({ id: 1, fields: { body: 'cat' }, isNew: true }));
  await settleSegments(database, TABLES, NOW);
  await database.batch(index.remove({ sql: 'SELECT max(id) FROM note' }));
  expect(await idsOf(index, 'cat')).toEqual([1]);
});

it('refuses a term that no segment can hold', async () => {
  const { database, index } = await openNotes();
  const long = (length: number): readonly Statement[] => {
    const terms = { body: { line: ['\u732b'.repeat(length)], extra: [] } };
    return index.put({ id: 1, fields: {}, terms, isNew: true });
  };
  expect(() => long(334)).toThrow(expect.objectContaining({ code: 'misuse' }));
  await database.batch(long(333));
  await settleSegments(database, TABLES, NOW);
  expect(await database.query(`SELECT docs FROM ${TABLES.segment}`)).toEqual([{ docs: 1 }]);
});

it('a check reports no row that is written while it reads', async () => {
  const { database, index } = await openNotes();
  const write = (id: number): readonly Statement[] => [
    { sql: 'INSERT INTO note VALUES (?, ?)', params: [id, 'cat'] },
    ...index.put({ id, fields: { body: 'cat' }, isNew: true }),
  ];
  await database.batch([...write(1), ...index.put({ id: 9, fields: { body: 'cat' } })]);
  await database.execute("INSERT INTO note VALUES (5, 'cat')");
  let meanwhile = true;
  const query: Database['query'] = async (sql, params) => {
    const found = await database.query<never>(sql, params);
    if (meanwhile && sql.endsWith('FROM note')) {
      meanwhile = false;
      await database.batch([
        ...write(2),
        ...index.remove(1),
        { sql: 'DELETE FROM note WHERE id = 1' },
      ]);
    }
    return found;
  };
  const other = await createTextIndex({ ...database, query }, OPTIONS);
  expect(await other.check()).toEqual({ missing: [5], extra: [9] });
  expect(meanwhile).toBe(false);
});

it('a search says that the index is busy if its segments are merged all the time', async () => {
  const { database, index } = await openNotes();
  const rows = Array.from({ length: 9000 }, (_, id) => {
    return index.put({ id, fields: { body: 'common all' }, isNew: true });
  });
  await database.batch([
    { sql: "INSERT INTO note SELECT no, 'cat' FROM generate_series(0, 8999) AS series(no)" },
    ...rows.flat(),
  ]);
  await index.optimize();
  const query: Database['query'] = async (sql, params) => {
    const found = await database.query<never>(sql, params);
    return sql.includes('AS given(') ? [] : found;
  };
  const other = await createTextIndex({ ...database, query }, OPTIONS);
  await expect(other.match('"common all"', { cap: 8000 })).rejects.toMatchObject({
    code: 'busy',
    message: expect.stringContaining("'note_text'"),
  });
});

it('a rebuild marks no rows as gone', async () => {
  const { database, index } = await openNotes();
  await index.rebuild(Array.from({ length: 1600 }, (_, id) => ({ id, fields: { body: 'cat' } })));
  expect(await database.query(`SELECT id FROM ${TABLES.gone} LIMIT 1`)).toEqual([]);
  expect(await database.query(`SELECT docs FROM ${TABLES.segment}`)).not.toEqual([]);
});

it('the first search of a process settles what a bulk load left, and does not read it', async () => {
  const { database, index } = await openNotes();
  const rows = Array.from({ length: 5000 }, (_, id) => {
    return index.put({ id, fields: { body: 'cat' }, isNew: true });
  });
  await database.batch([
    { sql: "INSERT INTO note SELECT no, 'cat' FROM generate_series(0, 4999) AS series(no)" },
    ...rows.flat(),
  ]);
  let mostRows = 0;
  const query: Database['query'] = async (sql, params) => {
    const found = await database.query<never>(sql, params);
    mostRows = Math.max(mostRows, found.length);
    return found;
  };
  const other = await createTextIndex({ ...database, query }, OPTIONS);
  expect(await idsOf(other, 'cat')).not.toEqual([]);
  expect(mostRows).toBeLessThan(1000);
  expect(await database.query(`SELECT id FROM ${TABLES.fresh}`)).toEqual([]);
});
