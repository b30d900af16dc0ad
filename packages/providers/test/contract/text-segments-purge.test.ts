import { randomBytes } from 'node:crypto';
import { postgresStorage } from '@vizprompt/providers/postgres';
import { createTextIndex, type TextIndex } from '@vizprompt/providers/text';
import type { Database } from '@vizprompt/providers';
import { expect, inject, it, onTestFinished } from 'vitest';
import { moveFresh, settleSegments } from '../../src/text/segments/maintain-segments.ts';
import { mergeStep } from '../../src/text/segments/merge-steps.ts';
import { segmentTables } from '../../src/text/segments/segment-tables.ts';
import { findWordsInSchema } from '../support/find-words.ts';
import { dropNamespace, onPostgres } from '../support/subjects.ts';

const OPTIONS = { name: 'note_text', table: 'note', key: 'id', fields: { body: 1 } };
const TABLES = segmentTables('derived_note_text');
const NOW = { rows: 1, bytes: 1 };
/** More than a step writes that ends after its first page. */
const MANY_WORDS = Array.from({ length: 300 }, (_, at) => `x${at}`).join(' ');

async function openNotes(database: Database): Promise<TextIndex> {
  await database.execute('CREATE TABLE note (id BIGINT PRIMARY KEY, body TEXT)');
  const index = await createTextIndex(database, OPTIONS);
  await index.rebuild([]);
  return index;
}

function insertion(index: TextIndex, id: number, body: string): Parameters<Database['batch']>[0] {
  return [
    { sql: 'INSERT INTO note VALUES (?, ?)', params: [id, body] },
    ...index.put({ id, fields: { body }, isNew: true }),
  ];
}

async function idsOf(index: TextIndex, query: string): Promise<readonly number[]> {
  return [...(await index.match(query)).rows.keys()].toSorted((a, b) => a - b);
}

it('a purge leaves no term of rows that were removed from segments', async () => {
  const connectionString = inject('databaseUrl');
  const namespace = `test_${randomBytes(6).toString('hex')}`;
  const storage = await postgresStorage({ connectionString, namespace });
  onTestFinished(async () => {
    await storage.close();
    await dropNamespace(connectionString, namespace);
  });
  const { database } = storage;
  const index = await openNotes(database);
  const words = ['zyzzyvaword', '蜜柑'];
  // Rare ones in pages, and as many that they have blocks of their own.
  for (const [id, body] of [words.join(' '), 'bystander', 'zyzzyvaword '.repeat(2000)].entries()) {
    await database.batch(insertion(index, id, body));
    await settleSegments(database, TABLES, NOW);
  }
  await database.batch([
    { sql: 'DELETE FROM note WHERE id <> 1' },
    ...index.remove({ sql: 'SELECT CAST(v AS BIGINT) FROM (VALUES (0), (2)) AS old(v)' }),
  ]);
  expect(await idsOf(index, words.join(' '))).toEqual([]);
  expect(await findWordsInSchema(connectionString, [namespace], words)).not.toEqual([]);
  await database.purge?.();
  expect(await findWordsInSchema(connectionString, [namespace], words)).toEqual([]);
  const [left] = await database.query<{ pages: number; blocks: number; gone: number }>(
    `SELECT (SELECT count(*) FROM ${TABLES.page}) AS pages, (SELECT count(*) FROM ${TABLES.block}) AS blocks,
       (SELECT count(*) FROM ${TABLES.gone}) AS gone`,
  );
  expect(left).toEqual({ pages: 1, blocks: 0, gone: 0 });
  expect(await idsOf(index, 'bystander')).toEqual([1]);
});

it('a row that is put again after it was removed is found, and by its new words only', async () => {
  const { storage, close } = await onPostgres();
  onTestFinished(close);
  const { database } = storage;
  const index = await openNotes(database);
  await database.batch(insertion(index, 1, 'first'));
  for (const body of ['second', 'third', 'second']) {
    await settleSegments(database, TABLES, NOW);
    await database.batch(index.put({ id: 1, fields: { body } }));
  }
  await settleSegments(database, TABLES, NOW);
  expect(await idsOf(index, 'first third')).toEqual([]);
  expect(await idsOf(index, 'second')).toEqual([1]);
  await index.optimize();
  expect(await idsOf(index, 'first third')).toEqual([]);
  expect(await idsOf(index, 'second')).toEqual([1]);
});

