import assert from 'node:assert/strict';
import type { Database } from '../storage/database.ts';
import { createTextIndex } from '../text/create-text-index.ts';
import type { TextIndex, TextMatches, TextMatchOptions, TextRow } from '../text/text-index.ts';
import { type ContractCase, rejectsWith } from './contract-suite.ts';

const ROWS = 600;
const OPTIONS = { name: 'note_text', table: 'note', key: 'id', fields: { body: 1 } } as const;

/**
 * Row 300 has `rare` and `common`, every second row `common`, every third `frequent`, all have `all`, the
 * first 40 and the last one `once`, and the first 30 a word that is weak next to others.
 */
async function openRows(database: Database): Promise<TextIndex> {
  await database.execute('CREATE TABLE note (id BIGINT PRIMARY KEY, kind BIGINT)');
  const index = await createTextIndex(database, OPTIONS);
  await database.execute(`INSERT INTO note VALUES ${noteValues(1, ROWS)}`);
  await index.rebuild(rowsOfWords());
  return index;
}

/** Returns the values of some rows of the table, for one statement: a statement for each takes several times as long. */
function noteValues(first: number, last: number): string {
  const ids = Array.from({ length: last - first + 1 }, (_, place) => first + place);
  return ids.map((id) => `(${id}, ${id % 10})`).join();
}

function* rowsOfWords(): Generator<TextRow> {
  for (let id = 1; id <= ROWS; id++) {
    const words = ['all'];
    if (id % 2 === 0) words.push('common');
    if (id % 3 === 0) words.push('frequent');
    if (id === 300 || id === 301) words.push('rare');
    if (id <= 40 || id === ROWS) words.push('once');
    if (id <= 30) words.push('それ');
    const tags = [`k${id % 10}`, ...(id > ROWS - 100 ? ['late'] : [])];
    yield { id, fields: { body: words.join(' ') }, tags };
  }
}

/** Returns the query's words with which a row is found. */
async function wordsAt(
  index: TextIndex,
  query: string,
  id: number,
  options?: TextMatchOptions,
): Promise<readonly string[]> {
  const { rows } = await index.match(query, options);
  const bits = rows.get(id) ?? 0;
  return query.split(' ').filter((_, bit) => bits & (1 << bit));
}

const idsOf = ({ rows }: TextMatches): number[] => [...rows.keys()].toSorted((a, b) => a - b);

