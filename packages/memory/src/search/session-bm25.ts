import type { SqlExecutor } from '@vizprompt/providers';
import type { TextMatches } from '@vizprompt/providers/text';
import { listOf } from '../store/sql.ts';
import { weightsOf } from './rank-events.ts';
import { inParts } from '@vizprompt/providers/internal';

/** The saturation of repeated words, and the influence of a session's length: BM25. */
const K1 = 1.2;
const B = 0.75;
/** How many events one query asks for. */
const KEYS_AT_ONCE = 500;

/** How often the words of a query are said in sessions. */
export interface WordCounts {
  /** By session: the number of its events that have a word, by the place of the word. */
  readonly bySession: ReadonlyMap<number, readonly number[]>;
  /** The weight of a word, by the number of sessions that have it. */
  readonly weights: readonly number[];
}

/** Counts the events of each session that have each word of a query. */
export async function countWords(
  database: SqlExecutor,
  { groups, rows }: TextMatches,
): Promise<WordCounts> {
  const bySession = new Map<number, number[]>();
  const keys = [...rows.keys()];
  for (const part of inParts(keys, KEYS_AT_ONCE)) {
    const places = await database.query<{ key: number; session: number }>(
      `SELECT key, session_key AS session FROM memory_events
       WHERE key IN ${listOf(part)}`,
      part,
    );
    for (const { key, session } of places) {
      const counts = bySession.get(session) ?? groups.map(() => 0);
      const bits = rows.get(key) ?? 0;
      bySession.set(
        session,
        counts.map((count, bit) => (bits & (1 << bit) ? count + 1 : count)),
      );
    }
  }
  const all = [...bySession.values()];
  const frequencies = groups.map((_, bit) => {
    const having = all.filter((counts) => (counts[bit] ?? 0) > 0).length;
    return Math.log(1 + (all.length - having + 0.5) / (having + 0.5));
  });
  return { bySession, weights: weightsOf(groups, frequencies) };
}

/**
 * How well a whole session fits, by BM25 with events instead of words.
 *
 * @param length - The events of the session, as a share of those of a session on average.
 */
export function sessionScore(
  { bySession, weights }: WordCounts,
  session: number,
  length: number,
): number {
  const counts = bySession.get(session) ?? [];
  return counts.reduce((sum, count, bit) => {
    const often = (count * (K1 + 1)) / (count + K1 * (1 - B + B * length));
    return sum + (weights[bit] ?? 0) * often;
  }, 0);
}
