import { sqliteDatabase, type ClosableDatabase } from '@vizprompt/providers/node';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ERASED } from '../../src/erase/eraser.ts';
import { RowEraser, type ErasedTable } from '../../src/erase/row-eraser.ts';

interface Note {
  readonly [column: string]: string | number | null;
  readonly talk: string;
  readonly place: number;
  readonly speaker: string;
  readonly words: string | null;
}

const NOTES: ErasedTable<Note> = {
  name: 'note',
  keys: ['talk', 'place'],
  columns: ['speaker', 'words'],
};
/** More than two pages, of which no border is between talks. */
const TALKS = ['a', 'b', 'c'];
const PLACES = 150;

describe('RowEraser', () => {
  let database: ClosableDatabase;

  beforeEach(async () => {
    database = sqliteDatabase({ path: ':memory:' });
    await database.execute(
      'CREATE TABLE note (talk TEXT, place INTEGER, speaker TEXT, words TEXT, PRIMARY KEY (talk, place))',
    );
    const rows = TALKS.flatMap((talk) =>
      Array.from({ length: PLACES }, (_, place) => ({
        sql: 'INSERT INTO note VALUES (?, ?, ?, ?)',
        params: [talk, place, place % 3 === 0 ? 'Alice' : 'Bob', place % 5 === 0 ? null : 'hello'],
      })),
    );
    await database.batch(rows);
  });
  afterEach(() => database.close());

  async function eraseWith(options: { readonly dryRun?: boolean }): Promise<RowEraser> {
    const rows = new RowEraser(database, { speaker: 'Alice', ...options });
    await rows.eachRow(NOTES, ({ speaker, words }) => {
      if (!rows.eraser.isSpeaker(speaker)) return undefined;
      return { values: { words: words === null ? null : ERASED }, place: 'notes' };
    });
    return rows;
  }

  it('comes to each row once, in the order of the keys', async () => {
    const seen: string[] = [];
    const rows = new RowEraser(database, { speaker: 'Alice' });
    await rows.eachRow(NOTES, ({ talk, place }) => {
      seen.push(`${talk} ${place}`);
      return undefined;
    });
    const all = TALKS.flatMap((talk) =>
      Array.from({ length: PLACES }, (_, place) => `${talk} ${place}`),
    );
    expect(seen).toEqual(all);
  });

  it('counts and writes the rows in which something differs', async () => {
    const { erased } = (await eraseWith({})).report([]);
    const written = await database.query<{ speaker: string; n: number }>(
      'SELECT speaker, count(*) AS n FROM note WHERE words = ? GROUP BY speaker',
      [ERASED],
    );
    expect(written).toEqual([{ speaker: 'Alice', n: 120 }]);
    expect(erased).toEqual([{ place: 'notes', count: 120 }]);
    expect((await eraseWith({})).report([]).erased).toEqual([]);
  });

  it('writes nothing in a dry run, and counts the same', async () => {
    const { erased, dryRun } = (await eraseWith({ dryRun: true })).report([]);
    expect({ erased, dryRun }).toEqual({ erased: [{ place: 'notes', count: 120 }], dryRun: true });
    expect(await database.query('SELECT 1 FROM note WHERE words = ?', [ERASED])).toEqual([]);
  });

  it('reports mentions, where there are any, before the places that it cannot reach', () => {
    const rows = new RowEraser(database, { speaker: 'Alice' });
    expect(rows.report(['config', 'backups']).remains).toEqual([
      { place: 'config' },
      { place: 'backups' },
    ]);
    rows.countMention(['Bob: no', 'I asked Alice']);
    rows.countMention(['malice']);
    expect(rows.report(['backups']).remains).toEqual([
      { place: 'mentions', count: 1 },
      { place: 'backups' },
    ]);
  });

  it('stops between two pages when its signal is aborted', async () => {
    const controller = new AbortController();
    const rows = new RowEraser(database, { speaker: 'Alice', signal: controller.signal });
    let seen = 0;
    const work = rows.eachRow(NOTES, () => {
      if (++seen === 10) controller.abort(new Error('enough'));
      return undefined;
    });
    await expect(work).rejects.toThrow('enough');
    expect(seen).toBe(200);
  });
});
