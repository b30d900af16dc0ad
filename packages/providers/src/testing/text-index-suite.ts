import assert from 'node:assert/strict';
import type { Database } from '../storage/database.ts';
import { createTextIndex } from '../text/create-text-index.ts';
import { termTexts } from '../analysis/terms.ts';
import type { TextIndex, TextRow, TextSearchOptions } from '../text/text-index.ts';
import { wordAnalyzer } from '../analysis/word-analyzer.ts';
import { capCorpus, measureCapRecall } from './cap-recall.ts';
import {
  type ContractCase,
  declareSuite,
  rejectsWith,
  type SuiteOptions,
} from './contract-suite.ts';
import { textMatchCases } from './text-match-cases.ts';

const OPTIONS = {
  name: 'note_text',
  table: 'note',
  key: 'id',
  fields: { title: 2, body: 1 },
} as const;

const NOTES: readonly (readonly [title: string, body: string, kind: string])[] = [
  ['認証', 'JWTを使用し、トークンを検証する。', 'code'],
  ['ミドルウェア', 'authMiddleware を HTTPServer に追加した。', 'code'],
  ['吾輩は猫である', '名前はまだ無い。どこで生れたか頓と見当がつかぬ。', 'novel'],
  ['設定', 'サーバーの設定ファイルを ｻｰﾊﾞｰ ごとに分ける。', 'code'],
  ['Shopping', 'Buy café crème and crème brûlée 🐈', 'memo'],
  ['שלום', 'مرحبا بالعالم', 'memo'],
  ['snake', 'call parse_user_input before render', 'code'],
];

async function openNotes(database: Database): Promise<TextIndex> {
  await database.execute(
    'CREATE TABLE note (id BIGINT PRIMARY KEY, title TEXT, body TEXT, kind TEXT)',
  );
  const index = await createTextIndex(database, OPTIONS);
  await index.rebuild([]);
  for (const [row, [title, body, kind]] of NOTES.entries()) {
    await database.batch([
      { sql: 'INSERT INTO note VALUES (?, ?, ?, ?)', params: [row + 1, title, body, kind] },
      ...index.put({ id: row + 1, fields: { title, body } }),
    ]);
  }
  return index;
}

async function find(
  index: TextIndex,
  query: string,
  options?: TextSearchOptions,
): Promise<number[]> {
  return (await index.search(query, options)).map(({ id }) => id).toSorted((a, b) => a - b);
}

/** Queries, and the rows that every dialect must find. */
const EXPECTED: readonly (readonly [query: string, ids: readonly number[]])[] = [
  ['認証', [1]],
  ['JWT', [1]],
  ['jwt', [1]],
  ['ＪＷＴ', [1]],
  ['検証', [1]],
  ['middleware', [2]],
  ['authMiddleware', [2]],
  ['httpserver', [2]],
  ['server', [2]],
  ['猫', [3]],
  ['である', [3]],
  ['"名前はまだ"', [3]],
  ['"名前がまだ"', []],
  ['無', [3]],
  ['見当がつかない', [3]],
  ['サーバー', [4]],
  ['ｻｰﾊﾞｰ', [4]],
  ['認証の設定', [1, 4]],
  ['"crème brûlée"', [5]],
  ['"brûlée crème"', []],
  ['🐈', [5]],
  ['שלום', [6]],
  ['مرحبا', [6]],
  ['input', [7]],
  ['parse_user_input', [7]],
  ['parseUserInput', [7]],
  ['zebra', []],
  ['', []],
  ['!?*"(', []],
  ["'; DROP TABLE note; --", []],
];

