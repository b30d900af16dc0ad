import type { Database, SqlExecutor } from '@vizprompt/providers';
import { inParts, isJsonObject, type MatchedGroup, parseJson } from '@vizprompt/providers/internal';
import {
  bestRows,
  type Term,
  type TextMatches,
  type TextAnalyzer,
} from '@vizprompt/providers/text';
import { listOf, type SqlCondition } from '../store/sql.ts';
import { mostTimeFactor, namedTimes, timeFactor } from './named-times.ts';

/** The weight of words such as `the`, relative to others of the same frequency. */
const WEAK = 0.2;
/** The weight of words related to one of the query, by `related-words.ts`, and never more than this share of its weight. */
const RELATED = 0.5;
/** The weight of a word in an event before or after, by the distance. */
const BEFORE = [0.6, 0.3] as const;
const BEHIND = [0.5, 0.2] as const;
const AROUND: readonly number[] = [...BEFORE, ...BEHIND];
/** With `around`, what the score of a message is multiplied by that ends with a question: others answer it. */
const ASKS = 0.9;
/** Words that occur in at least this many events carry no weight in another event. */
const CONTEXT_ROWS = 500;
/** How many events of other sessions may be written between two next to each other. */
const NEAR_KEYS = 24;
/** Multiplies the score of a long event: it has some of all words. */
const LONG_FACTOR = 0.7;

/** An event with its score. */
export interface RankedEvent {
  readonly key: number;
  readonly score: number;
  /** Its session, where that was read: always with `around`. */
  readonly session?: number;
  /** True if it has one of the words itself, or is next to an event that has. */
  readonly isMatch: boolean;
}

/** Options of {@link rankEvents}. */
export interface RankOptions {
  /** The number of best matches that are ranked together with the events around them. */
  readonly depth: number;
  /**
   * Which events that have no telling word themselves are lifted by what is around them, and so found; none
   * without it.
   */
  readonly around: SqlCondition | undefined;
  /** The number of events to return. Without `around`, only candidates for them are scored. */
  readonly count: number;
  /** The factor of an event's score. */
  readonly factor: QuestionFactor;
}

/**
 * Ranks events. The score of an event is the sum of the weights of the words that it or, for less, an
 * event around it has: a question and its answer are found together. How often a word is in an event
 * counts for nothing; of equal events the newest is first.
 */
export async function rankEvents(
  database: Database,
  matches: TextMatches,
  { depth, around, count, factor }: RankOptions,
): Promise<readonly RankedEvent[]> {
  const { groups, rows, last } = matches;
  const weights = weightsOf(
    groups,
    groups.map(({ weight }) => weight),
  );
  const own = (bits: number): number =>
    weights.reduce((sum, weight, bit) => (bits & (1 << bit) ? sum + weight : sum), 0);
  const lengthFactor = (key: number): number => (last.has(key) ? LONG_FACTOR : 1);
  // Long events may fall back: some more are looked at.
  const scored = bestRows(rows, 2 * depth, own)
    .map(({ id: key, score }) => ({ key, score: score * lengthFactor(key) }))
    .toSorted(byScore)
    .slice(0, depth);
  const telling = informativeTerms(groups);
  const lend = (key: number): ContextBoost => {
    const keys = tellingNear(key, rows, telling);
    const bits = keys.reduce((sum, other) => sum | (rows.get(other) ?? 0), 0);
    const lacked = bits & telling & ~(rows.get(key) ?? 0);
    return { keys, score: own(lacked) * BEFORE[0] * lengthFactor(key) };
  };
  const { unread, read } = around
    ? { unread: [], read: scored.map(({ key }) => key) }
    : await toRead(database, scored, { count, factor, lend });
  const neighbours = telling === 0 ? undefined : around;
  const places = await placesOf(database, read, { neighbours, tails: around !== undefined });
  const bitsAt = new Map<string, number>();
  for (const { key, session, sequence } of places) {
    bitsAt.set(`${session}:${sequence}`, (rows.get(key) ?? 0) & telling);
  }
  const scoredAt = places.map((place) => {
    const { key, session, sequence } = place;
    const bits = rows.get(key) ?? 0;
    const bitsNear = (at: number): number => bitsAt.get(`${session}:${sequence + at}`) ?? 0;
    const near = [bitsNear(-1), bitsNear(-2), bitsNear(1), bitsNear(2)];
    const isLifted =
      (around !== undefined || (bits & telling) !== 0) && near.some((others) => others !== 0);
    const score = weights.reduce((sum, weight, bit) => {
      if (bits & (1 << bit)) return sum + weight;
      return isLifted ? sum + weight * share(near, 1 << bit) : sum;
    }, 0);
    const whole = score * lengthFactor(key) * factor.of(place) * (asks(place) ? ASKS : 1);
    return { key, session, isMatch: rows.has(key), score: whole };
  });
  return [...unread, ...scoredAt].filter(({ score }) => score > 0).toSorted(byScore);
}

