import { sqliteDatabase } from '@vizprompt/providers/node';
import { createTextIndex, type TextIndex, type TextMatches } from '@vizprompt/providers/text';
import type { Database } from '@vizprompt/providers';
import fc from 'fast-check';
import { expect, it, onTestFinished } from 'vitest';
import { fuzzSeed, runs } from '../support/fuzz.ts';
import { onPostgres } from '../support/subjects.ts';

const WORDS = ['猫', '認証', '名前はまだ', 'server', 'parse_user_input', 'the', 'cafe', '灯台守'];
/** More terms than one part of a row takes. */
const LONG = Array.from({ length: 2100 }, (_, at) => `w${at}`).join(' ');

const sentence = fc
  .array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 4 })
  .map((words) => words.join(' '));
const row = fc.record({
  // Numbers far apart, so that a few rows fill all windows.
  gap: fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 60_000 })),
  body: sentence,
  after: fc.option(sentence, { nil: undefined }),
  isLong: fc.integer({ max: 15 }).map((number) => number === 0),
  tags: fc.subarray(['a', 'b']),
});
const query = fc.record({
  text: fc.oneof(
    sentence,
    sentence.map((text) => `"${text}"`),
    fc.constant('の 猫'),
  ),
  cap: fc.constantFrom(2, 5, 500),
  tags: fc.constantFrom(undefined, [['a']], [['a', 'b']], [['a'], ['b']]),
  last: fc.constantFrom(undefined, 'b'),
  where: fc.constantFrom(undefined, { sql: 'id % ? = 0', params: [2] }),
});

async function openNotes(database: Database): Promise<TextIndex> {
  await database.execute('CREATE TABLE note (id BIGINT PRIMARY KEY, body TEXT)');
  const index = await createTextIndex(database, {
    name: 'note_text',
    table: 'note',
    key: 'id',
    fields: { body: 1 },
  });
  await index.rebuild([]);
  return index;
}

/** Returns matches in an order that does not depend on how rows were found. */
function inOrder({ groups, rows, last }: TextMatches): unknown {
  const sorted = [...rows].toSorted(([a], [b]) => a - b);
  return { groups, rows: sorted, last: [...last].toSorted((a, b) => a - b) };
}

it('of rows that are put by a query, both dialects leave out those whose place it does not give', async () => {
  const { storage, close } = await onPostgres();
  onTestFinished(close);
  const sqlite = sqliteDatabase({ path: ':memory:' });
  onTestFinished(() => sqlite.close());
  for (const database of [sqlite, storage.database]) {
    const index = await openNotes(database);
    const rows = ['lamp', 'ghost', 'tower'].map((body) => ({ fields: { body } }));
    const sql = 'SELECT id, CASE id WHEN ? THEN 1 ELSE 3 END AS place FROM note';
    await database.batch([
      { sql: `INSERT INTO note VALUES (500000, 'lamp'), (7, 'tower')` },
      ...index.putNew({ ids: { sql, params: [500_000] }, rows }),
    ]);
    const found = await Promise.all(['lamp', 'ghost', 'tower'].map((word) => index.search(word)));
    expect(found.map((hits) => hits.map(({ id }) => id))).toEqual([[500_000], [], [7]]);
    expect(await index.check()).toEqual({ missing: [], extra: [] });
  }
});

it('both dialects list the same rows, old and new, long and short', async () => {
  const { storage, close } = await onPostgres();
  onTestFinished(close);
  const sqlite = sqliteDatabase({ path: ':memory:' });
  onTestFinished(() => sqlite.close());
  const databases = [sqlite, storage.database];
  const indexes = [await openNotes(sqlite), await openNotes(storage.database)];
  await fc.assert(
    fc.asyncProperty(
      fc.array(row, { minLength: 1, maxLength: 60 }),
      fc.array(query, { minLength: 4, maxLength: 8 }),
      async (rows, queries) => {
        for (const [at, index] of indexes.entries()) {
          const database = databases[at];
          await database?.batch([
            ...index.remove({ sql: 'SELECT id FROM note' }),
            { sql: 'DELETE FROM note' },
          ]);
          let id = 0;
          const statements = rows.flatMap(({ gap, body, after = '', isLong, tags }) => {
            id += gap;
            const text = `${body} ${isLong ? LONG : ''} ${after}`;
            return [
              { sql: 'INSERT INTO note VALUES (?, ?)', params: [id, text] },
              ...index.put({ id, fields: { body: text }, tags, isNew: true }),
            ];
          });
          await database?.batch(statements);
        }
        for (const { text, ...options } of queries) {
          const [expected, found] = await Promise.all(
            indexes.map(async (index) => inOrder(await index.match(text, options))),
          );
          expect({ text, options, found }).toEqual({ text, options, found: expected });
        }
      },
    ),
    { numRuns: runs(40), ...(fuzzSeed === undefined ? {} : { seed: fuzzSeed }) },
  );
});