it('a search begins again when its segments are merged while it reads', async () => {
  const { storage, close } = await onPostgres();
  onTestFinished(close);
  const { database } = storage;
  let meanwhile: (() => Promise<unknown>) | undefined;
  const watched: Database['query'] = async (sql, params) => {
    const run = meanwhile;
    if (run && sql.includes('AS given(')) {
      meanwhile = undefined;
      await run();
    }
    return database.query(sql, params);
  };
  const index = await openNotes({ ...database, query: watched });
  for (let from = 0; from < 9000; from += 4500) {
    const rows = Array.from({ length: 4500 }, (_, at) => insertion(index, from + at, 'common all'));
    await database.batch(rows.flat());
    await settleSegments(database, TABLES, NOW);
  }
  meanwhile = () => index.optimize();
  const { rows } = await index.match('"common all"', { cap: 8000 });
  expect(meanwhile).toBeUndefined();
  expect(rows.size).toBe(9000);
});

it('rows are in the index once when several callers settle them at the same time', async () => {
  const { storage, close } = await onPostgres();
  onTestFinished(close);
  const { database } = storage;
  const index = await openNotes(database);
  for (let round = 0; round < 3; round++) {
    const rows = Array.from({ length: 40 }, (_, at) => insertion(index, round * 40 + at, `w${at}`));
    await database.batch(rows.flat());
    await Promise.all([
      ...Array.from({ length: 4 }, () => settleSegments(database, TABLES, NOW)),
      ...[0, 1, 2].map((at) =>
        database.batch(index.put({ id: round * 40 + at, fields: { body: 'new' } })),
      ),
    ]);
  }
  expect(await idsOf(index, 'w7')).toEqual([7, 47, 87]);
  expect(await idsOf(index, '"w1"')).toEqual([]);
  expect(await idsOf(index, 'new')).toEqual([0, 1, 2, 40, 41, 42, 80, 81, 82]);
  await index.optimize();
  expect(await idsOf(index, '"w1"')).toEqual([]);
  expect(await index.check()).toEqual({ missing: [], extra: [] });
});

it('an index whose name begins with that of another one has tables of its own', async () => {
  const { storage, close } = await onPostgres();
  onTestFinished(close);
  const { database } = storage;
  const index = await openNotes(database);
  await database.batch(insertion(index, 1, 'cat'));
  const parts = [
    'id',
    'segment',
    'page',
    'block',
    'gone',
    'numbers',
    'fresh',
    '_fresh',
    '_gone',
    '_segment',
    'merge',
    '_merge',
  ];
  for (const part of parts) {
    const other = await createTextIndex(database, { ...OPTIONS, name: `note_text_${part}` });
    await other.rebuild([{ id: 1, fields: { body: 'dog' } }]);
    await index.optimize();
    await other.optimize();
    expect(await idsOf(other, 'dog')).toEqual([1]);
  }
  expect(await idsOf(index, 'cat')).toEqual([1]);
});

it('an index of a former version is replaced, and waits to be rebuilt', async () => {
  const { storage, close } = await onPostgres();
  onTestFinished(close);
  const { database } = storage;
  await openNotes(database);
  // As version 1 of the tables left it.
  await database.batch([
    ...Object.values(TABLES)
      .filter((table) => table !== TABLES.numbers)
      .map((table) => ({ sql: `DROP TABLE ${table}` })),
    { sql: `DROP SEQUENCE ${TABLES.numbers}` },
    {
      sql: `CREATE TABLE derived_note_text (
        id BIGINT NOT NULL, part BIGINT NOT NULL, terms TSVECTOR NOT NULL, PRIMARY KEY (id, part)
      )`,
    },
    { sql: "INSERT INTO derived_note_text VALUES (1, 0, '''cat'':1')" },
    { sql: "DELETE FROM vizprompt_migrations WHERE component = 'text_note_text' AND version > 1" },
  ]);
  const index = await createTextIndex(database, OPTIONS);
  expect(index.isStale).toBe(true);
  await database.execute("INSERT INTO note VALUES (1, 'cat')");
  // A process of that version that is still open.
  const former = "INSERT INTO derived_note_text VALUES (2, 0, '''dog'':1')";
  await expect(database.execute(former)).rejects.toThrow('derived_note_text');
  await index.rebuild([{ id: 1, fields: { body: 'cat' } }]);
  expect(await idsOf(index, 'cat')).toEqual([1]);
  expect((await createTextIndex(database, OPTIONS)).isStale).toBe(false);
});

