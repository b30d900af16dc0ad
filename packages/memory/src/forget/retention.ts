import { MemoryError } from '../errors.ts';
import type { RetentionOptions } from '../options.ts';
import { deleteSession } from '../session/delete-session.ts';
import type { MemoryContext } from '../store/memory-context.ts';

const DAY_MS = 86_400_000;

/** What retention took away. */
export interface RetentionReport {
  readonly sessions: number;
  readonly events: number;
}

/** Refuses limits that would delete everything by mistake. */
export function assertRetention({ maxAgeDays, maxBytes }: RetentionOptions): void {
  for (const [name, value] of Object.entries({ maxAgeDays, maxBytes })) {
    if (value === undefined || (Number.isFinite(value) && value > 0)) continue;
    throw new MemoryError(
      'invalid-input',
      `the retention's ${name} is ${value}: it must be above 0`,
    );
  }
}

/** Deletes the sessions that rested too long, then those that rested longest until the rest is small. */
export async function applyRetention(
  context: MemoryContext,
  options: RetentionOptions,
  signal?: AbortSignal,
): Promise<RetentionReport> {
  assertRetention(options);
  const { maxAgeDays, maxBytes } = options;
  const { database, tenant, clock, events } = context;
  const report = { sessions: 0, events: 0 };
  const remove = async (id: string): Promise<void> => {
    signal?.throwIfAborted();
    report.events += await deleteSession(context, id);
    report.sessions++;
    events.emit('session:deleted', { id });
    events.emit('task:progress', { task: 'retention', done: report.sessions });
  };
  if (maxAgeDays !== undefined) {
    const oldest = new Date(clock() - maxAgeDays * DAY_MS).toISOString();
    const rows = await database.query<{ id: string }>(
      'SELECT id FROM memory_sessions WHERE tenant = ? AND updated_at < ? ORDER BY updated_at',
      [tenant, oldest],
    );
    for (const { id } of rows) await remove(id);
  }
  if (maxBytes !== undefined) {
    const sizes = await sessionSizes(context);
    let used = sizes.reduce((sum, { bytes }) => sum + bytes, 0);
    for (const { id, bytes } of sizes) {
      if (used + (await contentBytes(context)) <= maxBytes) break;
      await remove(id);
      used -= bytes;
    }
  }
  if (report.sessions > 0) events.emit('retention:applied', report);
  return report;
}

/** What the events of each session take, the session that rested longest first. */
async function sessionSizes({
  database,
  tenant,
}: MemoryContext): Promise<readonly { readonly id: string; readonly bytes: number }[]> {
  return database.query<{ id: string; bytes: number }>(
    `SELECT s.id, CAST(COALESCE(SUM(OCTET_LENGTH(e.data) + COALESCE(OCTET_LENGTH(e.meta), 0)), 0)
       AS BIGINT) AS bytes
     FROM memory_sessions AS s LEFT JOIN memory_events AS e ON e.session_key = s.key
     WHERE s.tenant = ? GROUP BY s.key, s.id, s.updated_at ORDER BY s.updated_at, s.key`,
    [tenant],
  );
}

/** What the contents of files take, compressed. */
async function contentBytes({ database, tenant }: MemoryContext): Promise<number> {
  const [row] = await database.query<{ bytes: number }>(
    `SELECT CAST(COALESCE(SUM(OCTET_LENGTH(data)), 0) AS BIGINT) AS bytes
     FROM memory_blobs WHERE tenant = ?`,
    [tenant],
  );
  return row?.bytes ?? 0;
}
