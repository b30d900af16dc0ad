import { sqliteDatabase } from '@vizprompt/providers/node';
import type { Database } from '@vizprompt/providers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { SqlBackend } from '../../src/backends/sql-backend.ts';
import { openBackend, paragraphs, scriptAnalyzer } from '../support/search-index.ts';
import { sharedPostgres } from '../support/sql-database.ts';

const parts = { analyzer: scriptAnalyzer(), chunking: paragraphs };
const postgres = sharedPostgres();

/** Returns a number in six letters of an alphabet of four. */
function letters(number: number, alphabet: string): string {
  const digits = number.toString(4).padStart(6, '0');
  return digits.replace(/\d/g, (digit) => alphabet[Number(digit)] ?? '');
}

const stored = (number: number): string => letters(number, 'abcd');
const unknown = (number: number): string => letters(number, 'wxyz');

/** Words with the same half, by where it is. */
const shapes = {
  front: (rest: string): string => `kensak${rest}`,
  back: (rest: string): string => `${rest}kensak`,
};

const databases: Record<string, () => Database> = {
  PostgreSQL: postgres,
  SQLite: () => {
    const database = sqliteDatabase({ path: ':memory:' });
    onTestFinished(() => database.close());
    return database;
  },
};

describe.each(Object.entries(databases))('on %s', (_, database) => {
  it.each(Object.entries(shapes))(
    'many unknown words with the same %s half read its terms as often as one does',
    async (_half, word) => {
      const asked: { rows: number }[] = [];
      const own = database();
      const query: Database['query'] = async (sql, params) => {
        const rows = await own.query<never>(sql, params);
        asked.push({ rows: rows.length });
        return rows;
      };
      await using backend = await SqlBackend.open({ ...parts, database: { ...own, query } });
      const segments = await openBackend(parts);
      const text = Array.from({ length: 64 }, (_one, at) => word(stored(at))).join('\n\n');
      for (const one of [backend, segments]) {
        await one.updateFile({ novelId: '灯台', filePath: 'a.md', text });
      }
      const rowsFor = async (count: number): Promise<number> => {
        const words = Array.from({ length: count }, (_one, at) => word(unknown(at)));
        // One that is found, so that the search has a list of results to compare.
        const asking = [word(stored(7)), ...words].join(' ');
        const right = await segments.search(asking);
        asked.length = 0;
        expect(await backend.search(asking)).toEqual(right);
        expect(asked.length).toBeLessThanOrEqual(3);
        return asked.reduce((sum, { rows }) => sum + rows, 0);
      };
      await rowsFor(1);
      const rowsOfOne = await rowsFor(1);
      expect(rowsOfOne).toBeGreaterThan(64);
      expect(await rowsFor(200)).toBeLessThan(2 * rowsOfOne);
    },
  );
});
