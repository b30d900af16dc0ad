import { givenRows, isAmong } from './given-rows.ts';
import type { PackRow, SpacePlace } from './space-reader.ts';
import { cutPacks, packsOf, readPack, writePack } from './text-pack.ts';
import { type WrittenText, writtenText } from './word-records.ts';

/** Rows that are compressed at once, each of which takes half a megabyte meanwhile. */
const PACKS_AT_ONCE = 16;

/** Writes the texts of chunks that have none yet, by ascending numbers, without gaps between those of one row. */
export async function writeTexts(place: SpacePlace, texts: readonly WrittenText[]): Promise<void> {
  const packs = cutPacks(texts);
  const rows: (readonly [chunk: number, n: number, data: Uint8Array])[] = [];
  for (let from = 0; from < packs.length; from += PACKS_AT_ONCE) {
    const some = packs.slice(from, from + PACKS_AT_ONCE).map(async (pack) => {
      const key = pack[0]?.chunk ?? 0;
      return [key, pack.length, await writePack(key, pack)] as const;
    });
    rows.push(...(await Promise.all(some)));
  }
  await writeRows(place, rows);
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
  const rest = await Promise.all(
    rows.map(async ({ chunk, n, data }) => {
      const texts = readPack(chunk, data);
      const living = texts.filter((one) => !gone.has(one.chunk));
      if (living.length === texts.length) return [[chunk, n, data] as const];
      if (living.length === 0) return [];
      return [[chunk, living.length, await writePack(chunk, living.map(writtenText))] as const];
    }),
  );
  await writeRows(place, rest.flat());
}

async function writeRows(
  { executor, dialect, tables, space }: SpacePlace,
  rows: readonly (readonly [chunk: number, n: number, data: Uint8Array])[],
): Promise<void> {
  if (rows.length === 0) return;
  const given = givenRows(dialect, { chunk: 'int', n: 'int', data: 'bytes' }, rows);
  await executor.execute(
    `INSERT INTO ${tables.text} (space, chunk, n, data)
     SELECT CAST(? AS INTEGER), given.chunk, given.n, given.data FROM ${given.sql}`,
    [space, ...given.params],
  );
}