/** The cases of a text index, run on a database. */
export const textIndexCases: readonly ContractCase<Database>[] = [
  {
    name: 'finds words, parts of identifiers, Japanese, and literal texts',
    async run(database) {
      const index = await openNotes(database);
      for (const [query, ids] of EXPECTED) assert.deepEqual(await find(index, query), ids, query);
    },
  },
  {
    name: 'ranks rows with more of the words, and with words in the title, first',
    async run(database) {
      const index = await openNotes(database);
      assert.equal((await index.search('設定 サーバー JWT'))[0]?.id, 4);
      await database.batch([
        { sql: "INSERT INTO note VALUES (8, '日記', '設定', 'memo')" },
        ...index.put({ id: 8, fields: { title: '日記', body: '設定' } }),
        { sql: "INSERT INTO note VALUES (9, '設定', '日記', 'memo')" },
        ...index.put({ id: 9, fields: { title: '設定', body: '日記' } }),
      ]);
      const hits = await index.search('設定', { where: { sql: "kind = 'memo'" } });
      assert.deepEqual(
        hits.map(({ id }) => id),
        [9, 8],
      );
    },
  },
  {
    name: 'asks for every word on request, and gives no more than the limit',
    async run(database) {
      const index = await openNotes(database);
      assert.deepEqual(await find(index, '認証 JWT', { match: 'all' }), [1]);
      assert.deepEqual(await find(index, '認証 middleware', { match: 'all' }), []);
      assert.deepEqual(await find(index, '認証 zebra', { match: 'all' }), []);
      assert.deepEqual(await find(index, '認証 middleware'), [1, 2]);
      assert.equal((await index.search('認証 middleware', { limit: 1 })).length, 1);
      assert.deepEqual(await index.search('認証', { limit: 0 }), []);
    },
  },
  {
    name: 'filters before it cuts off',
    async run(database) {
      const index = await openNotes(database);
      const where = { sql: 'kind = ? AND id > ?', params: ['code', 1] };
      assert.deepEqual(await find(index, '認証 設定 server', { where }), [2, 4]);
      assert.deepEqual(await find(index, '認証 設定', { where, cap: 1 }), [4]);
      assert.deepEqual(await find(index, '認証', { where }), []);
    },
  },
  {
    name: 'replaces and removes rows',
    async run(database) {
      const index = await openNotes(database);
      await database.batch(index.put({ id: 1, fields: { title: '許可', body: 'Kerberos' } }));
      assert.deepEqual(await find(index, '認証 JWT'), []);
      assert.deepEqual(await find(index, 'Kerberos'), [1]);
      await database.batch(index.remove(1));
      assert.deepEqual(await find(index, 'Kerberos'), []);
      await database.batch(index.remove(1));
    },
  },
  {
    name: 'adds a row that is new, which can be replaced and removed like the others',
    async run(database) {
      const index = await openNotes(database);
      const body = 'Kerberos 認証';
      await database.batch([
        { sql: 'INSERT INTO note VALUES (?, ?, ?, ?)', params: [9, '', body, 'memo'] },
        ...index.put({ id: 9, fields: { body }, isNew: true }),
      ]);
      assert.deepEqual(await find(index, 'Kerberos'), [9]);
      await database.batch(index.put({ id: 9, fields: { body: 'LDAP' } }));
      assert.deepEqual(await find(index, 'Kerberos'), []);
      assert.deepEqual(await find(index, 'LDAP'), [9]);
      await database.batch(index.remove(9));
      assert.deepEqual(await find(index, 'LDAP'), []);
    },
  },
  {
    name: 'takes terms that were found before, also next to a text',
    async run(database) {
      const index = await openNotes(database);
      const terms = {
        title: termTexts(index.analyzer, '認証 authMiddleware'),
        body: termTexts(index.analyzer, 'Kerberos realm'),
      };
      await database.batch([
        { sql: 'INSERT INTO note VALUES (?, ?, ?, ?)', params: [9, '', '', 'memo'] },
        ...index.put({ id: 9, fields: { body: 'ticket 猫' }, terms, isNew: true }),
      ]);
      assert.deepEqual(await find(index, 'Kerberos'), [9]);
      assert.deepEqual(await find(index, '"realm ticket"'), [9]);
      assert.deepEqual(await find(index, 'middleware'), [2, 9]);
      assert.deepEqual(await find(index, '猫'), [3, 9]);
      const unknown = { id: 9, fields: {}, terms: { text: terms.body } };
      assert.throws(() => index.put(unknown), { code: 'misuse' });
    },
  },
  {
    name: 'takes the number of a row from a query, and stays the same when optimized',
    async run(database) {
      const index = await openNotes(database);
      const id = { sql: 'SELECT max(id) FROM note WHERE id < ?', params: [2] };
      await database.batch(index.put({ id, fields: { title: '許可', body: 'Kerberos' } }));
      assert.deepEqual(await find(index, '認証 JWT'), []);
      await index.optimize();
      assert.deepEqual(await find(index, 'Kerberos'), [1]);
      await database.batch(index.remove(id));
      await index.optimize();
      assert.deepEqual(await find(index, 'Kerberos'), []);
      const some = { sql: 'SELECT id FROM note WHERE id > ? AND id < ?', params: [1, 4] };
      await database.batch(index.remove(some));
      assert.deepEqual(await index.check(), { missing: [1, 2, 3], extra: [] });
    },
  },
  {
    name: 'reports which rows the table and the index do not share',
    async run(database) {
      const index = await openNotes(database);
      assert.deepEqual(await index.check(), { missing: [], extra: [] });
      await database.batch([...index.remove(2), ...index.put({ id: 99, fields: {} })]);
      assert.deepEqual(await index.check(), { missing: [2], extra: [99] });
    },
  },
  {
    name: 'is written or taken back together with the row',
    async run(database) {
      const index = await openNotes(database);
      const failing = database.transaction(async (tx) => {
        for (const { sql, params } of index.put({ id: 1, fields: { body: '消える' } })) {
          await tx.execute(sql, params);
        }
        throw new Error('on purpose');
      });
      await assert.rejects(failing, /on purpose/);
      assert.deepEqual(await find(index, '消える'), []);
      assert.deepEqual(await find(index, 'JWT'), [1]);
    },
  },
  {
    name: 'says when it must be rebuilt, and is then complete',
    async run(database) {
      await openNotes(database);
      assert.equal((await createTextIndex(database, OPTIONS)).isStale, false);
      const analyzer = { ...wordAnalyzer(), id: 'another' };
      const other = await createTextIndex(database, { ...OPTIONS, analyzer });
      assert.equal(other.isStale, true);
      await rejectsWith('misuse', other.search('認証'));
      await other.rebuild(
        NOTES.map(([title, body], row) => ({ id: row + 1, fields: { title, body } })),
      );
      assert.equal(other.isStale, false);
      assert.deepEqual(await find(other, '認証 middleware'), [1, 2]);
      assert.equal((await createTextIndex(database, { ...OPTIONS, analyzer })).isStale, false);
    },
  },
  {
    name: 'finds words at the end of very long texts, and phrases anywhere',
    async run(database) {
      const index = await openNotes(database);
      const filler = Array.from({ length: 120_000 }, (_, word) => `filler${word % 5000}`).join(' ');
      const body = `${filler} 長文の終わりに needle があるのだ haystack`;
      assert.ok(Buffer.byteLength(body) > 1_048_576);
      await database.batch([
        { sql: "INSERT INTO note VALUES (10, '', '', '')" },
        ...index.put({ id: 10, fields: { body } }),
      ]);
      assert.deepEqual(await find(index, 'needle'), [10]);
      assert.deepEqual(await find(index, '"needle があるのだ haystack"'), [10]);
      assert.deepEqual(await find(index, 'filler1 needle', { match: 'all' }), [10]);
      for (const word of [1999, 2000, 2063, 4000]) {
        assert.deepEqual(await find(index, `"filler${word - 1} filler${word}"`), [10]);
      }
    },
  },
  {
    name: 'keeps nearly all of the best hits when it cuts off',
    async run(database) {
      const corpus = capCorpus(4000);
      await database.execute('CREATE TABLE note (id BIGINT PRIMARY KEY)');
      const index = await createTextIndex(database, { ...OPTIONS, fields: { body: 1 } });
      const values = corpus.rows.map(({ id }) => `(${id})`).join();
      await database.execute(`INSERT INTO note VALUES ${values}`);
      await index.rebuild(corpus.rows);
      const recall = await measureCapRecall(index, corpus.queries.slice(0, 20), { cap: 400 });
      assert.ok(recall >= 0.95, `recall at 10 of a cap of 400 in 4,000 rows: ${recall}`);
    },
  },
  {
    name: 'refuses to search an index whose rebuild did not end',
    async run(database) {
      const index = await openNotes(database);
      function* failing(): Generator<TextRow> {
        yield { id: 1, fields: { title: '認証' } };
        throw new Error('on purpose');
      }
      await assert.rejects(index.rebuild(failing()), /on purpose/);
      assert.equal(index.isStale, true);
      await rejectsWith('misuse', index.search('認証'));
    },
  },
  {
    name: 'refuses fields that it does not have, by name',
    async run(database) {
      const index = await openNotes(database);
      const fields = { title: 'x', boody: 'y', constructor: 'z' };
      await rejectsWith('misuse', () => index.put({ id: 1, fields }));
      await assert.rejects(
        async () => index.put({ id: 1, fields }),
        /no field 'boody', 'constructor'/,
      );
      await rejectsWith('misuse', index.rebuild([{ id: 1, fields }]));
    },
  },
  {
    name: 'refuses names that are not plain',
    async run(database) {
      await rejectsWith('misuse', createTextIndex(database, { ...OPTIONS, name: 'x; DROP' }));
      await rejectsWith('misuse', createTextIndex(database, { ...OPTIONS, table: 'a"b' }));
    },
  },
  ...textMatchCases,
];

/** Declares the tests of a text index on a database; see `testFileStore` for an example. */
export function testTextIndex(options: SuiteOptions<Database>): void {
  declareSuite('TextIndex', textIndexCases, options);
}