/** Cases for `TextIndex.match`, on every dialect. */
export const textMatchCases: readonly ContractCase<Database>[] = [
  {
    name: 'matches lists of words as one group each, after those of the query',
    async run(database) {
      const index = await openRows(database);
      const alternatives = [
        { of: 'rare', words: ['once', 'rare', 'none'] },
        { of: 'rare frequent', words: ['common frequent', 'frequent'] },
        { of: 'rare', words: ['rare'] },
      ];
      const tags = [['k0', 'k1']];
      const query = 'frequent rare';
      const { groups, rows } = await index.match(query, { alternatives, tags });
      // A list of nothing but words of the query is left out.
      assert.deepEqual(
        groups.map(({ count, alternativeTo }) => [count, alternativeTo]),
        [
          [40, undefined],
          [2, undefined],
          [9, [1]],
          [20, [1, 0]],
        ],
      );
      assert.equal(rows.get(300), 0b1011);
      assert.equal(rows.get(10), 0b0100);
      assert.equal(rows.get(600), 0b1101);
      // A list that too many rows match says nothing.
      const frequent = await index.match('rare', {
        alternatives: [{ of: 'rare', words: ['all'] }],
        cap: 300,
      });
      assert.deepEqual(idsOf(frequent), [300, 301]);
      assert.equal(frequent.groups[1]?.isComplete, false);
      // A long query keeps all its words.
      const others = 'bcdfg'
        .split('')
        .flatMap((first) => 'klmnpq'.split('').map((last) => `${first}o${last}`));
      const many = [...others, 'rare'].join(' ');
      const lists = ['once', 'frequent', 'common'].map((word) => ({ of: 'rare', words: [word] }));
      const long = await index.match(many, { alternatives: lists });
      assert.deepEqual(
        long.groups.slice(-2).map(({ count }) => count),
        [2, 41],
      );
    },
  },
  {
    name: 'reports which rows match which words, and how frequent these are',
    async run(database) {
      const index = await openRows(database);
      const matches = await index.match('rare common frequent none');
      assert.deepEqual(
        matches.groups.map(({ count, isComplete }) => [count, isComplete]),
        [
          [2, true],
          [300, true],
          [200, true],
          [0, true],
        ],
      );
      for (const [place, share] of [2 / 600, 1 / 2, 1 / 3, 0].entries()) {
        assert.ok(Math.abs((matches.groups[place]?.share ?? 1) - share) < 0.001);
      }
      assert.equal(matches.rows.size, 401);
      assert.equal(matches.rows.get(300), 0b0111);
      assert.equal(matches.rows.get(301), 0b0001);
      assert.equal(matches.rows.get(4), 0b0010);
      assert.equal((await index.match('')).rows.size, 0);
    },
  },
  {
    name: 'reports all words of the rows with rare ones, and the newest of the others, when it cuts off',
    async run(database) {
      const index = await openRows(database);
      const cut = { cap: 10 };
      assert.deepEqual(await wordsAt(index, 'rare common frequent', 300, cut), [
        'rare',
        'common',
        'frequent',
      ]);
      // Each row of a complete word is scanned: also the oldest of many.
      const few = await index.match('frequent common', { cap: 50 });
      for (const [id, bits] of few.rows) {
        if (bits & 0b01) assert.equal(Boolean(bits & 0b10), id % 2 === 0, `row ${id}`);
      }
      // Either word has few enough rows, but both together have too many: the rarer one chooses.
      const rarer = await index.match('common frequent', { cap: 70 });
      assert.deepEqual(
        rarer.groups.map(({ isComplete }) => isComplete),
        [false, true],
      );
      assert.equal(rarer.rows.size, 200);
      for (const [id, bits] of rarer.rows) assert.equal(bits, id % 2 === 0 ? 0b11 : 0b10);
      const matches = await index.match('common frequent', cut);
      const both = [...matches.rows].filter(([, bits]) => bits === 0b11).map(([id]) => id);
      const newest = Array.from({ length: 10 }, (_, place) => ROWS - 6 * place);
      for (const id of newest) assert.ok(both.includes(id), `row ${id} has both words`);
      for (const { isComplete, share } of matches.groups) {
        assert.equal(isComplete, false);
        assert.ok(share > 0.3 && share < 0.55, `share ${share}`);
      }
    },
  },
  {
    name: 'finds out that a word was more frequent than its newest rows make believe',
    async run(database) {
      const index = await openRows(database);
      const matches = await index.match('once', { cap: 4 });
      const [group] = matches.groups;
      assert.deepEqual(idsOf(matches), [38, 39, 40, ROWS]);
      assert.equal(group?.isComplete, false);
      assert.ok(group.share > 0.03 && group.share < 0.04, `a share of ${group.share}`);
    },
  },
  {
    name: 'answers the same when it remembers which words are frequent, until many rows are added',
    async run(database) {
      const index = await openRows(database);
      const cut = { cap: 10 };
      const share = async (query: string, options: TextMatchOptions): Promise<number> => {
        const [group] = (await index.match(query, options)).groups;
        assert.ok(group);
        return group.share;
      };
      await index.match('common frequent all', cut);
      const queries = ['common', 'common それ', 'all frequent', 'rare common それ', 'once all'];
      for (const query of queries) {
        const fresh = await createTextIndex(database, OPTIONS);
        assert.deepEqual(await index.match(query, cut), await fresh.match(query, cut), query);
      }
      assert.equal(await share('common', { ...cut, tags: [['k1']] }), 0);
      const where = { sql: 'id < ?', params: [201] };
      assert.equal(Math.max(...idsOf(await index.match('common', { ...cut, where }))), 200);
      assert.ok((await share('frequent', cut)) > 0.3);
      const more = Array.from({ length: ROWS }, (_, place) => ROWS + 1 + place);
      await database.batch([
        { sql: `INSERT INTO note VALUES ${noteValues(ROWS + 1, 2 * ROWS)}` },
        ...more.flatMap((id) => index.put({ id, fields: { body: 'new' }, isNew: true })),
      ]);
      assert.ok((await share('frequent', cut)) < 0.15);
    },
  },
  {
    name: 'matches only rows with one tag of each list, and those that a condition allows',
    async run(database) {
      const index = await openRows(database);
      const tags = [['k1', 'k2'], ['late']];
      const found = idsOf(await index.match('common', { tags }));
      assert.deepEqual(
        found,
        Array.from({ length: 10 }, (_, place) => 502 + 10 * place),
      );
      assert.deepEqual(idsOf(await index.match('common', { tags: [['k1']] })), []);
      assert.deepEqual(idsOf(await index.match('rare', { tags: [['none']] })), []);
      const where = { sql: 'kind = ? AND id < ?', params: [0, 31] };
      assert.deepEqual(idsOf(await index.match('common', { where })), [10, 20, 30]);
      const { groups } = await index.match('common', { tags: [['late']] });
      assert.ok(
        Math.abs((groups[0]?.share ?? 0) - 0.5) < 0.001,
        'the share is that within the tags',
      );
    },
  },
  {
    name: 'puts rows with a tag last where a word is frequent, and reports them where it is rare',
    async run(database) {
      const index = await openRows(database);
      const frequent = idsOf(await index.match('common', { cap: 20, last: 'late' }));
      assert.equal(Math.max(...frequent), ROWS - 100);
      assert.equal(frequent.length, 20);
      const rare = await index.match('rare', { last: 'k1' });
      assert.deepEqual([...rare.last], [301]);
    },
  },
  {
    name: 'puts rows together that have just been inserted, each with its own words and tags',
    async run(database) {
      const index = await openRows(database);
      const ids = {
        sql: 'SELECT id, id - ? AS place FROM note WHERE id > ?',
        params: [ROWS, ROWS],
      };
      const bodies = ['first "quoted"', 'second \\ back', '猫 {third}', ''];
      await database.batch([
        { sql: `INSERT INTO note VALUES ${noteValues(ROWS + 1, ROWS + bodies.length)}` },
        ...index.putNew({
          ids,
          rows: bodies.map((body, at) => ({ fields: { body }, tags: [`n${at}`, 'fresh'] })),
        }),
        ...index.putNew({ ids, rows: [] }),
      ]);
      for (const [at, query] of ['quoted', 'second', '猫'].entries()) {
        const found = idsOf(await index.match(query, { tags: [['fresh'], [`n${at}`]] }));
        assert.deepEqual(found, [ROWS + 1 + at], query);
      }
      assert.deepEqual(await index.check(), { missing: [], extra: [] });
      await rejectsWith('misuse', () => index.putNew({ ids, rows: [{ fields: { none: 'x' } }] }));
      await rejectsWith('misuse', () => index.putNew({ ids, rows: [{ fields: {}, tags: ['A'] }] }));
    },
  },
  {
    name: 'forgets the tags of a row that is replaced, and refuses what is no tag',
    async run(database) {
      const index = await openRows(database);
      await database.batch(index.put({ id: 2, fields: { body: 'other' }, tags: ['new'] }));
      assert.deepEqual(idsOf(await index.match('other', { tags: [['new']] })), [2]);
      assert.deepEqual(idsOf(await index.match('other', { tags: [['k2']] })), []);
      for (const tag of ['', 'Big', 'a b', "x'", 'x'.repeat(41)]) {
        await rejectsWith('misuse', () => index.put({ id: 1, fields: {}, tags: [tag] }));
        await rejectsWith('misuse', index.match('all', { tags: [[tag]] }));
      }
    },
  },
];
