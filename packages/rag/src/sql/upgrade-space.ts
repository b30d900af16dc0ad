import type { Database } from '@vizprompt/providers';
import type { Analyzer } from '../analyze/analyzer.ts';
import { type NumberedText, readFirstForm } from './chunk-text.ts';
import { isAmong } from './given-rows.ts';
import { writeTermSum } from './merge-blocks.ts';
import { lockSpace, readSpace, saveForm, type SpaceRow } from './space-rows.ts';
import type { SpacePlace } from './space-reader.ts';
import { fromSql } from './sql-text.ts';
import { FORM } from './sql-tables.ts';
import { readingsOfTerm, writeTerms } from './term-rows.ts';
import { type PackRow, PACK_CHUNKS } from './text-pack.ts';
import { writtenText } from './word-records.ts';
import { compressTexts, writeTexts } from './write-texts.ts';

/** Rows that are read at once. */
const ROWS_AT_ONCE: number = PACK_CHUNKS * 500;

/**
 * Brings the rows of a space of an older form into that of this version, without analyzing a text. It is one transaction,
 * and writers of the space wait for it. A space of another analyzer stays as it is, as all of it is analyzed again.
 */
export async function upgradeSpace(
  database: Database,
  place: Pick<SpacePlace, 'dialect' | 'tables' | 'name'>,
  analyzer: Analyzer,
): Promise<void> {
  const { tables, name } = place;
  const isDue = (row: SpaceRow | undefined): boolean =>
    row !== undefined && row.form !== FORM && row.analyzer === analyzer.id;
  if (!isDue(await readSpace(database, tables, name))) return;
  await database.transaction(
    async (tx) => {
      const row = await lockSpace(tx, tables, name);
      if (!row || !isDue(row)) return;
      const own = { ...place, executor: tx, space: row.id };
      if (row.form === 1) await packTexts(own, row.nextChunk);
      await sumTerms(own, row.revision, analyzer.readings.bind(analyzer));
      await saveForm(tx, tables, row);
    },
    { isolation: 'read-committed' },
  );
}

/** Reads the texts of chunks of the first form, as `readTexts` does those of this one. */
export async function readFirstTexts(
  { executor, dialect, tables, space }: SpacePlace,
  chunks: readonly number[],
): Promise<readonly NumberedText[]> {
  const among = isAmong(dialect, 'chunk', chunks);
  const rows = await executor.query<PackRow>(
    `SELECT chunk, data FROM ${tables.text} WHERE space = ? AND ${among.sql}`,
    [space, ...among.params],
  );
  return rows.map(({ chunk, data }) => ({ chunk, text: readFirstForm(data) }));
}

async function packTexts(place: SpacePlace, nextChunk: number): Promise<void> {
  const { executor, tables, space } = place;
  for (let from = 0; from < nextChunk; from += ROWS_AT_ONCE) {
    const rows = await executor.query<PackRow & { readonly n: number }>(
      `DELETE FROM ${tables.text} WHERE space = ? AND chunk >= ? AND chunk < ? RETURNING chunk, n, data`,
      [space, from, from + ROWS_AT_ONCE],
    );
    const texts = rows
      .map(({ chunk, data }) => writtenText({ chunk, text: readFirstForm(data) }))
      .toSorted((a, b) => a.chunk - b.chunk);
    await writeTexts(place, await compressTexts(texts, (term) => term));
  }
}

/** Puts the rows of terms into one, with the hashes of their readings. */
async function sumTerms(
  place: SpacePlace,
  revision: number,
  readingsOf: (term: string) => readonly string[],
): Promise<void> {
  const { executor, tables, space } = place;
  const rows = await executor.query<{ id: number; key: string; chunks: number }>(
    `SELECT id, coalesce(whole, key) AS key, chunks FROM ${tables.term} WHERE space = ? ORDER BY id`,
    [space],
  );
  const added = rows.map((row) => {
    const key = fromSql(row.key);
    return { ...row, key, readings: readingsOfTerm(key, readingsOf) };
  });
  await writeTermSum(place, revision, writeTerms({ added, deltas: [] }));
  for (const table of [tables.term, tables.bucket]) {
    await executor.execute(`DELETE FROM ${table} WHERE space = ?`, [space]);
  }
}
