import { type Kind, type Kinds, optional } from '@vizprompt/providers/config/internal';
import { checkOptions } from '../check-values.ts';
import { SIGNAL_OPTION, type SignalOption } from '../model/input-kinds.ts';
import { removeSession } from '../session/change-session.ts';
import type { MemoryContext } from '../store/memory-context.ts';
import { FORGET_OPTIONS, forgetHookFiles, type ForgetOptions } from './forget.ts';
import { purge } from './purge.ts';

const DAY_MS = 86_400_000;

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
  const remove = async (id: string): Promise<void> => {
    signal?.throwIfAborted();
    await forgetHookFiles(context, id);
    report.events += await removeSession(context, id);
    report.sessions++;
    events.emit('session:deleted', { id });
    events.emit('task:progress', { task: 'retention', done: report.sessions });
  };
  if (maxAgeDays !== undefined) {
    const oldest = new Date(clock() - maxAgeDays * DAY_MS).toISOString();
    const rows = await database.query<{ id: string }>(
      `SELECT id FROM memory_sessions WHERE tenant = ? AND ended_at IS NOT NULL AND updated_at < ?
       ORDER BY updated_at`,
      [tenant, oldest],
    );
    for (const { id } of rows) await remove(id);
  }
  if (maxBytes !== undefined) {
    const sizes = await sessionSizes(context);
    let used = sizes.reduce((sum, { bytes }) => sum + bytes, 0);
    for (const { id, bytes, ended_at } of sizes) {
      if (ended_at === null) continue;
      if (used + (await contentBytes(context)) <= maxBytes) break;
      await remove(id);
      used -= bytes;
    }
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
    `SELECT s.id, s.ended_at, CAST(COALESCE(SUM(OCTET_LENGTH(e.data) + COALESCE(OCTET_LENGTH(e.meta), 0)), 0)
       AS BIGINT) AS bytes
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
