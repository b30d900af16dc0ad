import type { Database } from '@vizprompt/providers';
import { sqliteDatabase } from '@vizprompt/providers/node';
import { expect, it, onTestFinished } from 'vitest';
import { SqlBackend } from '../../src/backends/sql-backend.ts';
import { SharedFacts } from '../../src/sql/index-facts.ts';
import { MERGE_AFTER } from '../../src/sql/maintain-space.ts';
import { mergeBlocks } from '../../src/sql/merge-blocks.ts';
import { SqlIndex } from '../../src/sql/sql-index.ts';
import { sqlTables } from '../../src/sql/sql-tables.ts';
import { recountSpace, storedTerms } from '../support/recount-space.ts';
import { paragraphs, scriptAnalyzer } from '../support/search-index.ts';
import { sharedPostgres } from '../support/sql-database.ts';

const parts = { analyzer: scriptAnalyzer(), chunking: paragraphs };
const postgres = sharedPostgres();

/** A word of letters alone, which the analyzer does not cut. */
function word(round: number, at: number): string {
  const number = 1_000_000 + (round + 9) * 7919 * 61 + at * 7919;
  return Array.from(String(number), (digit) => 'bdfgkmprtz'.charAt(Number(digit))).join('');
}

/** Counts the changes of terms that no merge has added to the others. */
async function countRows(database: Database): Promise<number | undefined> {
  const [row] = await database.query<{ n: number }>('SELECT count(*) AS n FROM chunks_vocabulary');
  return row?.n;
}

async function countTerms(database: Database): Promise<number> {
  const [row] = await database.query<{ id: number }>('SELECT id FROM chunks_space');
  return (await storedTerms(database, row?.id ?? 0)).length;
}

it.each(['PostgreSQL', 'SQLite'])(
  'merges on %s leave out terms that no text has any more, also for backends that are open',
  async (server) => {
    const sqlite = server === 'SQLite' ? sqliteDatabase({ path: ':memory:' }) : undefined;
    const database = sqlite ?? postgres();
    const other = await SqlBackend.open({ ...parts, database });
    onTestFinished(async () => {
      await other.close();
      await sqlite?.close();
    });
    const order = (round: number): string =>
      Array.from({ length: 60 }, (_, at) => word(round, at)).join(' ');
    const [a, b] = ['a.md', 'b.md'].map((filePath) => ({ novelId: '灯台', filePath }));
    if (!a || !b) return;
    await other.updateFile({ ...b, text: '灯台と嵐' });
    for (let round = 0; round < 8; round++) {
      const backend = await SqlBackend.open({ ...parts, database });
      await backend.updateFile({ ...a, text: order(round) });
      expect((await other.search(`"${word(round, 7)}"`)).total).toBe(1);
      await database.execute('UPDATE chunks_space SET unmerged = ?', [MERGE_AFTER]);
      await backend.updateFile({ ...a, text: `${order(round)} last` });
      await expect.poll(() => countRows(database)).toBe(1);
      expect(await countTerms(database)).toBeLessThan(80);
      // Words that were left out come again, from backends that had them.
      await (round % 2 === 0 ? backend : other).updateFile({
        ...b,
        text: `灯台と嵐 ${word(round - 1, 7)} ${word(round, 9)}`,
      });
      const again = await SqlBackend.open({ ...parts, database });
      for (const each of [backend, other, again]) {
        const totals = [round - 1, round - 2, round].map(async (one) => {
          const { total } = await each.search(`"${word(one, 7)}"`);
          return total;
        });
        expect(await Promise.all(totals)).toEqual([1, 0, 1]);
        expect((await each.search('嵐')).total).toBe(1);
        expect((await each.search(word(round, 9))).total).toBe(2);
      }
      await backend.close();
      await again.close();
      expect(await recountSpace(database)).toEqual([]);
    }
    await other.compact();
    expect(await countTerms(database)).toBeLessThan(80);
    expect(await recountSpace(database)).toEqual([]);
  },
);

/** Opens an index with the facts of the space as they are now. */
async function openIndex(database: Database, facts = new SharedFacts()): Promise<SqlIndex> {
  const [row] = await database.query<{ id: number }>('SELECT id FROM chunks_space');
  const place = { dialect: database.dialect, tables: sqlTables('chunks'), name: 'default' };
  if (facts.space === 0) facts.begin(row?.id ?? 0);
  const index = new SqlIndex({
    place: { ...place, executor: database },
    facts,
    readingsOf: () => [],
    check: () => undefined,
  });
  await index.prepare();
  return index;
}

