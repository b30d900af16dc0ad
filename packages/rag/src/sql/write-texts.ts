import { setImmediate as nextTurn } from 'node:timers/promises';
import { givenRows, isAmong } from './given-rows.ts';
import type { SpacePlace } from './space-reader.ts';
import { cutPacks, type PackRow, packsOf, readPack, writePack } from './text-pack.ts';
import { type WrittenText, writtenText } from './word-records.ts';

/** Rows that are compressed without a turn of others. */
const PACKS_AT_ONCE = 32;

/** A row of texts that is written. */
export type NewTexts = readonly [chunk: number, n: number, data: Uint8Array];

/**
 * Compresses the texts of chunks into rows.
 *
 * @param texts - By ascending numbers, without gaps between those of one row.
 * @param numberOf - Returns the number that the space has for a term of their words and titles.
 */
export async function compressTexts(
  texts: readonly WrittenText[],
  numberOf: (term: number) => number,
): Promise<readonly NewTexts[]> {
  const rows: NewTexts[] = [];
  for (const pack of cutPacks(texts)) {
    const key = pack[0]?.chunk ?? 0;
    rows.push([key, pack.length, writePack(key, pack, numberOf)]);
    // oxlint-disable-next-line no-await-in-loop -- the turn of others
    if (rows.length % PACKS_AT_ONCE === 0) await nextTurn();
  }
  return rows;
}

/** Deletes the texts of chunks, from rows that have others, too. */
export async function deleteTexts(place: SpacePlace, chunks: readonly number[]): Promise<void> {
  if (chunks.length === 0) return;
  const { executor, dialect, tables, space } = place;
  const gone = new Set(chunks);
  const among = isAmong(dialect, 'chunk', packsOf(chunks));
  const rows = await executor.query<PackRow & { readonly n: number }>(
    `DELETE FROM ${tables.text} WHERE space = ? AND ${among.sql} RETURNING chunk, n, data`,
    [space, ...among.params],
  );
  const rest = rows.flatMap(({ chunk, n, data }) => {
    const texts = readPack({ chunk, data });
    const living = texts.filter((one) => !gone.has(one.chunk));
    if (living.length === texts.length) return [[chunk, n, data] as const];
    if (living.length === 0) return [];
    return [[chunk, living.length, writePack(chunk, living.map(writtenText))] as const];
  });
  await writeTexts(place, rest);
}

/** Writes the texts of chunks that have none yet. */
export async function writeTexts(
  { executor, dialect, tables, space }: SpacePlace,
  rows: readonly NewTexts[],
): Promise<void> {
  if (rows.length === 0) return;
  const given = givenRows(dialect, { chunk: 'int', n: 'int', data: 'bytes' }, rows);
  await executor.execute(
    `INSERT INTO ${tables.text} (space, chunk, n, data)
     SELECT CAST(? AS INTEGER), given.chunk, given.n, given.data FROM ${given.sql}`,
    [space, ...given.params],
  );
}
