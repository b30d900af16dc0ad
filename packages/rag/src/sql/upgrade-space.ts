import type { Database } from '@vizprompt/providers';
import { BucketLists } from './bucket-rows.ts';
import { readFirstForm } from './chunk-text.ts';
import { lockSpace, readSpace, saveForm } from './space-rows.ts';
import type { PackRow, SpacePlace } from './space-reader.ts';
import { fromSql } from './sql-text.ts';
import { bucketsOfTerm } from './term-buckets.ts';
import { type NumberedText, PACK_CHUNKS } from './text-pack.ts';
import { writeTexts } from './write-texts.ts';

/** Rows that are read at once. */
const ROWS_AT_ONCE: number = PACK_CHUNKS * 500;

/**
 * Brings the rows of a space of an older form into that of this version, without analyzing a text. It is one transaction,
 * and writers of the space wait for it.
 */
export async function upgradeSpace(
  database: Database,
  place: Pick<SpacePlace, 'dialect' | 'tables' | 'name'>,
  readingsOf: (term: string) => readonly string[],
): Promise<void> {
  const { tables, name } = place;
  const found = await readSpace(database, tables, name);
  if (!found || found.isCurrentForm) return;
  await database.transaction(
    async (tx) => {
      const row = await lockSpace(tx, tables, name);
      if (!row || row.isCurrentForm) return;
      const own = { ...place, executor: tx, space: row.id };
      await packTexts(own, row.nextChunk);
      await listTerms(own, readingsOf);
      await saveForm(tx, tables, row);
    },
    { isolation: 'read-committed' },
  );
}

async function packTexts(place: SpacePlace, nextChunk: number): Promise<void> {
  const { executor, tables, space } = place;
  for (let from = 0; from < nextChunk; from += ROWS_AT_ONCE) {
    const rows = await executor.query<PackRow & { readonly n: number }>(
      `DELETE FROM ${tables.text} WHERE space = ? AND chunk >= ? AND chunk < ? RETURNING chunk, n, data`,
      [space, from, from + ROWS_AT_ONCE],
    );
    const texts = rows
      .map(({ chunk, data }): NumberedText => ({ chunk, text: readFirstForm(data) }))
      .toSorted((a, b) => a.chunk - b.chunk);
    await writeTexts(place, texts);
  }
}

async function listTerms(
  place: SpacePlace,
  readingsOf: (term: string) => readonly string[],
): Promise<void> {
  const { executor, tables, space } = place;
  const rows = await executor.query<{ id: number; key: string }>(
    `SELECT id, coalesce(whole, key) AS key FROM ${tables.term} WHERE space = ? ORDER BY id`,
    [space],
  );
  const lists = new BucketLists();
  for (const { id, key } of rows) {
    lists.add(id, bucketsOfTerm(fromSql(key), readingsOf));
  }
  await lists.write(place);
}
