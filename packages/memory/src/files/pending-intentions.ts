import { assertKnownKeys } from '../check-values.ts';
import type { EventOf } from '../model/memory-event.ts';
import { workspaceGroup } from '../session/workspaces.ts';
import { eventsOfRows, SELECT_EVENTS, type EventRow } from '../store/event-rows.ts';
import type { MemoryContext } from '../store/memory-context.ts';
import { resolveSession } from '../store/session-rows.ts';
import { SqlConditions } from '../store/sql.ts';

/** No edit carried out the intention `e`. */
export const IS_PENDING = `NOT EXISTS (SELECT 1 FROM memory_events AS x
  WHERE x.file_path = e.file_path AND x.type = 'file_edit' AND x.tenant = e.tenant
    AND (x.intention_event_id = e.id OR x.parent_event_id = e.id))`;

/** Intentions that no edit followed: the process died in between, or the edit never came. */
export async function pendingIntentions(
  context: MemoryContext,
  filter: { readonly session?: string; readonly workspace?: string },
): Promise<EventOf<'code_intention'>[]> {
  assertKnownKeys('pendingIntentions', filter, ['session', 'workspace']);
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
  const events = await eventsOfRows(database, tenant, rows);
  return events.filter((event) => event.type === 'code_intention');
}
