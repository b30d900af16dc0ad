import { createTextIndex, type TextIndex } from '@vizprompt/providers/text';
import type { Database } from '@vizprompt/providers';
import { expect, it, onTestFinished } from 'vitest';
import { moveFresh, settleSegments } from '../../src/text/segments/maintain-segments.ts';
import { mergeStep } from '../../src/text/segments/merge-steps.ts';
import { segmentTables } from '../../src/text/segments/segment-tables.ts';
import { onPostgres } from '../support/subjects.ts';

const OPTIONS = { name: 'note_text', table: 'note', key: 'id', fields: { body: 1 } };
const TABLES = segmentTables('derived_note_text');
const NOW = { rows: 1, bytes: 1 };

async function openNotes(): Promise<{ readonly database: Database; readonly index: TextIndex }> {
  const { storage, close } = await onPostgres();
  onTestFinished(close);
  const { database } = storage;
  await database.execute('CREATE TABLE note (id BIGINT PRIMARY KEY, body TEXT)');
  const index = await createTextIndex(database, OPTIONS);
  await index.rebuild([]);
  return { database, index };
}

it('merges do not fall behind a bulk load', async () => {
  const { database, index } = await openNotes();
  const size = { segments: 8, bytes: 2048 };
  const batches = 24;
  for (let batch = 0; batch < batches; batch++) {
    const rows = Array.from({ length: 10 }, (_, at) => {
      const id = batch * 10 + at;
      const words = Array.from({ length: 60 }, (_ignored, word) => `w${id}x${word}`);
      return index.put({ id, fields: { body: words.join(' ') }, isNew: true });
    });
    await database.batch(rows.flat());
    await settleSegments(database, TABLES, NOW, size);
  }
  const [left] = await database.query<{ segments: number; docs: number }>(
    `SELECT count(*) AS segments, sum(docs) AS docs FROM ${TABLES.segment}`,
  );
  expect(left?.docs).toBe(batches * 10);
  // Those of a merge in progress, and those that were merged or are not many yet.
  expect(left?.segments).toBeLessThan(12);
});

it('a search during a merge takes no more statements, and counts no posting twice', async () => {
  const { database, index } = await openNotes();
  const rows = 8 * 3000;
  await database.execute(
    `INSERT INTO note SELECT no, '' FROM generate_series(0, ${rows - 1}) AS series(no)`,
  );
  for (let from = 0; from < rows; from += 3000) {
    const some = Array.from({ length: 3000 }, (_, at) => {
      return index.put({ id: from + at, fields: { body: 'common shared' }, isNew: true });
    });
    await database.batch(some.flat());
    await moveFresh(database, TABLES, NOW);
  }
  const used: number[] = [];
  const query: Database['query'] = async (sql, params) => {
    const found = await database.query<never>(sql, params);
    used[0] = (used[0] ?? 0) + 1;
    return found;
  };
  const counted = await createTextIndex({ ...database, query }, OPTIONS);
  const statements = async (text: string, cap: number): Promise<number> => {
    used[0] = 0;
    expect((await counted.match(text, { cap })).rows.size).toBeGreaterThanOrEqual(cap);
    return used[0];
  };
  await statements('common', 1);
  const cases = [
    ['common', 500],
    ['common shared', 50],
    ['common shared', 500],
  ] as const;
  const all = async (): Promise<readonly number[]> => {
    const found: number[] = [];
    for (const [text, cap] of cases) found.push(await statements(text, cap));
    return found;
  };
  const before = await all();
  const step = (): Promise<boolean> =>
    database.transaction((tx) => mergeStep(tx, TABLES, { segments: 8, bytes: 1 }));
  const blocks = `SELECT DISTINCT term FROM ${TABLES.block} WHERE segment NOT IN (SELECT no FROM ${TABLES.segment})`;
  while ((await database.query(blocks)).length < 2) expect(await step()).toBe(true);
  expect(await all()).toEqual(before);
  while (await step()) expect(await all()).toEqual(before);
});
