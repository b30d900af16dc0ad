import type { Statement } from '@vizprompt/providers';
import { sweepBlobs } from '../blob/sweep-blobs.ts';
import { MemoryError } from '../errors.ts';
import { assertKnownKeys } from '../known-keys.ts';
import { eventNotFound } from '../log/list-events.ts';
import { hashesOf } from '../session/delete-session.ts';
import { findSession, sessionNotFound } from '../session/session-rows.ts';
import { isId } from '../store/ids.ts';
import type { MemoryContext } from '../store/memory-context.ts';

/** What is to be forgotten: one event, or all of a session. */
export type ForgetTarget = { readonly event: string } | { readonly session: string };

interface ForgetRow {
  readonly key: number;
  readonly id: string;
  readonly session_id: string;
  readonly type: string;
  readonly old_hash: string | null;
  readonly new_hash: string | null;
  readonly diff_hash: string | null;
}

const SELECT = `SELECT e.key, e.id, s.id AS session_id, e.type, e.old_hash, e.new_hash, e.diff_hash
  FROM memory_events AS e JOIN memory_sessions AS s ON s.key = e.session_key`;

const CLEAR = `UPDATE memory_events SET type = 'forgotten', data = '{}', meta = NULL, redactions = 0,
  file_path = NULL, old_hash = NULL, new_hash = NULL, diff_hash = NULL, intention_event_id = NULL
  WHERE key = ?`;

/**
 * Takes the content of events away; what stays is an empty marker with id, time and place.
 *
 * @returns The events that had a content until now.
 */
export async function forget(
  context: MemoryContext,
  target: ForgetTarget,
): Promise<readonly { readonly id: string; readonly session_id: string }[]> {
  assertTarget(target);
  const { database, tenant, events } = context;
  const rows =
    'event' in target
      ? await database.query<ForgetRow>(`${SELECT} WHERE e.tenant = ? AND e.id = ?`, [
          tenant,
          target.event,
        ])
      : await rowsOfSession(context, target.session);
  if ('event' in target && rows.length === 0) throw eventNotFound(target.event);
  const full = rows.filter(({ type }) => type !== 'forgotten');
  const statements = full.flatMap(({ key }) => clearEvent(context, key));
  if ('session' in target) {
    statements.push({
      sql: "UPDATE memory_sessions SET metadata = '{}' WHERE tenant = ? AND id = ?",
      params: [tenant, target.session],
    });
  }
  await database.batch(statements);
  await sweepBlobs(context, full.flatMap(hashesOf));
  await context.vectors?.remove(full);
  for (const { id, session_id } of full) events.emit('event:forgotten', { id, session_id });
  return full.map(({ id, session_id }) => ({ id, session_id }));
}

/** A target that names nothing, or two things, must not be taken for a session or an event. */
function assertTarget(target: ForgetTarget): void {
  assertKnownKeys('forget', target, ['event', 'session']);
  const given: readonly unknown[] = Object.values(target);
  if (given.length === 1 && isId(given[0])) return;
  throw new MemoryError(
    'invalid-input',
    "forget takes either the id of an 'event' or of a 'session'",
  );
}

/** The statements that leave an empty marker of an event, without a word in the index. */
function clearEvent({ index }: MemoryContext, key: number): readonly Statement[] {
  return [{ sql: CLEAR, params: [key] }, ...index.put({ id: key, fields: {} })];
}

async function rowsOfSession(context: MemoryContext, id: string): Promise<readonly ForgetRow[]> {
  const session = await findSession(context, context.database, id);
  if (!session) throw sessionNotFound(id);
  return context.database.query<ForgetRow>(
    `${SELECT} WHERE e.session_key = ? ORDER BY e.sequence`,
    [session.key],
  );
}
