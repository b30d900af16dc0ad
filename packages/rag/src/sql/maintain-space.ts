import type { Database } from '@vizprompt/providers';
import {
  deleteGone,
  foldSketches,
  foldTerms,
  mergeBlocks,
  type MergeTarget,
  signPages,
} from './merge-blocks.ts';
import { SqlIndex, type SqlIndexSource } from './sql-index.ts';

/** Changes after which postings are merged. */
export const MERGE_AFTER = 200;

type Maintenance = (target: MergeTarget) => Promise<void>;

/** Calls `work` with the facts of a space as they are now. */
async function withFacts(
  database: Database,
  source: SqlIndexSource,
  work: Maintenance,
): Promise<void> {
  const index = new SqlIndex(source);
  try {
    await index.prepare();
    const { facts, space } = index.facts;
    const { dialect, tables, name } = source.place;
    await work({ database, place: { dialect, tables, name, space }, facts });
  } finally {
    index.release();
  }
}

/**
 * Puts the small rows of many changes together, unless another process does.
 *
 * @returns How many bundles of terms were rewritten; nothing if there is too little to do.
 */
export async function mergeIfDue(
  database: Database,
  source: SqlIndexSource,
  signal: AbortSignal,
): Promise<number | undefined> {
  const { tables, dialect } = source.place;
  const { changes } = await database.execute(
    `UPDATE ${tables.space} SET unmerged = 0 WHERE id = ? AND unmerged >= ${MERGE_AFTER}`,
    [source.facts.space],
  );
  if (changes === 0) return undefined;
  let merged = 0;
  await withFacts(database, source, async (target) => {
    merged = await mergeBlocks(target, { signal });
    await foldTerms(target);
    await foldSketches(target);
    await signPages(target, { signal });
    if (dialect !== 'postgres') return;
    // Its own process for this comes a minute later, and until then plans are made for empty tables.
    for (const table of [tables.block, tables.text]) {
      await database.execute(`ANALYZE ${table}`);
    }
  });
  return merged;
}

/** Leaves nothing of chunks that went, and everything in as few rows as there can be. */
export async function compactSpace(
  database: Database,
  source: SqlIndexSource,
  signal: AbortSignal | undefined,
): Promise<void> {
  await withFacts(database, source, async (target) => {
    await mergeBlocks(target, { all: true, signal });
    await foldSketches(target);
    await signPages(target, { again: true, signal });
    await deleteGone(target);
  });
  signal?.throwIfAborted();
  await database.purge?.();
}
