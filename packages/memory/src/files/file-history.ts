import type { SqlParameter } from '@vizprompt/providers';
import type { Kinds } from '@vizprompt/providers/config/internal';
import { inParts, objectOf, parseJson, textAt } from '@vizprompt/providers/internal';
import { checkOptions } from '../check-values.ts';
import { isId } from '../model/ids-and-times.ts';
import { SESSION, WORKSPACE } from '../model/input-kinds.ts';
import type { EventOf, MemoryEvent } from '../model/memory-event.ts';
import { filePath, isInside, workspacePath } from '../model/paths.ts';
import { storedPath } from '../redact/redactor.ts';
import { workspaceGroup } from '../session/workspaces.ts';
import { eventNotFound, type EventRow, readEventRows, SELECT_EVENTS } from '../store/event-rows.ts';
import type { MemoryContext } from '../store/memory-context.ts';
import { resolveSession } from '../store/session-rows.ts';
import { listOf, SqlConditions } from '../store/sql.ts';
import {
  type ChangedFile,
  FILE_HISTORY_OPTIONS,
  FILE_LIST_OPTIONS,
  type FileChange,
  type FileHistoryOptions,
  type FileListOptions,
} from './file-options.ts';
import { realPlace, recordedPath } from './resolve-file.ts';

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
  const names = await earlierNames(context, paths);
  const params: SqlParameter[] = [
    tenant,
    ...paths,
    ...names.flatMap(({ path: name, timestamp, key }) => [name, timestamp, key]),
  ];
  const isNamed = names
    .map(() => ' OR (e.file_path = ? AND (e.timestamp, e.key) < (?, ?))')
    .join('');
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
    `${SELECT_EVENTS} WHERE e.tenant = ? AND (e.file_path IN ${listOf(paths)}${isNamed})
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

/** A name that a file had, until an event. */
interface EarlierName {
  readonly path: string;
  readonly timestamp: string;
  readonly key: number;
}

/** A file that is moved again and again in a circle ends somewhere. */
const MAX_NAMES = 50;

/** Returns the names that files had before they were moved to where they are. */
async function earlierNames(
  { database, tenant }: MemoryContext,
  paths: readonly string[],
): Promise<readonly EarlierName[]> {
  const names: EarlierName[] = [];
  let now = paths;
  while (now.length > 0 && names.length < MAX_NAMES) {
    const rows = await database.query<{ timestamp: string; key: number; meta: string }>(
      `SELECT e.timestamp, e.key, e.meta FROM memory_events AS e WHERE e.tenant = ?
       AND e.file_path IN ${listOf(now)} AND e.type = 'file_edit' AND e.meta LIKE '%"moved_from"%'`,
      [tenant, ...now],
    );
    const found = rows.flatMap(({ timestamp, key, meta }): readonly EarlierName[] => {
      const path = textAt(objectOf(parseJson(meta)), 'moved_from');
      return path === undefined ? [] : [{ path, timestamp, key }];
    });
    const fresh = found.filter(({ key }) => !names.some((name) => name.key === key));
    names.push(...fresh);
    now = fresh.map(({ path }) => path);
  }
  return names;
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
  for (const some of inParts(ids, 200)) {
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

/** Files that sessions changed or meant to change, in the order of their paths. */
export async function listFiles(
  context: MemoryContext,
  options: FileListOptions,
): Promise<ChangedFile[]> {
  checkOptions('files', options, FILE_LIST_OPTIONS);
  const { workspace, after, limit = 1000 } = options;
  const { database, tenant } = context;
  // The same order on both databases.
  const path = database.dialect === 'sqlite' ? 'e.file_path' : 'e.file_path COLLATE "C"';
  const where = new SqlConditions().add('e.tenant = ?', tenant).add('e.file_path IS NOT NULL');
  if (workspace !== undefined) {
    where.addIn('s.workspace_path', await workspaceGroup(context, workspace));
  }
  if (after !== undefined) {
    where.add(`${path} > ?`, after);
  }
  return database.query<ChangedFile>(
    `SELECT e.file_path AS file_path,
       CAST(SUM(CASE WHEN e.type = 'file_edit' THEN 1 ELSE 0 END) AS BIGINT) AS edits,
       MAX(e.timestamp) AS updated_at
     FROM memory_events AS e JOIN memory_sessions AS s ON s.key = e.session_key
     WHERE ${where.sql}
     GROUP BY e.file_path ORDER BY ${path} LIMIT ?`,
    [...where.params, limit],
  );
}

/**
 * Returns the paths of a file, which may be given by a symbolic link: of one in a workspace also those in the folders
 * that are the same workspace.
 */
export async function pathsOf(
  context: MemoryContext,
  path: string,
  workspace: string | undefined,
): Promise<readonly string[]> {
  const root = workspacePath(workspace);
  const absolute = filePath(path, root);
  const real = await realPlace(absolute).catch(() => absolute);
  const given = [absolute, await recordedPath(absolute, root), real];
  const paths = [...new Set(given.map((each) => storedPath(each, context.redact)))];
  const folder = storedPath(root, context.redact);
  if (workspace === undefined || !isInside(absolute, root)) return paths;
  const group = await workspaceGroup(context, root);
  return paths.flatMap((each) =>
    isInside(each, folder) ? group.map((other) => other + each.slice(folder.length)) : [each],
  );
}

/** Options of `pendingIntentions`. */
export interface PendingFilter {
  /** The id of a session. */
  readonly session?: string | undefined;
  /** The sessions of this folder, and of all that were declared the same workspace. */
  readonly workspace?: string | undefined;
}

const PENDING_FILTER: Kinds<PendingFilter> = { session: SESSION, workspace: WORKSPACE };

/** No edit carried out the intention `e`. */
const IS_PENDING = `NOT EXISTS (SELECT 1 FROM memory_events AS x
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
