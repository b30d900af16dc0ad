import type { Database } from '@vizprompt/providers';
import { sqliteDatabase } from '@vizprompt/providers/node';
import fc from 'fast-check';
import { expect, it, onTestFinished, vi } from 'vitest';
import { fuzzSeed, runs } from '../../../providers/test/support/fuzz.ts';
import { SqlBackend, type SqlBackendOptions } from '../../src/backends/sql-backend.ts';
import type { SearchBackend } from '../../src/contract/search-backend.ts';
import { packedRows, unpackRows } from '../../src/sql/packed-rows.ts';
import { answers, apply, step } from '../support/agreeing-backends.ts';
import { toFirstForm, toSecondForm } from '../support/first-form.ts';
import { recountSpace } from '../support/recount-space.ts';
import { openBackend, paragraphs, scriptAnalyzer } from '../support/search-index.ts';
import { sharedPostgres } from '../support/sql-database.ts';

const parts = { analyzer: scriptAnalyzer(), chunking: paragraphs };
const document = { novelId: '灯台', filePath: 'a.md', text: '灯台の朝\n\n嵐の夜' };
const postgres = sharedPostgres();

/** A backend, closed when the test is over. */
async function open(
  options: Partial<SqlBackendOptions> & Pick<SqlBackendOptions, 'database'>,
): Promise<SqlBackend> {
  const backend = await SqlBackend.open({ ...parts, ...options });
  onTestFinished(() => backend.close());
  return backend;
}

async function expectSame(backend: SearchBackend, expected: SearchBackend): Promise<void> {
  expect(await answers(backend)).toEqual(await answers(expected));
  const { bytes: _, ...stats } = await expected.stats();
  expect(await backend.stats()).toMatchObject(stats);
}

const forms = [
  ['first', 'PostgreSQL', toFirstForm],
  ['first', 'SQLite', toFirstForm],
  ['second', 'PostgreSQL', toSecondForm],
  ['second', 'SQLite', toSecondForm],
] as const;

it.each(forms)(
  'a space of the %s form on %s is upgraded when it is opened, without analyzing a text',
  async (_form, server, toForm) => {
    const sqlite = server === 'SQLite' ? sqliteDatabase({ path: ':memory:' }) : undefined;
    onTestFinished(() => sqlite?.close());
    const database = sqlite ?? postgres();
    const segments = await openBackend(parts);
    const first = await open({ database });
    const changes = fc.sample(step, { numRuns: runs(30), seed: fuzzSeed ?? 11 });
    for (const one of changes) {
      await apply(first, one);
      await apply(segments, one);
    }
    await toForm(database);
    const words = vi.fn(parts.analyzer.words);
    const upgraded = await open({ database, analyzer: { ...parts.analyzer, words } });
    expect(words).not.toHaveBeenCalled();
    for (const table of ['chunks_term', 'chunks_bucket']) {
      expect(await database.query(`SELECT * FROM ${table}`)).toEqual([]);
    }
    await expectSame(upgraded, segments);
    expect(await recountSpace(database)).toEqual([]);
    for (const one of changes.slice(0, 9)) {
      await apply(upgraded, one);
      await apply(segments, one);
    }
    await expectSame(upgraded, segments);
    await upgraded.compact();
    await expectSame(upgraded, segments);
    expect(await recountSpace(database)).toEqual([]);
    const again = await database.query('SELECT * FROM vizprompt_migrations');
    expect(again).toContainEqual(expect.objectContaining({ component: 'chunks', version: 3 }));
  },
);

it.each(forms)(
  'a space of the %s form and of another analyzer on %s is analyzed at once',
  async (_form, server, toForm) => {
    const sqlite = server === 'SQLite' ? sqliteDatabase({ path: ':memory:' }) : undefined;
    onTestFinished(() => sqlite?.close());
    const database = sqlite ?? postgres();
    const segments = await openBackend(parts);
    const first = await open({ database });
    for (const one of fc.sample(step, { numRuns: runs(30), seed: fuzzSeed ?? 12 })) {
      await apply(first, one);
      await apply(segments, one);
    }
    await toForm(database);
    let transactions = 0;
    const transaction: Database['transaction'] = async (work, options) => {
      transactions++;
      return database.transaction(work, options);
    };
    const again = await open({
      database: { ...database, transaction },
      analyzer: { ...parts.analyzer, id: 'another' },
    });
    expect(transactions).toBe(1);
    const { analyzer: _, ...expected } = await segments.stats();
    expect(await again.stats()).toMatchObject({ ...expected, bytes: expect.any(Number) });
    expect(await answers(again)).toEqual(await answers(segments));
    expect(await recountSpace(database)).toEqual([]);
  },
);

it('a program that knows another form refuses the space', async () => {
  const database = postgres();
  const backend = await open({ database });
  await backend.updateFile(document);
  await database.execute(`UPDATE chunks_space SET analyzer = '9 ' || analyzer`);
  await expect(backend.updateFile({ ...document, text: '嵐' })).rejects.toThrow('another program');
  await expect(backend.search('灯台')).rejects.toThrow('another program');
});

it('PostgreSQL sends rows in one value as they are', async () => {
  const database = postgres();
  const int = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 });
  const row = fc.record({ key: int, number: int, data: fc.uint8Array({ maxLength: 300 }) });
  const sql = `SELECT ${packedRows('key', 'number')} AS packed FROM (
    SELECT CAST(value ->> 0 AS INT) AS key, CAST(value ->> 1 AS INT) AS number, decode(value ->> 2, 'hex') AS data
    FROM jsonb_array_elements(CAST(? AS JSONB))) AS own`;
  for (const rows of [[], ...fc.sample(fc.array(row), { numRuns: 30, seed: fuzzSeed ?? 12 })]) {
    const given = rows.map(({ key, number, data }) => [
      key,
      number,
      Buffer.from(data).toString('hex'),
    ]);
    const [found] = await database.query<{ packed: string }>(sql, [JSON.stringify(given)]);
    const unpacked = unpackRows(found?.packed ?? 'nothing');
    expect(unpacked.map((one) => ({ ...one, data: Uint8Array.from(one.data) }))).toEqual(rows);
  }
});
