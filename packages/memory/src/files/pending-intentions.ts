import type { Kinds } from '@vizprompt/providers/config/internal';
import { checkOptions } from '../check-values.ts';
import { SESSION, WORKSPACE } from '../model/input-kinds.ts';
import type { EventOf } from '../model/memory-event.ts';
import { workspaceGroup } from '../session/workspaces.ts';
import { readEventRows, SELECT_EVENTS, type EventRow } from '../store/event-rows.ts';
import type { MemoryContext } from '../store/memory-context.ts';
import { resolveSession } from '../store/session-rows.ts';
import { SqlConditions } from '../store/sql.ts';

/** Options of `pendingIntentions`. */
export interface PendingFilter {
  /** The id of a session. */
  readonly session?: string | undefined;
  /** The sessions of this folder, and of all that were declared the same workspace. */
  readonly workspace?: string | undefined;
}

const PENDING_FILTER: Kinds<PendingFilter> = { session: SESSION, workspace: WORKSPACE };

/** No edit carried out the intention `e`. */
export const IS_PENDING = `NOT EXISTS (SELECT 1 FROM memory_events AS x
  WHERE x.file_path = e.file_path AND x.type = 'file_edit' AND x.tenant = e.tenant
    AND (x.intention_event_id = e.id OR x.parent_event_id = e.id))`;

/** Intentions that no edit followed: the process died in between, or the edit never came. */
export async function pendingIntentions(
  context: MemoryContext,
  filter: PendingFilter,
): Promise<EventOf<'code_intention'>[]> {
  checkOptions('pendingIntentions', filter, PENDING_FILTER);
  const { session, workspace } = filter;
  const { database, tenant } = context;
  const where = new SqlConditions().add('e.tenant = ?', tenant);
  where.add(`e.type = 'code_intention' AND e.file_path IS NOT NULL AND ${IS_PENDING}`);
  if (session !== undefined) {
    where.add('e.session_key = ?', (await resolveSession(context, session)).key);
  }
  if (workspace !== undefined) {
    where.addIn('s.workspace_path', await workspaceGroup(context, workspace));
  }
  const rows = await database.query<EventRow>(
    `${SELECT_EVENTS} WHERE ${where.sql} ORDER BY e.timestamp, e.key`,
    where.params,
  );
  // A damaged one is passed over; events() and check() report it.
  const { events } = await readEventRows(database, tenant, rows);
  return events.filter((event) => event?.type === 'code_intention');
}
