import { readFile, rm } from 'node:fs/promises';
import { type Kind, type Kinds, optional } from '@vizprompt/providers/config/internal';
import { Eraser, inParts, objectAt, objectOf, textAt } from '@vizprompt/providers/internal';
import { parseShallowJson } from '@vizprompt/providers/transcripts/internal';
import { sessionIdOf } from '../capture/keys.ts';
import { checkOptions } from '../check-values.ts';
import { SIGNAL_OPTION, type SignalOption } from '../model/input-kinds.ts';
import { removeSession } from '../session/change-session.ts';
import { EVENT_BYTES, type EventRow, readEventRows, SELECT_EVENTS } from '../store/event-rows.ts';
import type { MemoryContext } from '../store/memory-context.ts';
import { FORGET_OPTIONS, type ForgetOptions, purge, textsOfEvent } from './forget.ts';
import { cleanLog, hookLogs, hookStates } from './hook-files.ts';

const DAY_MS = 86_400_000;
/** How many sessions are searched for in the logs of hooks at once. */
const CLEANED_AT_ONCE = 50;

/** The rules of automatic deletion. None by default; sessions that have not ended are never deleted. */
export interface RetentionOptions {
  /** Sessions in which nothing happened for this many days. */
  readonly maxAgeDays?: number | undefined;
  /** The sessions that rested longest, until all events and files take at most this many bytes. */
  readonly maxBytes?: number | undefined;
}

const ABOVE_NOTHING: Kind<number> = {
  expected: 'a number above 0',
  accepts: (value) => Number.isFinite(value) && Number(value) > 0,
};

/** Limits that would delete everything by mistake are refused. */
export const RETENTION_OPTIONS: Kinds<RetentionOptions> = {
  maxAgeDays: optional(ABOVE_NOTHING),
  maxBytes: optional(ABOVE_NOTHING),
};

/** Counts of what retention removed. */
export interface RetentionReport {
  readonly sessions: number;
  readonly events: number;
}

/**
 * Deletes the sessions that rested too long, then those that rested longest until the rest is small. Those
 * that have not ended stay: they may be about to continue.
 *
 * @param own - Those that the store was opened with, unless others are given.
 */
export async function applyRetention(
  context: MemoryContext,
  own: RetentionOptions,
  options: RetentionOptions & ForgetOptions & SignalOption = {},
): Promise<RetentionReport> {
  const {
    signal,
    purge: isPurged = true,
    ...given
  } = checkOptions('applyRetention', options, {
    ...RETENTION_OPTIONS,
    ...FORGET_OPTIONS,
    ...SIGNAL_OPTION,
  });
  const rules = Object.keys(given).length > 0 ? given : own;
  const { maxAgeDays, maxBytes } = rules;
  const { database, tenant, clock, events } = context;
  const report = { sessions: 0, events: 0 };
  const hooks = new RemovedSessions(context);
  /** Removes sessions, the first ones first, as long as they are due. */
  const remove = async (
    candidates: readonly Pick<SessionSize, 'id'>[],
    isDue: (freed: number) => boolean,
  ): Promise<void> => {
    let freed = 0;
    for (const some of inParts(candidates, CLEANED_AT_ONCE)) {
      if (!isDue(freed)) return;
      // As long as their words are known; a log may lose a line of one that is not due in the end.
      await hooks.cleanLogs(some.map(({ id }) => id));
      for (const { id } of some) {
        if (!isDue(freed)) return;
        signal?.throwIfAborted();
        await hooks.dropStates(id);
        const removed = await removeSession(context, id);
        freed += removed.bytes;
        report.events += removed.events;
        report.sessions++;
        events.emit('session:deleted', { id });
        events.emit('task:progress', { task: 'retention', done: report.sessions });
      }
    }
  };
  if (maxAgeDays !== undefined) {
    const oldest = new Date(clock() - maxAgeDays * DAY_MS).toISOString();
    const rows = await database.query<{ id: string }>(
      `SELECT id FROM memory_sessions WHERE tenant = ? AND ended_at IS NOT NULL AND updated_at < ?
       ORDER BY updated_at`,
      [tenant, oldest],
    );
    await remove(rows, () => true);
  }
  if (maxBytes !== undefined) {
    const sizes = await sessionSizes(context);
    const used = sizes.reduce((sum, { bytes }) => sum + bytes, await contentBytes(context));
    const ended = sizes.filter(({ ended_at }) => ended_at !== null);
    await remove(ended, (freed) => used - freed > maxBytes);
  }
  if (report.sessions > 0) {
    events.emit('retention:applied', report);
    if (isPurged) await purge(context);
  }
  return report;
}