/** Returns the bits of the words that say something in another event, too. */
function informativeTerms(groups: readonly MatchedGroup[]): number {
  return groups.reduce(
    (bits, { isComplete, isWeak, count }, bit) =>
      isComplete && !isWeak && count < CONTEXT_ROWS ? bits | (1 << bit) : bits,
    0,
  );
}

/**
 * Returns the weights of the groups of a query by their inverse frequencies. Words related to one of the query count for
 * less than that one, as long as anything has it: its own events come first.
 */
export function weightsOf(
  groups: readonly MatchedGroup[],
  frequencies: readonly number[],
): readonly number[] {
  const own = groups.map(({ isWeak }, bit) => (frequencies[bit] ?? 0) * (isWeak ? WEAK : 1));
  return groups.map(({ alternativeTo }, bit) => {
    const weight = own[bit] ?? 0;
    if (!alternativeTo) return weight;
    const named = alternativeTo.map((place) => own[place] ?? 0);
    const isSaid = named.length > 0 && named.every((one) => one > 0);
    return RELATED * (isSaid ? Math.min(weight, Math.max(...named)) : weight);
  });
}

/** Events that may lend words to another one, and how much its score grows by that at most. */
interface ContextBoost {
  readonly keys: readonly number[];
  readonly score: number;
}

/**
 * Which events must be read to be ranked: those that may be among the `count` best by what is around them, by
 * their time or by who said them, with those that may lend them words. The scores of the others are known.
 */
async function toRead(
  database: Database,
  scored: readonly { readonly key: number; readonly score: number }[],
  {
    count,
    factor,
    lend,
  }: Pick<RankOptions, 'count' | 'factor'> & { readonly lend: (key: number) => ContextBoost },
): Promise<{ readonly unread: readonly RankedEvent[]; readonly read: readonly number[] }> {
  const least = scored[count - 1]?.score ?? 0;
  const spoken = await spokenOf(
    database,
    scored.map(({ key }) => key),
  );
  const unread: RankedEvent[] = [];
  const read = new Set<number>();
  for (const { key, score } of scored) {
    const lent = lend(key);
    const isOpen = factor.isTimed || spoken.has(key);
    if (!isOpen && lent.score === 0) unread.push({ key, score, isMatch: true });
    else if ((score + lent.score) * (isOpen ? factor.most : 1) >= least) {
      for (const one of [key, ...lent.keys]) read.add(one);
    }
  }
  return { unread: unread.filter(({ key }) => !read.has(key)), read: [...read] };
}

/**
 * The events that may name a speaker. A server would read the events themselves to see it, and they are read in any case
 * then; SQLite would do so without the index.
 */
async function spokenOf(database: Database, keys: readonly number[]): Promise<ReadonlySet<number>> {
  if (keys.length === 0 || database.dialect === 'postgres') return new Set(keys);
  const rows = await database.query<{ key: number }>(
    `SELECT key FROM memory_events INDEXED BY memory_events_spoken
     WHERE meta LIKE '%"speaker"%' AND key IN ${listOf(keys)}`,
    keys,
  );
  return new Set(rows.map(({ key }) => key));
}

/**
 * Events that may be next to another one and have words that this one lacks. Those of a session are mostly
 * written one after the other, so that the keys of neighbours are near each other.
 */
function tellingNear(
  key: number,
  rows: ReadonlyMap<number, number>,
  telling: number,
): readonly number[] {
  const own = (rows.get(key) ?? 0) & telling;
  // Nothing can be lent to those that have no telling word, or all.
  if (own === 0 || own === telling) return [];
  const near: number[] = [];
  for (let other = key - NEAR_KEYS; other <= key + NEAR_KEYS; other++) {
    if ((rows.get(other) ?? 0) & telling & ~own) near.push(other);
  }
  return near;
}

/** Returns the weight of a word that only neighbours have: that of the nearest of them. */
function share(near: readonly number[], bit: number): number {
  let most = 0;
  for (let place = 0; place < near.length; place++) {
    if ((near[place] ?? 0) & bit) most = Math.max(most, AROUND[place] ?? 0);
  }
  return most;
}

function byScore(
  a: { readonly score: number; readonly key: number },
  b: { readonly score: number; readonly key: number },
): number {
  return b.score - a.score || b.key - a.key;
}

/** So far before an event and after it others lie around it. */
const REACH = 2;
/** How many events one query asks for. */
const KEYS_AT_ONCE = 500;
/** How the data of a message ends that ends with a question. */
const QUESTION = /(?:[?？]|か。)"\}$/;

