import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../storage/database.ts';
import {
  type ContractCase,
  declareSuite,
  difficultTexts,
  rejectsWith,
  type SuiteOptions,
} from './contract-suite.ts';
import { migrationCases } from './migration-cases.ts';

const BYTES = { sqlite: 'BLOB', postgres: 'BYTEA' } as const;

async function makeTable(database: Database): Promise<void> {
  await database.execute(
    'CREATE TABLE thing (id BIGINT PRIMARY KEY, label TEXT NOT NULL, size BIGINT)',
  );
}

async function countThings(database: Database): Promise<number> {
  const [row] = await database.query<{ n: number }>('SELECT count(*) AS n FROM thing');
  return row?.n ?? 0;
}

const insert = 'INSERT INTO thing (id, label) VALUES (?, ?)';

/** Enough calls to stop the process if none of them gave timers their turn. */
const MANY_CALLS = 50_000;

/**
 * Fails if no timer of the process fires during a loop of awaited calls; ends when two have.
 *
 * @returns How many calls there were.
 */
async function assertTimersFire(call: (index: number) => Promise<unknown>): Promise<number> {
  let fired = 0;
  const timer = setInterval(() => fired++, 1);
  try {
    let calls = 0;
    for (; calls < MANY_CALLS; calls++) {
      if (fired > 1) break;
      await call(calls);
    }
    assert.ok(fired > 1, `a timer of 1 ms fired ${fired} times during ${calls} awaited calls`);
    return calls;
  } finally {
    clearInterval(timer);
  }
}

/**
 * Does some work of another task while a transaction is open that has inserted row 1. The transaction then
 * runs a last statement; if that fails, all of it is taken back.
 */
async function duringTransaction<T>(
  database: Database,
  last: string,
  work: () => Promise<T>,
): Promise<T> {
  let begin = (): void => undefined;
  const begun = new Promise<void>((resolve) => (begin = resolve));
  const open = database.transaction(async (tx) => {
    await tx.execute(insert, [1, 'x']);
    begin();
    // Some databases answer during the transaction, others when it has ended.
    await sleep(30);
    await tx.execute(last);
  });
  const [result] = await Promise.all([begun.then(work), open.catch(() => undefined)]);
  return result;
}

