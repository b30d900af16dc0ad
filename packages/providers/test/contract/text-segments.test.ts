import { sqliteDatabase } from '@vizprompt/providers/node';
import { createTextIndex, type TextIndex } from '@vizprompt/providers/text';
import type { Database } from '@vizprompt/providers';
import fc from 'fast-check';
import { expect, it, onTestFinished } from 'vitest';
import { settleSegments } from '../../src/text/segments/maintain-segments.ts';
import { mergeStep } from '../../src/text/segments/merge-steps.ts';
import { segmentTables } from '../../src/text/segments/segment-tables.ts';
import { fuzzSeed, runs } from '../support/fuzz.ts';
import { onPostgres } from '../support/subjects.ts';

const TABLES = segmentTables('derived_note_text');
const WORDS = [
  '猫',
  '認証機能',
  '名前はまだ',
  'server',
  'parse_user_input',
  'the',
  'café',
  '灯台守',
  '😀',
];

const body = fc
  .array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 5 })
  .map((words) => words.join(' '));
/** Numbers of rows, some of them in a span of their own. */
const id = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: 1, max: 40 }) },
  { weight: 1, arbitrary: fc.integer({ min: 2 ** 31 - 2, max: 2 ** 31 + 2 }) },
);
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ put: id, body }) },
  { weight: 2, arbitrary: fc.record({ remove: id }) },
  { weight: 2, arbitrary: fc.record({ settle: fc.constant(true) }) },
  { weight: 3, arbitrary: fc.record({ merge: fc.integer({ min: 1, max: 300 }) }) },
  { weight: 1, arbitrary: fc.record({ optimize: fc.constant(true) }) },
);
const query = fc.record({
  text: fc.oneof(
    body,
    body.map((text) => `"${text}"`),
    fc.constantFrom('認', '認証', 'は', '機能の猫'),
  ),
  cap: fc.constantFrom(2, 5, 500),
  where: fc.constantFrom(undefined, { sql: 'id % ? = 0', params: [2] }),
});

async function openNotes(database: Database): Promise<TextIndex> {
  await database.execute('CREATE TABLE note (id BIGINT PRIMARY KEY, body TEXT)');
  const options = { name: 'note_text', table: 'note', key: 'id', fields: { body: 1 } };
  const index = await createTextIndex(database, options);
  await index.rebuild([]);
  return index;
}

it('finds the same as SQLite while rows are put, removed, settled and merged', async () => {
  const { storage, close } = await onPostgres();
  onTestFinished(close);
  const sqlite = sqliteDatabase({ path: ':memory:' });
  onTestFinished(() => sqlite.close());
  const sides = [sqlite, storage.database];
  const indexes = [await openNotes(sqlite), await openNotes(storage.database)];
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 1, maxLength: 60 }),
      fc.array(query, { minLength: 3, maxLength: 6 }),
      async (steps, queries) => {
        for (const [at, index] of indexes.entries()) {
          const database = sides[at];
          await database?.batch([
            ...index.remove({ sql: 'SELECT id FROM note' }),
            { sql: 'DELETE FROM note' },
          ]);
        }
        for (const one of steps) {
          for (const [at, index] of indexes.entries()) {
            const database = sides[at];
            if ('put' in one) {
              const sql = `INSERT INTO note VALUES (?, ?)
                ON CONFLICT (id) DO UPDATE SET body = excluded.body`;
              await database?.batch([
                { sql, params: [one.put, one.body] },
                ...index.put({ id: one.put, fields: { body: one.body } }),
              ]);
            } else if ('remove' in one) {
              await database?.batch([
                { sql: 'DELETE FROM note WHERE id = ?', params: [one.remove] },
                ...index.remove(one.remove),
              ]);
            } else if ('optimize' in one) await index.optimize();
          }
          if ('settle' in one)
            await settleSegments(storage.database, TABLES, { rows: 1, bytes: 1 });
          if ('merge' in one) {
            // Steps of a few terms, so that rows are put and removed while a merge is in progress.
            const size = { segments: 2, bytes: one.merge };
            await storage.database.transaction((tx) => mergeStep(tx, TABLES, size));
          }
        }
        for (const { text, ...options } of queries) {
          const [expected, found] = await Promise.all(
            indexes.map(async (index) => {
              const { groups, rows, last } = await index.match(text, options);
              return { groups, rows: [...rows].toSorted(([a], [b]) => a - b), last };
            }),
          );
          expect({ text, options, found }).toEqual({ text, options, found: expected });
          const [ids, others] = await Promise.all(
            indexes.map(async (index) => {
              return (await index.search(text, options))
                .map((hit) => hit.id)
                .toSorted((a, b) => a - b);
            }),
          );
          expect({ text, others }).toEqual({ text, others: ids });
        }
        expect(await indexes[1]?.check()).toEqual({ missing: [], extra: [] });
      },
    ),
    { numRuns: runs(30), ...(fuzzSeed === undefined ? {} : { seed: fuzzSeed }) },
  );
});
