import { SIGNAL_OPTION, type SignalOption } from '../model/input-kinds.ts';
import { messageOf } from '@vizprompt/providers';
import { checkOptions } from '../check-values.ts';
import { damageOf } from '@vizprompt/providers/internal';
import { blobPages, HASH_COLUMNS, textOfBlob } from '../store/blobs.ts';
import {
  damagedError,
  type EventRow,
  readEventRow,
  SELECT_EVENTS,
  UNCLEARED,
} from '../store/event-rows.ts';
import type { MemoryContext } from '../store/memory-context.ts';
import { SELECT_SESSIONS, toSession, type SessionRow } from '../store/session-rows.ts';

/** Something in the memory that is not as it should be. */
export interface CheckProblem {
  /**
   * - `database`: the file is damaged
   * - `sequence`: the numbers of a session's events have gaps, or their count is wrong
   * - `index`: the search does not know an event, or knows one that is gone
   * - `content`: the text of a file is missing or damaged; `data`: an event or a session cannot be read, or a
   *   forgotten event still has data
   */
  readonly code: 'database' | 'sequence' | 'index' | 'content' | 'data';
  readonly message: string;
  /** The id of the session. */
  readonly session?: string;
  /** The id of the event. */
  readonly event?: string;
  /** The table of a damaged row, and its column. */
  readonly table?: string;
  readonly field?: string;
}

/** The result of `check`. */
export interface CheckReport {
  readonly isOk: boolean;
  /** The readable sessions, events and so on. */
  readonly sessions: number;
  readonly events: number;
  readonly contents: number;
  /** At most 1,000. */
  readonly problems: readonly CheckProblem[];
}

/** The most problems that a report lists. */
const MAX_PROBLEMS = 1000;

/** Reads everything, and reports inconsistencies. Nothing is changed. */
export async function checkStore(
  context: MemoryContext,
  options: SignalOption,
): Promise<CheckReport> {
  checkOptions('check', options, SIGNAL_OPTION);
  const problems: CheckProblem[] = [];
  const counts = { sessions: 0, events: 0, contents: 0 };
  for await (const found of findings(context, counts)) {
    options.signal?.throwIfAborted();
    if (found && problems.length < MAX_PROBLEMS) problems.push(found);
  }
  return { isOk: problems.length === 0, ...counts, problems };
}

type Counts = { sessions: number; events: number; contents: number };

/** Problems, and `undefined` now and then so that a signal is heard. */
async function* findings(
  context: MemoryContext,
  counts: Counts,
): AsyncGenerator<CheckProblem | undefined> {
  const steps = [
    checkFile,
    checkSequences,
    checkIndex,
    checkSessions,
    checkEvents,
    checkForgotten,
    checkContents,
  ];
  for (const step of steps) {
    try {
      yield* step(context, counts);
    } catch (error) {
      yield { code: 'database', message: messageOf(error) };
    }
  }
}

async function* checkFile({ database }: MemoryContext): AsyncGenerator<CheckProblem> {
  if (database.dialect !== 'sqlite') return;
  const rows = await database.query<{ integrity_check: string }>('PRAGMA integrity_check(100)');
  for (const { integrity_check: message } of rows) {
    if (message !== 'ok') yield { code: 'database', message };
  }
}

async function* checkSequences(
  { database, tenant }: MemoryContext,
  counts: Counts,
): AsyncGenerator<CheckProblem> {
  const rows = await database.query<{
    id: string;
    event_count: number;
    found: number;
    first: number | null;
    last: number | null;
  }>(
    `SELECT s.id, s.event_count, COUNT(e.key) AS found, MIN(e.sequence) AS first, MAX(e.sequence) AS last
     FROM memory_sessions AS s LEFT JOIN memory_events AS e ON e.session_key = s.key
     WHERE s.tenant = ? GROUP BY s.key, s.id, s.event_count`,
    [tenant],
  );
  counts.sessions = rows.length;
  for (const { id, event_count: count, found, first, last } of rows) {
    const isGapless = found === 0 || (first === 1 && last === found);
    if (isGapless && count === found) continue;
    yield {
      code: 'sequence',
      session: id,
      message: `the session '${id}' says it has ${count} events: there are ${found}, numbered ${first} to ${last}`,
    };
  }
}

