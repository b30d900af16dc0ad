import { sqliteDatabase } from '@vizprompt/providers/node';
import type { Database } from '@vizprompt/providers';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { SqlBackend } from '../../src/backends/sql-backend.ts';
import { TermTable } from '../../src/sql/term-table.ts';
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
    'many unknown words with the same %s half look for it as often as one does',
    async (half, word) => {
      let statements = 0;
      const own = database();
      const query: Database['query'] = async (sql, params) => {
        statements++;
        return own.query<never>(sql, params);
      };
      await using backend = await SqlBackend.open({ ...parts, database: { ...own, query } });
      const segments = await openBackend(parts);
      const text = Array.from({ length: 64 }, (_one, at) => word(stored(at))).join('\n\n');
      for (const one of [backend, segments]) {
        await one.updateFile({ novelId: '灯台', filePath: 'a.md', text });
      }
      const lookUps = vi.spyOn(TermTable.prototype, 'parts');
      onTestFinished(() => lookUps.mockRestore());
      const edge = half === 'front' ? 'front' : 'back';
      for (const count of [1, 200]) {
        const words = Array.from({ length: count }, (_one, at) => word(unknown(at)));
        // One that is found, so that the search has a list of results to compare.
        const asking = [word(stored(7)), ...words].join(' ');
        const right = await segments.search(asking);
        statements = 0;
        lookUps.mockClear();
        expect(await backend.search(asking)).toEqual(right);
        expect(statements).toBeLessThanOrEqual(3);
        expect(lookUps.mock.calls.filter(([part]) => part === 'kensak')).toEqual([
          ['kensak', edge],
        ]);
      }
    },
  );
});