/** Where an event lies, and what else counts in its ranking. */
interface Place extends RankFacts {
  readonly key: number;
  readonly session: number;
  readonly sequence: number;
  /** The last characters of its data, if it is a message and they were asked for. */
  readonly tail: string | null;
}

/** The columns of events to read besides their places. */
interface PlacesOptions {
  /** The condition for the events around them, as well. */
  readonly neighbours: SqlCondition | undefined;
  /** How messages end. */
  readonly tails: boolean;
}

/** Checks whether an event is known to be a message that ends with a question. */
function asks({ tail }: Place): boolean {
  return tail !== null && QUESTION.test(tail);
}

/** Where events lie. */
async function placesOf(
  database: SqlExecutor,
  keys: readonly number[],
  { neighbours, tails }: PlacesOptions,
): Promise<readonly Place[]> {
  const from = neighbours ? WITH_NEIGHBOURS : ALONE;
  const { sql, params } = neighbours ?? { sql: 'TRUE', params: [] };
  const tail = tails ? TAIL : 'NULL';
  const places = new Map<number, Place>();
  for (const part of inParts(keys, KEYS_AT_ONCE)) {
    const rows = await database.query<Place>(
      `SELECT n.key AS key, n.session_key AS session, n.sequence AS sequence,
         n.timestamp AS timestamp,
         CASE WHEN n.meta LIKE '%"speaker"%' THEN n.meta END AS "speakerMeta",
         ${tail} AS tail
       FROM ${from} IN ${listOf(part)} AND ${sql}`,
      [...part, ...params],
    );
    for (const row of rows) places.set(row.key, row);
  }
  return [...places.values()];
}

/** The last characters of a message. */
const TAIL = `CASE WHEN n.type IN ('user_message', 'assistant_message')
  THEN substr(n.data_text, length(n.data_text) - 3) END`;
const ALONE = 'memory_events AS n WHERE n.key';
const WITH_NEIGHBOURS = `memory_events AS e JOIN memory_events AS n ON n.session_key = e.session_key
  AND n.sequence BETWEEN e.sequence - ${REACH} AND e.sequence + ${REACH}
  WHERE e.key`;

/** Facts about an event besides its words, for ranking. */
interface RankFacts {
  /** UTC with milliseconds. */
  readonly timestamp: string;
  /** Its `meta` as JSON, if that names a speaker. */
  readonly speakerMeta?: string | null | undefined;
}

/** Factor for the score of an event whose speaker the query names. */
const SAID_BY = 1.15;

/** Factors for the scores of events, for one query. */
export interface QuestionFactor {
  /** Returns the factor of an event with these facts. */
  of(facts: RankFacts): number;
  /** Maximum factor of any event; at least 1. */
  readonly most: number;
  /** `true` if the time of an event counts. Otherwise the factor of events without a speaker is 1. */
  readonly isTimed: boolean;
}

/** Returns the score factors for the days and speakers that a query names. */
export function questionFactor(query: string, analyzer: TextAnalyzer): QuestionFactor {
  const times = namedTimes(query);
  let asked: readonly Term[] | undefined;
  const known = new Map<string, boolean>();
  const isNamed = (speaker: string): boolean => {
    asked ??= analyzer.analyze(query, 'query');
    const words = asked.map(({ text, start, end }) => ({ text, word: query.slice(start, end) }));
    return analyzer
      .analyze(speaker, 'query')
      .filter(({ isWeak }) => isWeak !== true)
      .some(({ text, start, end }) => {
        const name = speaker.slice(start, end);
        return words.some((one) => one.text === text && isSameWord(one.word, name));
      });
  };
  const isByNamed = (speaker: string): boolean => {
    const named = known.get(speaker) ?? isNamed(speaker);
    known.set(speaker, named);
    return named;
  };
  return {
    of({ timestamp, speakerMeta }) {
      const speaker = speakerOf(speakerMeta);
      const said = speaker !== undefined && isByNamed(speaker) ? SAID_BY : 1;
      return said * timeFactor(times, timestamp);
    },
    most: SAID_BY * mostTimeFactor(times),
    isTimed: times.length > 0,
  };
}

/** Checks whether words with one stem differ in their endings only: names have no irregular forms, and `Drew` does not draw. */
function isSameWord(word: string, other: string): boolean {
  if (!/^[A-Za-z]+$/.test(word + other)) return true;
  const [a, b] = [word.toLowerCase(), other.toLowerCase()];
  return a.startsWith(b.slice(0, -1)) || b.startsWith(a.slice(0, -1));
}

function speakerOf(meta: string | null | undefined): string | undefined {
  if (meta === null || meta === undefined) return undefined;
  const parsed = parseJson(meta);
  const speaker = isJsonObject(parsed) ? parsed['speaker'] : undefined;
  return typeof speaker === 'string' ? speaker : undefined;
}