/** The cases of the `Database` contract. */
export const databaseCases: readonly ContractCase<Database>[] = [
  {
    name: 'lets timers fire during loops of awaited writes, reads and transactions',
    async run(database) {
      await makeTable(database);
      const rows = await assertTimersFire((id) => database.execute(insert, [id, 'x']));
      await assertTimersFire(() => database.query('SELECT label FROM thing WHERE id = 7'));
      await database.transaction((tx) =>
        assertTimersFire(() => tx.query('SELECT label FROM thing WHERE id = 7')),
      );
      assert.equal(await countThings(database), rows);
    },
  },
  {
    name: 'reads back every kind of value',
    async run(database) {
      await database.execute(
        `CREATE TABLE kinds (t TEXT, i BIGINT, d DOUBLE PRECISION, b ${BYTES[database.dialect]})`,
      );
      const big = 2n ** 62n;
      const bytes = Uint8Array.from({ length: 256 }, (_, byte) => byte);
      for (const params of [
        ['日本語', 42, 0.1, bytes],
        ['', -1, 1e300, new Uint8Array()],
        [null, big, null, null],
        ['x', Number.MAX_SAFE_INTEGER, -0.5, null],
        ['x', true, 2.5, null],
      ]) {
        await database.execute('DELETE FROM kinds');
        await database.execute('INSERT INTO kinds VALUES (?, ?, ?, ?)', params);
        const [row] = await database.query('SELECT t, i, d, b FROM kinds');
        const expected = params.map((value) => (value === true ? 1 : value));
        assert.deepEqual([row?.['t'], row?.['i'], row?.['d']], expected.slice(0, 3));
        const stored = row?.['b'];
        const hex = (value: unknown): unknown =>
          value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value;
        assert.equal(hex(stored), hex(expected[3]));
      }
    },
  },
  {
    name: 'keeps texts and JSON verbatim',
    async run(database) {
      await makeTable(database);
      const json = '{"b" : 1,\n"a":[1.0, 1e2], "nul":"\\u0000\\ud800"}';
      for (const [id, text] of [...difficultTexts, json].entries()) {
        await database.execute(insert, [id, text]);
        const [row] = await database.query<{ label: string }>(
          'SELECT label FROM thing WHERE id = ?',
          [id],
        );
        assert.equal(row?.label, text);
        const found = await database.query('SELECT id FROM thing WHERE label = ?', [text]);
        assert.equal(found.length, 1);
      }
    },
  },
  {
    name: 'refuses text that some dialect would alter, and what is no value',
    async run(database) {
      await makeTable(database);
      await rejectsWith('invalid-text', database.execute(insert, [1, 'a\0b']));
      await rejectsWith('invalid-text', database.execute(insert, [1, 'a\ud800']));
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as JavaScript may call it
      await rejectsWith('misuse', database.execute(insert, [1, undefined as unknown as null]));
      await rejectsWith('misuse', database.execute(insert, [Number.NaN, 'x']));
      assert.equal(await countThings(database), 0);
    },
  },
  {
    name: 'takes a question mark within text for text',
    async run(database) {
      const sql = `SELECT '?' AS a, 'it''s ?' AS b, ? AS c -- really?\n/* ? */`;
      const [row] = await database.query(sql, ['C']);
      assert.deepEqual([row?.['a'], row?.['b'], row?.['c']], ['?', "it's ?", 'C']);
    },
  },
  {
    name: 'counts changed rows, and gives rows back from a change',
    async run(database) {
      await makeTable(database);
      assert.deepEqual(await database.execute(insert, [1, 'a']), { changes: 1 });
      await database.execute(insert, [2, 'b']);
      assert.deepEqual(await database.execute('UPDATE thing SET size = 7'), { changes: 2 });
      assert.deepEqual(await database.execute('SELECT id FROM thing'), { changes: 0 });
      const update = 'UPDATE thing SET size = 8 RETURNING id';
      assert.deepEqual(await database.execute(update), { changes: 2 });
      assert.deepEqual(await database.batch([{ sql: 'SELECT 1' }, { sql: update }]), [0, 2]);
      const rows = await database.query<{ id: number }>(
        'DELETE FROM thing WHERE id = ? RETURNING id',
        [2],
      );
      assert.deepEqual(
        rows.map(({ id }) => id),
        [2],
      );
      assert.equal(await countThings(database), 1);
    },
  },
  {
    name: 'runs a batch whole or not at all',
    async run(database) {
      await makeTable(database);
      const good = [1, 2].map((id) => ({ sql: insert, params: [id, 'x'] }));
      assert.deepEqual(await database.batch(good), [1, 1]);
      const bad = [3, 4, 1].map((id) => ({ sql: insert, params: [id, 'x'] }));
      await rejectsWith('constraint', database.batch(bad));
      assert.equal(await countThings(database), 2);
      await rejectsWith('constraint', database.batchRows(bad));
      assert.equal(await countThings(database), 2);
      assert.deepEqual(await database.batch([]), []);
    },
  },
  {
    name: 'gives the rows of each statement of a batch',
    async run(database) {
      await makeTable(database);
      const sql = 'UPDATE thing SET size = 9 RETURNING id, label';
      const rows = await database.batchRows([
        { sql: insert, params: [1, '猫'] },
        { sql },
        { sql: 'SELECT id FROM thing WHERE id = ?', params: [5] },
      ]);
      assert.deepEqual(
        rows.map((all) => all.map((row) => ({ ...row }))),
        [[], [{ id: 1, label: '猫' }], []],
      );
      assert.deepEqual(await database.batchRows([]), []);
    },
  },
  {
    name: 'commits a transaction that resolves, and takes back one that rejects',
    async run(database) {
      await makeTable(database);
      const result = await database.transaction(async (tx) => {
        await tx.execute(insert, [1, 'kept']);
        const [row] = await tx.query<{ label: string }>('SELECT label FROM thing');
        return row?.label;
      });
      assert.equal(result, 'kept');
      const failing = database.transaction(async (tx) => {
        await tx.execute(insert, [2, 'gone']);
        throw new Error('on purpose');
      });
      await assert.rejects(failing, /on purpose/);
      assert.equal(await countThings(database), 1);
    },
  },
  {
    name: 'hides an open transaction from all others',
    async run(database) {
      await makeTable(database);
      const counts = await duringTransaction(database, 'DELETE FROM thing WHERE id = 1', () =>
        countThings(database),
      );
      assert.equal(counts, 0);
    },
  },
  {
    name: "keeps an acknowledged row when another task's transaction is taken back",
    async run(database) {
      await makeTable(database);
      const failing = 'INSERT INTO thing (id) VALUES (1)';
      await duringTransaction(database, failing, () =>
        database.execute(insert, [2, 'acknowledged']),
      );
      const rows = await database.query<{ id: number }>('SELECT id FROM thing');
      assert.deepEqual(
        rows.map(({ id }) => id),
        [2],
      );
    },
  },
  {
    name: 'refuses the database itself within a transaction, and does not wait for ever',
    async run(database) {
      await makeTable(database);
      const uses: (() => Promise<unknown>)[] = [
        () => database.execute(insert, [9, 'x']),
        () => database.query('SELECT 1 AS one'),
        () => database.batch([{ sql: insert, params: [9, 'x'] }]),
        () => database.transaction(async () => undefined),
      ];
      for (const use of uses)
        await rejectsWith(
          'misuse',
          database.transaction(() => use()),
        );
      assert.equal(await countThings(database), 0);
    },
  },
  {
    name: 'refuses the executor of a transaction that has ended',
    async run(database) {
      await makeTable(database);
      const tx = await database.transaction(async (executor) => executor);
      await rejectsWith('misuse', tx.execute(insert, [1, 'x']));
      await database.execute(insert, [2, 'x']);
      assert.equal(await countThings(database), 1);
    },
  },
  {
    name: 'commits nothing after a statement has failed, even if the failure is caught',
    async run(database) {
      await makeTable(database);
      const caught = database.transaction(async (tx) => {
        await tx.execute(insert, [1, 'x']);
        await tx.execute(insert, [1, 'again']).catch(() => undefined);
      });
      await rejectsWith('constraint', caught);
      assert.equal(await countThings(database), 0);
    },
  },
  {
    name: 'loses no update of many transactions that read and then write',
    async run(database) {
      await makeTable(database);
      await database.execute('INSERT INTO thing VALUES (1, ?, 0)', ['counter']);
      const increment = (): Promise<void> =>
        database.transaction(async (tx) => {
          const [row] = await tx.query<{ size: number }>('SELECT size FROM thing WHERE id = 1');
          await sleep(1);
          await tx.execute('UPDATE thing SET size = ? WHERE id = 1', [(row?.size ?? 0) + 1]);
        });
      await Promise.all(Array.from({ length: 20 }, increment));
      const [row] = await database.query<{ size: number }>('SELECT size FROM thing');
      assert.equal(row?.size, 20);
    },
  },
  {
    name: 'runs each of many read-committed transactions once that lock a row before they read',
    async run(database) {
      await makeTable(database);
      await database.execute('INSERT INTO thing VALUES (1, ?, 0)', ['counter']);
      let runs = 0;
      const increment = (): Promise<void> =>
        database.transaction(
          async (tx) => {
            runs++;
            await tx.execute('UPDATE thing SET label = label WHERE id = 1');
            const [row] = await tx.query<{ size: number }>('SELECT size FROM thing WHERE id = 1');
            await sleep(1);
            await tx.execute('UPDATE thing SET size = ? WHERE id = 1', [(row?.size ?? 0) + 1]);
          },
          { isolation: 'read-committed' },
        );
      await Promise.all(Array.from({ length: 20 }, increment));
      const [row] = await database.query<{ size: number }>('SELECT size FROM thing');
      assert.deepEqual({ size: row?.size, runs }, { size: 20, runs: 20 });
    },
  },
  {
    name: 'refuses statements that begin or end a transaction, and a second statement',
    async run(database) {
      await makeTable(database);
      const statements = [
        'BEGIN',
        'begin immediate',
        ' \n\t;COMMIT',
        '-- why\n ROLLBACK',
        '/* a */ /* b /* c */ SAVEPOINT x',
        '/* a /* b */ c */ BEGIN',
        'RELEASE SAVEPOINT x',
        'END',
        'End Transaction;',
        'START  TRANSACTION',
      ];
      for (const sql of statements) {
        await rejectsWith('misuse', database.execute(sql));
        await rejectsWith('misuse', database.query(sql));
        await rejectsWith('misuse', database.batch([{ sql: insert, params: [1, 'x'] }, { sql }]));
        await rejectsWith(
          'misuse',
          database.transaction((tx) => tx.execute(sql)),
        );
      }
      await assert.rejects(database.execute('BEGIN'), /transaction\(work\)/);
      await rejectsWith('sql', database.execute("INSERT INTO thing VALUES (1, 'x', 1); COMMIT"));
      assert.equal(await countThings(database), 0);
      await database.execute('-- BEGIN\nINSERT INTO thing VALUES (?, ?, 1)', [1, 'COMMIT']);
      assert.equal(await countThings(database), 1);
    },
  },
  {
    name: 'backs up to no file that exists',
    async run(database) {
      await rejectsWith('conflict', database.backup(process.execPath));
      await assert.rejects(database.backup(process.execPath), /there is a file already/);
    },
  },
  {
    name: 'names the statement that failed',
    async run(database) {
      await rejectsWith('sql', database.query('SELECT * FROM no_such_table'));
      await assert.rejects(database.query('SELECT * FROM no_such_table'), /no_such_table/);
      await rejectsWith('sql', database.execute('SELEKT'));
    },
  },
  ...migrationCases,
];

/** Declares the tests of the `Database` contract; see `testFileStore` for an example. */
export function testDatabase(options: SuiteOptions<Database>): void {
  declareSuite('Database', databaseCases, options);
}