interface SessionSize {
  readonly id: string;
  readonly ended_at: string | null;
  readonly bytes: number;
}

/** Returns the size of each session's events, the session that rested longest first. */
async function sessionSizes({ database, tenant }: MemoryContext): Promise<readonly SessionSize[]> {
  return database.query<SessionSize>(
    `SELECT s.id, s.ended_at, CAST(COALESCE(SUM(${EVENT_BYTES}), 0) AS BIGINT) AS bytes
     FROM memory_sessions AS s LEFT JOIN memory_events AS e ON e.session_key = s.key
     WHERE s.tenant = ? GROUP BY s.key, s.id, s.ended_at, s.updated_at ORDER BY s.updated_at, s.key`,
    [tenant],
  );
}

/** Returns the compressed size of all contents of files. */
async function contentBytes({ database, tenant }: MemoryContext): Promise<number> {
  const [row] = await database.query<{ bytes: number }>(
    `SELECT CAST(COALESCE(SUM(OCTET_LENGTH(data)), 0) AS BIGINT) AS bytes
     FROM memory_blobs WHERE tenant = ?`,
    [tenant],
  );
  return row?.bytes ?? 0;
}

/** This many characters are searched for in the logs at once. */
const MAX_LEARNED = 1 << 23;
const PAGE = 100;

/**
 * Removes sessions from the files of hooks. All memories of a user share these, so only a session's own state is deleted;
 * each state is read once, and a log once for many sessions.
 */
class RemovedSessions {
  readonly #context: MemoryContext;
  readonly #logs: readonly string[];
  #states: Promise<ReadonlyMap<string, readonly string[]>> | undefined;
  #eraser = new Eraser('');
  #learned = 0;

  constructor(context: MemoryContext) {
    this.#context = context;
    this.#logs = hookLogs(context.file);
  }

  /** Deletes how far the transcript of a session was read. */
  async dropStates(id: string): Promise<void> {
    this.#states ??= statesBySession(await hookStates(this.#context.file));
    for (const path of (await this.#states).get(id) ?? []) await rm(path, { force: true });
  }

  /** Removes the lines of logs that hold what was said in sessions, which are still there. */
  async cleanLogs(ids: readonly string[]): Promise<void> {
    if (this.#logs.length === 0) return;
    for (const id of ids) for await (const rows of this.#pages(id)) await this.#learn(rows);
    await this.#clean();
  }

  async *#pages(id: string): AsyncGenerator<readonly EventRow[], void, undefined> {
    const { database, tenant } = this.#context;
    for (let last = 0; ;) {
      const rows = await database.query<EventRow>(
        `${SELECT_EVENTS} WHERE s.tenant = ? AND s.id = ? AND e.sequence > ? ORDER BY e.sequence LIMIT ?`,
        [tenant, id, last, PAGE],
      );
      if (rows.length > 0) yield rows;
      last = rows.at(-1)?.sequence ?? last;
      if (rows.length < PAGE) return;
    }
  }

  async #learn(rows: readonly EventRow[]): Promise<void> {
    const { database, tenant } = this.#context;
    const { events } = await readEventRows(database, tenant, rows);
    for (const text of events.flatMap((event) => (event ? textsOfEvent(event) : []))) {
      this.#eraser.learn(text);
      this.#learned += text.length;
    }
    if (this.#learned > MAX_LEARNED) await this.#clean();
  }

  async #clean(): Promise<void> {
    if (this.#learned > 0) for (const path of this.#logs) await cleanLog(path, this.#eraser);
    this.#eraser = new Eraser('');
    this.#learned = 0;
  }
}

/** Returns the states of each session of an agent; those of none are not known to belong to a session. */
async function statesBySession(
  paths: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const states = new Map<string, string[]>();
  for (const path of paths) {
    const saved = objectOf(parseShallowJson(await readFile(path, 'utf8').catch(() => '')));
    const session = objectAt(objectAt(saved, 'reader'), 'session');
    const [agent, sourceId] = [textAt(session, 'agent'), textAt(session, 'sourceId')];
    if (agent === undefined || sourceId === undefined) continue;
    const id = sessionIdOf(agent, sourceId);
    states.set(id, [...(states.get(id) ?? []), path]);
  }
  return states;
}