async function* checkIndex({ index }: MemoryContext): AsyncGenerator<CheckProblem> {
  const { missing, extra } = await index.check();
  if (missing.length > 0) {
    yield {
      code: 'index',
      message: `the search misses the events with the keys ${missing.join(', ')}`,
    };
  }
  if (extra.length > 0) {
    yield {
      code: 'index',
      message: `the search knows the keys ${extra.join(', ')}, which are gone`,
    };
  }
}

const PAGE = 500;

async function* checkSessions({ database, tenant }: MemoryContext): AsyncGenerator<CheckProblem> {
  const rows = await database.query<SessionRow>(`${SELECT_SESSIONS} WHERE tenant = ?`, [tenant]);
  for (const row of rows) {
    const found = problemOf(() => toSession(row));
    if (found) yield { code: 'data', session: row.id, ...found };
  }
}

async function* checkEvents(
  { database, tenant, events }: MemoryContext,
  counts: Counts,
): AsyncGenerator<CheckProblem | undefined> {
  let last = 0;
  for (;;) {
    const rows = await database.query<EventRow>(
      `${SELECT_EVENTS} WHERE e.tenant = ? AND e.key > ? ORDER BY e.key LIMIT ?`,
      [tenant, last, PAGE],
    );
    for (const row of rows) {
      const read = readEventRow(row);
      if (!('problem' in read)) {
        counts.events++;
        continue;
      }
      const { id: event, session_id: session, table, field } = read;
      yield { code: 'data', event, session, table, field, message: damagedError([read]).message };
    }
    events.emit('task:progress', { task: 'check', done: counts.events });
    yield undefined;
    last = rows.at(-1)?.key ?? last;
    if (rows.length < PAGE) return;
  }
}

async function* checkForgotten({ database, tenant }: MemoryContext): AsyncGenerator<CheckProblem> {
  const rows = await database.query<{ id: string }>(
    `SELECT id FROM memory_events WHERE tenant = ? AND ${UNCLEARED} ORDER BY key LIMIT ${MAX_PROBLEMS}`,
    [tenant],
  );
  for (const { id: event } of rows) {
    const message = `the event '${event}' was forgotten and still has data: vacuum() removes them`;
    yield { code: 'data', event, table: 'memory_events', field: 'data', message };
  }
}

function problemOf(
  read: () => unknown,
): Pick<CheckProblem, 'table' | 'field' | 'message'> | undefined {
  try {
    read();
    return undefined;
  } catch (error) {
    const damage = damageOf(error);
    if (!damage) throw error;
    return { table: damage.table, field: damage.field, message: messageOf(error) };
  }
}

async function* checkContents(
  { database, tenant }: MemoryContext,
  counts: Counts,
): AsyncGenerator<CheckProblem | undefined> {
  for (const column of HASH_COLUMNS) {
    const missing = await database.query<{ id: string; hash: string }>(
      `SELECT e.id, e.${column} AS hash FROM memory_events AS e
       LEFT JOIN memory_blobs AS b ON b.tenant = e.tenant AND b.hash = e.${column}
       WHERE e.tenant = ? AND e.${column} IS NOT NULL AND b.hash IS NULL LIMIT 100`,
      [tenant],
    );
    for (const { id, hash } of missing) {
      yield { code: 'content', event: id, message: `the event '${id}' misses its content ${hash}` };
    }
  }
  for await (const rows of blobPages({ database, tenant }, 50)) {
    for (const row of rows) {
      const found = problemOf(() => textOfBlob(row));
      if (found) yield { code: 'content', ...found };
      else counts.contents++;
    }
    yield undefined;
  }
}