it('merges of many large segments take several steps, in which searches find all', async () => {
  const { storage, close } = await onPostgres();
  onTestFinished(close);
  const { database } = storage;
  const index = await openNotes(database);
  const rows = 8 * 1500;
  for (let from = 0; from < rows; from += 1500) {
    const some = Array.from({ length: 1500 }, (_, at) => {
      return insertion(index, from + at, `common w${from + at} x${(from + at) % 700}`);
    });
    await database.batch(some.flat());
    await moveFresh(database, TABLES, NOW);
  }
  const count = async (): Promise<number> =>
    (await index.match('common', { cap: 2 * rows })).rows.size;
  let steps = 0;
  const size = { segments: 8, bytes: 50_000 };
  while (await database.transaction((tx) => mergeStep(tx, TABLES, size))) {
    steps++;
    expect(await count()).toBe(rows);
    expect(await idsOf(index, 'w1499')).toEqual([1499]);
  }
  expect(steps).toBeGreaterThan(4);
  const [left] = await database.query<{ segments: number; merges: number; docs: number }>(
    `SELECT count(*) AS segments, sum(docs) AS docs, (SELECT count(*) FROM ${TABLES.merge}) AS merges
     FROM ${TABLES.segment}`,
  );
  expect(left).toEqual({ segments: 1, docs: rows, merges: 0 });
  expect(await index.check()).toEqual({ missing: [], extra: [] });
});

it('a merge in progress is dropped when its segments were merged by a former version', async () => {
  const { storage, close } = await onPostgres();
  onTestFinished(close);
  const { database } = storage;
  const index = await openNotes(database);
  for (let id = 1; id <= 3; id++) {
    await database.batch(insertion(index, id, `cat ${MANY_WORDS}`));
    await moveFresh(database, TABLES, NOW);
  }
  const step = (): Promise<boolean> =>
    database.transaction((tx) => mergeStep(tx, TABLES, { segments: 2, bytes: 1 }));
  expect(await step()).toBe(true);
  expect(await database.query(`SELECT no FROM ${TABLES.merge}`)).toHaveLength(1);
  // As a removal of the segment by a process that does not know the table of merges.
  const [first] = await database.query<{ no: number }>(
    `SELECT min(no) AS no FROM ${TABLES.segment}`,
  );
  await database.execute(`UPDATE ${TABLES.segment} SET no = 1000000 WHERE no = ?`, [
    first?.no ?? 0,
  ]);
  await database.execute(`UPDATE ${TABLES.page} SET segment = 1000000 WHERE segment = ?`, [
    first?.no ?? 0,
  ]);
  while (await step());
  expect(await idsOf(index, 'cat')).toEqual([1, 2, 3]);
  expect(await index.check()).toEqual({ missing: [], extra: [] });
  const [orphans] = await database.query<{ count: number }>(
    `SELECT count(*) AS count FROM ${TABLES.page} WHERE segment NOT IN (SELECT no FROM ${TABLES.segment})`,
  );
  expect(orphans?.count).toBe(0);
});

it.for([true, false])(
  'writing the segments again leaves nothing of a merge in progress (with its table: %s)',
  async (hasTable) => {
    const { storage, close } = await onPostgres();
    onTestFinished(close);
    const { database } = storage;
    const index = await openNotes(database);
    for (let id = 1; id <= 2; id++) {
      await database.batch(insertion(index, id, `cat ${MANY_WORDS}`));
      await moveFresh(database, TABLES, NOW);
    }
    await database.transaction((tx) => mergeStep(tx, TABLES, { segments: 2, bytes: 1 }));
    const orphans = `SELECT segment FROM ${TABLES.page} WHERE segment NOT IN (SELECT no FROM ${TABLES.segment})`;
    expect(await database.query(orphans)).not.toEqual([]);
    if (!hasTable) await database.execute(`DROP TABLE ${TABLES.merge}`);
    await index.optimize();
    expect(await database.query(orphans)).toEqual([]);
    const again = await createTextIndex(database, OPTIONS);
    expect(await database.query(`SELECT no FROM ${TABLES.merge}`)).toEqual([]);
    expect(await idsOf(again, 'cat')).toEqual([1, 2]);
  },
);

it('an index of the version before merges in steps keeps its words', async () => {
  const { storage, close } = await onPostgres();
  onTestFinished(close);
  const { database } = storage;
  const former = await openNotes(database);
  await database.batch(insertion(former, 1, 'cat'));
  await database.execute(`DROP TABLE ${TABLES.merge}`);
  // No process has opened it since.
  await database.purge?.();
  const [index] = await Promise.all(
    Array.from({ length: 4 }, () => createTextIndex(database, OPTIONS)),
  );
  if (!index) throw new Error('no index');
  expect(index.isStale).toBe(false);
  expect(await database.query(`SELECT no FROM ${TABLES.merge}`)).toEqual([]);
  await settleSegments(database, TABLES, NOW);
  expect(await idsOf(index, 'cat')).toEqual([1]);
});
