import type { SqlParameter } from '@vizprompt/providers';
import { checkOptions } from '../check-values.ts';
import { isId } from '../model/ids.ts';
import type { EventOf, MemoryEvent } from '../model/memory-event.ts';
import { eventNotFound, readEventRows, SELECT_EVENTS, type EventRow } from '../store/event-rows.ts';
import type { MemoryContext } from '../store/memory-context.ts';
import { listOf, partsOf } from '../store/sql.ts';
import { FILE_HISTORY_OPTIONS, type FileChange, type FileHistoryOptions } from './file-options.ts';
import { pathsOf } from './file-rows.ts';
import { IS_PENDING } from './pending-intentions.ts';

/** How a file was changed, the newest change first. */
export async function fileHistory(
  context: MemoryContext,
  path: string,
  options: FileHistoryOptions,
): Promise<FileChange[]> {
  checkOptions('fileHistory', options, FILE_HISTORY_OPTIONS);
  const { workspace, before, limit = 100 } = options;
  const { database, tenant } = context;
  const paths = await pathsOf(context, path, workspace);
  const params: SqlParameter[] = [tenant, ...paths];
  let behind = '';
  if (before !== undefined) {
    if (!isId(before)) throw eventNotFound(before);
    const [last] = await database.query<{ key: number; timestamp: string }>(
      'SELECT key, timestamp FROM memory_events WHERE tenant = ? AND id = ?',
      [tenant, before],
    );
    if (!last) throw eventNotFound(before);
    behind = 'AND (e.timestamp, e.key) < (?, ?)';
    params.push(last.timestamp, last.key);
  }
  const rows = await database.query<EventRow>(
    `${SELECT_EVENTS} WHERE e.tenant = ? AND e.file_path IN ${listOf(paths)}
     AND (e.type = 'file_edit' OR (e.type = 'code_intention' AND ${IS_PENDING})) ${behind}
     ORDER BY e.timestamp DESC, e.key DESC LIMIT ?`,
    [...params, limit],
  );
  const { events: read } = await readEventRows(database, tenant, rows);
  const events = read.filter((event) => event !== undefined);
  const intentions = await intentionsOf(context, events);
  return events.flatMap((event): FileChange[] => {
    const { timestamp, session_id } = event;
    if (event.type === 'code_intention') return [{ timestamp, session_id, intention: event }];
    if (event.type !== 'file_edit') return [];
    const intention = linksOf(event)
      .map((id) => intentions.get(id))
      .find((found) => found !== undefined);
    return [{ timestamp, session_id, ...(intention ? { intention } : {}), edit: event }];
  });
}

function linksOf({ data, parent_event_id: parent }: EventOf<'file_edit'>): string[] {
  return [data.intention_event_id, parent].filter((id) => id !== undefined);
}

async function intentionsOf(
  { database, tenant }: MemoryContext,
  events: readonly MemoryEvent[],
): Promise<ReadonlyMap<string, EventOf<'code_intention'>>> {
  const ids = [
    ...new Set(events.flatMap((event) => (event.type === 'file_edit' ? linksOf(event) : []))),
  ];
  const found = new Map<string, EventOf<'code_intention'>>();
  for (const some of partsOf(ids, 200)) {
    const rows = await database.query<EventRow>(
      `${SELECT_EVENTS} WHERE e.tenant = ? AND e.id IN ${listOf(some)}`,
      [tenant, ...some],
    );
    const { events: causes } = await readEventRows(database, tenant, rows);
    for (const event of causes) {
      if (event?.type === 'code_intention') found.set(event.id, event);
    }
  }
  return found;
}