it('a match takes few statements on PostgreSQL, however many words it has', async () => {
  const { storage, close } = await onPostgres();
  onTestFinished(close);
  const { database } = storage;
  let count = 0;
  const counted: Database['query'] = (sql, params) => {
    count++;
    return database.query(sql, params);
  };
  const index = await openNotes({ ...database, query: counted });
  const words = Array.from({ length: 24 }, (_, at) => `word${at}`);
  const rows = Array.from({ length: 300 }, (_, id) => {
    const body = words.filter((_word, at) => id % (at + 1) === 0).join(' ');
    return [
      { sql: 'INSERT INTO note VALUES (?, ?)', params: [id, ''] },
      ...index.put({ id, fields: { body: `${body} the` }, tags: ['a'], isNew: true }),
    ];
  });
  await database.batch(rows.flat());
  const counts: Record<string, number> = {};
  for (const text of [
    'word3',
    words.join(' '),
    `the ${words.slice(5).join(' ')}`,
    'the',
    'zebra',
  ]) {
    for (const cap of [3, 40, 500]) {
      for (const tags of [undefined, [['a']]]) {
        count = 0;
        await index.match(text, { cap, tags, last: 'b' });
        counts[`${text.slice(0, 8)}, ${text.length}, ${cap}, ${tags?.length ?? 0}`] = count;
      }
    }
  }
  // The newest number, the newest rows, all of the rarest, those that were not so rare, and up to four where all are
  // frequent.
  expect(Object.entries(counts).filter(([, most]) => most > 8)).toEqual([]);
});

it('a match on PostgreSQL takes a filter of thousands of parameters, with any number of words', async () => {
  const { storage, close } = await onPostgres();
  onTestFinished(close);
  const index = await openNotes(storage.database);
  const words = Array.from({ length: 16 }, (_, at) => String.fromCodePoint(97 + at).repeat(4));
  const rows = Array.from({ length: 20 }, (_, id) => [
    { sql: 'INSERT INTO note VALUES (?, ?)', params: [id, ''] },
    ...index.put({ id, fields: { body: words.join(' ') }, isNew: true }),
  ]);
  await storage.database.batch(rows.flat());
  for (const count of [1000, 2500, 7500, 7501, 30_000]) {
    // Two of the twenty rows are in scope: the first and the last parameter.
    const params = Array.from({ length: count }, (_, at) =>
      at === 0 ? 3 : at === count - 1 ? 17 : 1000 + at,
    );
    const where = { sql: `id IN (${params.map(() => '?').join(', ')})`, params };
    const { rows: found } = await index.match(words.join(' '), { where });
    expect([...found].toSorted(([a], [b]) => a - b)).toEqual([
      [3, 2 ** 16 - 1],
      [17, 2 ** 16 - 1],
    ]);
  }
});

it('a cap may be none or Infinity, in both dialects', async () => {
  const { storage, close } = await onPostgres();
  onTestFinished(close);
  const sqlite = sqliteDatabase({ path: ':memory:' });
  onTestFinished(() => sqlite.close());
  for (const database of [sqlite, storage.database]) {
    const index = await openNotes(database);
    await database.batch([
      { sql: 'INSERT INTO note VALUES (1, ?)', params: [''] },
      ...index.put({ id: 1, fields: { body: 'cat' }, isNew: true }),
    ]);
    expect([...(await index.match('cat', { cap: Infinity })).rows.keys()]).toEqual([1]);
    expect(await index.search('cat', { cap: Infinity })).toMatchObject([{ id: 1 }]);
    await index.match('cat', { cap: 0 });
    await index.search('cat', { cap: 0 });
    for (const cap of [-1, 1.5, Number.NaN, -Infinity]) {
      await expect(index.match('cat', { cap })).rejects.toMatchObject({ code: 'invalid-input' });
    }
  }
});

it('finds all rows of a frequent word while another search learns of a newer one', async () => {
  const sqlite = sqliteDatabase({ path: ':memory:' });
  onTestFinished(() => sqlite.close());
  let meanwhile: (() => Promise<unknown>) | undefined;
  const delayed: Database['query'] = async (sql, params) => {
    const run = meanwhile;
    if (run && sql.includes('group_concat')) {
      meanwhile = undefined;
      await run();
    }
    return sqlite.query(sql, params);
  };
  const index = await openNotes({ ...sqlite, query: delayed });
  const add = (id: number): Promise<unknown> =>
    sqlite.batch([
      { sql: 'INSERT INTO note VALUES (?, ?)', params: [id, ''] },
      ...index.put({ id, fields: { body: 'common' }, isNew: true }),
    ]);
  for (let id = 1; id <= 120; id++) await add(id);
  const asked = 'common zzaa zzbb zzcc';
  const options = { cap: 10 };
  await index.match('common', options);
  const { size } = (await index.match(asked, options)).rows;
  expect(size).toBeGreaterThan(0);
  meanwhile = async () => {
    await add(121);
    await index.match('common', options);
  };
  expect((await index.match(asked, options)).rows.size).toBe(size);
  expect(meanwhile).toBeUndefined();
});
