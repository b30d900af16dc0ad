import type { TextMatchOptions } from '@vizprompt/providers/text';
import { tagClauses } from '../indexing/indexed-event.ts';
import { typesOf } from '../model/event-data.ts';
import { toTime } from '../model/ids-and-times.ts';
import { workspacePath } from '../model/paths.ts';
import { storedFile } from '../redact/redactor.ts';
import { sessionKeysOf } from '../session/audience.ts';
import { workspaceGroup } from '../session/workspaces.ts';
import type { MemoryContext } from '../store/memory-context.ts';
import { resolveSession } from '../store/session-rows.ts';
import { listOf, SqlConditions, type SqlCondition } from '../store/sql.ts';
import type { SearchFilter } from './search-types.ts';

/** The part of the index that a search looks at. */
type IndexScope = Pick<TextMatchOptions, 'tags' | 'where'>;

/** Where a search looks. */
export interface SearchScope {
  readonly index: IndexScope;
  /** The condition on events, called `n`, around those of the index in their sessions. */
  readonly around: SqlCondition;
}

/**
 * Returns the condition of the filters.
 *
 * @throws MemoryError `invalid-input`, `session-not-found` or `path-outside`.
 */
export async function scopeOf(context: MemoryContext, filter: SearchFilter): Promise<SearchScope> {
  const { workspace, session, path } = filter;
  const types = filter.type === undefined ? undefined : typesOf(filter.type);
  const after = filter.after === undefined ? undefined : toTime(filter.after, 'after');
  const before = filter.before === undefined ? undefined : toTime(filter.before, 'before');
  const place = session === undefined ? undefined : await resolveSession(context, session);
  const root = workspace ?? place?.workspace;
  const file =
    path === undefined ? undefined : storedFile(path, workspacePath(root), context.redact);
  const workspaces = workspace === undefined ? undefined : await workspaceGroup(context, workspace);
  const moved = workspaces ? await movedSessions(context, workspaces) : NONE_MOVED;
  const clauses = tagClauses({
    tenant: context.tenant,
    ...(place ? { session: place.key } : {}),
    ...(workspaces ? { workspaces } : {}),
    ...(moved.here.length > 0 ? { sessions: moved.here } : {}),
    ...(types === undefined ? {} : { types }),
    ...(file === undefined ? {} : { path: file }),
    ...(after === undefined ? {} : { after }),
    ...(before === undefined ? {} : { before }),
  });
  const { user, room } = filter;
  const sessions =
    user === undefined && room === undefined
      ? undefined
      : await sessionKeysOf(context, { user, room });
  const where = conditionsFor(after, before, moved.away, sessions);
  return {
    index: { tags: clauses, ...(where ? { where } : {}) },
    around: aroundCondition({ types, file, after, before }),
  };
}

/** Sessions and workspaces are those of the events in the middle. */
function aroundCondition(filter: {
  readonly types: readonly string[] | undefined;
  readonly file: string | undefined;
  readonly after: string | undefined;
  readonly before: string | undefined;
}): SqlCondition {
  const { types, file, after, before } = filter;
  const where = new SqlConditions().add("n.type <> 'forgotten'");
  if (types) where.addIn('n.type', types);
  if (file !== undefined) where.add('n.file_path = ?', file);
  if (after !== undefined) where.add('n.timestamp > ?', after);
  if (before !== undefined) where.add('n.timestamp < ?', before);
  return where;
}

interface Moved {
  readonly here: readonly number[];
  readonly away: readonly number[];
}

const NONE_MOVED: Moved = { here: [], away: [] };

/** Sessions that were moved into the workspaces or out of them after they were started. */
async function movedSessions(
  { database, tenant }: MemoryContext,
  workspaces: readonly string[],
): Promise<Moved> {
  const rows = await database.query<{ key: number; home_path: string; workspace_path: string }>(
    `SELECT key, home_path, workspace_path FROM memory_sessions
     WHERE tenant = ? AND home_path <> workspace_path`,
    [tenant],
  );
  if (rows.length === 0) return NONE_MOVED;
  const isHere = (row: (typeof rows)[number]): boolean => workspaces.includes(row.workspace_path);
  const wasHere = (row: (typeof rows)[number]): boolean => workspaces.includes(row.home_path);
  return {
    here: rows.filter((row) => isHere(row) && !wasHere(row)).map(({ key }) => key),
    away: rows.filter((row) => wasHere(row) && !isHere(row)).map(({ key }) => key),
  };
}

function conditionsFor(
  after: string | undefined,
  before: string | undefined,
  away: readonly number[],
  sessions: readonly number[] | undefined,
): TextMatchOptions['where'] {
  const where = new SqlConditions();
  if (after !== undefined) where.add('timestamp > ?', after);
  if (before !== undefined) where.add('timestamp < ?', before);
  if (away.length > 0) where.add(`session_key NOT IN ${listOf(away)}`, ...away);
  if (sessions?.length === 0) where.add('1 = 0');
  else if (sessions) where.add(`session_key IN ${listOf(sessions)}`, ...sessions);
  return where.isEmpty ? undefined : where;
}
