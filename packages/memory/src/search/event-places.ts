import type { SqlExecutor } from '@vizprompt/providers';
import type { RankFacts } from './question-factor.ts';
import type { SqlCondition } from './search-scope.ts';

/** So far before an event and behind it others lie around it. */
const REACH = 2;
/** How many events one query asks for. */
const KEYS_AT_ONCE = 500;
/** How the data of a message ends that ends with a question. */
const QUESTION = /(?:[?？]|か。)"\}$/;

/** Where an event lies, and what else counts in its ranking. */
export interface Place extends RankFacts {
  readonly key: number;
  readonly session: number;
  readonly sequence: number;
  /** The last characters of its data, if it is a message and they were asked for. */
  readonly tail: string | null;
}

/** What of events to read beside where they lie. */
export interface PlacesOptions {
  /** Of the events around them those that fit, as well. */
  readonly neighbours: SqlCondition | undefined;
  /** How messages end. */
  readonly tails: boolean;
}

/** Whether an event is known to be a message that ends with a question. */
export function asks({ tail }: Place): boolean {
  return tail !== null && QUESTION.test(tail);
}

/** Where events lie. */
export async function placesOf(
  database: SqlExecutor,
  keys: readonly number[],
  { neighbours, tails }: PlacesOptions,
): Promise<readonly Place[]> {
  const from = neighbours ? AROUND : ALONE;
  const { sql, params } = neighbours ?? { sql: 'TRUE', params: [] };
  const tail = tails ? TAIL : 'NULL';
  const places = new Map<number, Place>();
  for (let at = 0; at < keys.length; at += KEYS_AT_ONCE) {
    const part = keys.slice(at, at + KEYS_AT_ONCE);
    const rows = await database.query<Place>(
      `SELECT n.key AS key, n.session_key AS session, n.sequence AS sequence,
         n.timestamp AS timestamp,
         CASE WHEN n.meta LIKE '%"speaker"%' THEN n.meta END AS "speakerMeta",
         ${tail} AS tail
       FROM ${from} IN (${part.map(() => '?').join(', ')}) AND ${sql}`,
      [...part, ...params],
    );
    for (const row of rows) places.set(row.key, row);
  }
  return [...places.values()];
}

/** The last characters of a message. */
const TAIL = `CASE WHEN n.type IN ('user_message', 'assistant_message')
  THEN substr(n.data, length(n.data) - 3) END`;
const ALONE = 'memory_events AS n WHERE n.key';
const AROUND = `memory_events AS e JOIN memory_events AS n ON n.session_key = e.session_key
  AND n.sequence BETWEEN e.sequence - ${REACH} AND e.sequence + ${REACH}
  WHERE e.key`;
