import type { Database } from '@vizprompt/providers';
import { sqliteDatabase } from '@vizprompt/providers/node';
import { expect, it, onTestFinished } from 'vitest';
import { SqlBackend } from '../../src/backends/sql-backend.ts';
import { MERGE_AFTER } from '../../src/sql/maintain-space.ts';
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
