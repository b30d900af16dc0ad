import type { Database, SqlExecutor } from '@vizprompt/providers';
import type { Chunk } from '../chunk/chunk.ts';
import type { UpdateReport } from '../contract/search-backend.ts';
import { type Changes, type IndexFacts, withEffects } from './index-facts.ts';
import type { PlannedChange } from './plan-changes.ts';
import { readVocabulary, type SpacePlace } from './space-reader.ts';
import { lockSpace, saveNumbers, type SpaceRow } from './space-rows.ts';
import type { SqlIndex, SqlIndexSource } from './sql-index.ts';
import { TermTable } from './term-table.ts';
import type { WordMemory } from './word-memory.ts';
import { reportOf, writePlans } from './write-plans.ts';

/** Dependencies of a transaction that writes changes. */
export interface LockedWriting {
  readonly memory: WordMemory;
  readonly signal: AbortSignal | undefined;
  readonly also: ((tx: SqlExecutor) => Promise<void>) | undefined;
  /** @throws IndexingError if the space is gone, or its words are those of another analyzer. */
  readonly check: (row: SpaceRow | undefined) => SpaceRow;
  /** Returns the plans of the changes for a space as it is. */
  readonly plansFor: (place: SpacePlace, row: SpaceRow) => Promise<readonly PlannedChange[]>;
}

/** The result of a transaction that wrote changes. */
export interface WrittenChange {
  readonly report: UpdateReport;
  /** The change as a process that did not write it would read it. */
  readonly changes: Changes;
  /** Changes since postings were merged. */
  readonly unmerged: number;
}

/**
 * Writes changes in a transaction that has the lock of the space.
 *
 * @param known - Facts of the space, maybe older ones.
 */
export function writeLocked(
  database: Database,
  { place: source, readingsOf }: SqlIndexSource,
  known: SqlIndex['facts'],
  { memory, signal, also, check, plansFor }: LockedWriting,
): Promise<WrittenChange> {
  const { tables, name } = source;
  return database.transaction(
    async (tx) => {
      const row = check(await lockSpace(tx, tables, name));
      const place = { ...source, executor: tx, space: row.id };
      const plans = await plansFor(place, row);
      const terms = await termsAt(place, row, known);
      const numbers = await writePlans(place, plans, row, { memory, terms, readingsOf });
      await saveNumbers(tx, tables, row.id, numbers);
      await also?.(tx);
      const { id, analyzer, revision, swept, purged, unmerged } = row;
      const { nextChunk, rows } = numbers;
      const state = { id, analyzer, revision, swept, purged, nextChunk };
      return { report: reportOf(plans), changes: { state, ...rows }, unmerged: unmerged + 1 };
    },
    { isolation: 'read-committed', ...(signal ? { signal } : {}) },
  );
}

/** Returns the chunks of plans that the space does not have. */
export function newChunks(plans: readonly PlannedChange[]): readonly Chunk[] {
  return plans.flatMap(({ chunks }) => chunks.flatMap(({ chunk, id }) => (id ? [] : [chunk])));
}

/**
 * Returns the terms of a space as they are before a change that has its lock.
 *
 * @param known - Facts, of this space or another one, and maybe older ones; they are not changed.
 */
async function termsAt(
  place: SpacePlace,
  { revision, purged }: SpaceRow,
  { facts, space }: { readonly facts: IndexFacts; readonly space: number },
): Promise<TermTable> {
  const isOfSpace = space === place.space && facts.revision >= purged;
  if (isOfSpace && facts.revision === revision - 1) return facts.terms;
  const since = isOfSpace ? facts.revision : -1;
  const rows = await readVocabulary(place, since, revision);
  return withEffects(isOfSpace ? facts.terms.copy() : new TermTable(), rows, since);
}