/** Begins a merge that has the facts of the space as they are now, whatever is written until it is run. */
async function beginMerge(database: Database): Promise<() => Promise<unknown>> {
  const { facts, space } = (await openIndex(database)).facts;
  const place = { dialect: database.dialect, tables: sqlTables('chunks'), name: 'default', space };
  return () => mergeBlocks({ database, place, facts }, { all: true });
}

const WORDS = ['bd', 'fg', 'km', 'pr', 'tz', 'bk', 'fm'];

it.each(['PostgreSQL', 'SQLite'])(
  'searches on %s between changes and late merges find what a search that has read nothing finds',
  async (server) => {
    const sqlite = server === 'SQLite' ? sqliteDatabase({ path: ':memory:' }) : undefined;
    const database = sqlite ?? postgres();
    const backends = [
      await SqlBackend.open({ ...parts, database }),
      await SqlBackend.open({ ...parts, database }),
    ];
    onTestFinished(async () => {
      for (const backend of backends) await backend.close();
      await sqlite?.close();
    });
    const chosen = (at: number): readonly string[] =>
      WORDS.filter((_, place) => ((at * 2654435761) >>> (place + 7)) % 2 === 0);
    let merge: (() => Promise<unknown>) | undefined;
    for (let round = 0; round < 60; round++) {
      const file = { novelId: '灯台', filePath: `${(round * 7) % 11}.md` };
      const text = chosen(round)
        .join(' ')
        .concat('\n\n', chosen(round + 99).join(' '));
      const writer = backends[round % 2];
      if (round % 9 === 8) await writer?.updateFiles([], [file]);
      else await writer?.updateFile({ ...file, text });
      // A merge is run several changes after it has read the facts.
      if (round % 5 === 0) merge = await beginMerge(database);
      if (round % 5 === 3) await merge?.();
      if (round % 20 === 19) await writer?.compact();
      const fresh = await SqlBackend.open({ ...parts, database });
      for (const asked of round % 3 === 0 ? WORDS.slice(0, 3) : WORDS) {
        const right = await fresh.search(asked);
        for (const backend of backends) expect(await backend.search(asked)).toEqual(right);
      }
      await fresh.close();
    }
    expect(await recountSpace(database)).toEqual([]);
  },
);

it('a search after a change of another program reads what the change added', async () => {
  const sent: string[] = [];
  const query: Database['query'] = async (sql, params) => {
    const rows = await postgres().query<Record<string, unknown>>(sql, params);
    for (const { packed, text } of rows) sent.push(JSON.stringify(packed ?? text ?? ''));
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as the database returned them
    return rows as never;
  };
  const reader = await SqlBackend.open({ ...parts, database: { ...postgres(), query } });
  const writer = await SqlBackend.open({ ...parts, database: postgres() });
  onTestFinished(async () => {
    await reader.close();
    await writer.close();
  });
  const paragraphsOf = (count: number, from: number): string =>
    Array.from({ length: count }, (_, at) => `灯台 ${word(at, from)}`).join('\n\n');
  const bytesOfSearch = async (): Promise<number> => {
    sent.length = 0;
    const { total } = await reader.search('灯台');
    expect(total).toBe((await writer.search('灯台')).total);
    return sent.reduce((sum, one) => sum + one.length, 0);
  };
  await writer.updateFile({ novelId: '一', filePath: 'a', text: paragraphsOf(3000, 1) });
  const first = await bytesOfSearch();
  await writer.updateFile({ novelId: '一', filePath: 'b', text: paragraphsOf(2, 2) });
  expect(await bytesOfSearch()).toBeLessThan(first / 4);
  await writer.compact();
  expect((await reader.search('灯台')).total).toBe(3002);
});

it('postings that were merged since the facts were read are read again', async () => {
  const database = sqliteDatabase({ path: ':memory:' });
  const writer = await SqlBackend.open({ ...parts, database });
  onTestFinished(async () => {
    await writer.close();
    await database.close();
  });
  const write = (text: string): Promise<unknown> =>
    writer.updateFile({ novelId: '一', filePath: text, text });
  await write('bd');
  const facts = new SharedFacts();
  const countChunks = async (): Promise<number | undefined> => {
    const index = await openIndex(database, facts);
    const term = index.facts.facts.terms.find('bd');
    const [part] = await index.parts([[term]]);
    index.release();
    return part?.decode(term, new Uint32Array(9), new Uint8Array(9));
  };
  expect(await countChunks()).toBe(1);
  await write('fg');
  // The facts are those of the last change, and the postings those of the one before.
  (await openIndex(database, facts)).release();
  await (
    await beginMerge(database)
  )();
  expect(await countChunks()).toBe(1);
});
