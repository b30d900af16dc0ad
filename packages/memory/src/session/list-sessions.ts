import { type Kinds, oneOf, optional, TEXT } from '@vizprompt/providers/config/internal';
import { checkOptions } from '../check-values.ts';
import { ID, limitKind, WORKSPACE } from '../model/input-kinds.ts';
import type { SessionInfo } from '../model/session.ts';
import type { MemoryContext } from '../store/memory-context.ts';
import {
  findSession,
  SELECT_SESSIONS,
  sessionNotFound,
  toListedSession,
  type SessionRow,
} from '../store/session-rows.ts';
import { SqlConditions } from '../store/sql.ts';
import { AUDIENCE, type Audience, audienceCondition, isOf } from './audience.ts';
import { workspaceGroup } from './workspaces.ts';

/** Which sessions to list. */
export interface SessionFilter extends Audience {
  /** Only sessions of this folder, and of all that were declared the same workspace. */
  readonly workspace?: string | undefined;
  /** Those with this tag in their metadata. */
  readonly tag?: string | undefined;
  /** Running or ended ones only. */
  readonly state?: 'active' | 'ended' | undefined;
  /** Those that started before this session, for the next page. */
  readonly before?: string | undefined;
  /** At most this many. Default: 100. */
  readonly limit?: number | undefined;
}

export const SESSION_FILTER: Kinds<SessionFilter> = {
  ...AUDIENCE,
  workspace: WORKSPACE,
  tag: optional(TEXT, {
    en: 'Only those with this tag in their metadata',
    ja: 'このタグのあるものだけ',
  }),
  state: optional(oneOf('active', 'ended'), {
    en: 'Only running or ended ones',
    ja: '進行中だけ(active)、または終わったものだけ(ended)',
  }),
  before: optional(ID, {
    en: 'Those that started before this session: its id',
    ja: 'このセッション(ID)より前に始まったもの',
  }),
  limit: limitKind(100),
};

/** How many rows are looked at in one go where tags must be read. */
const PAGE = 500;

/** Sessions, the newest first. */
export async function listSessions(
  context: MemoryContext,
  filter: SessionFilter,
): Promise<SessionInfo[]> {
  checkOptions('listSessions', filter, SESSION_FILTER);
  const { workspace, tag, state, before, limit = 100, user, room } = filter;
  const audience = { user, room };
  const { database, tenant } = context;
  const where = new SqlConditions().add('tenant = ?', tenant);
  if (workspace !== undefined) {
    where.addIn('workspace_path', await workspaceGroup(context, workspace));
  }
  if (state !== undefined) where.add(`ended_at IS ${state === 'active' ? '' : 'NOT '}NULL`);

  const named = audienceCondition(audience);
  if (!named.isEmpty) where.add(named.sql, ...named.params);

  let last = before === undefined ? undefined : await findSession(context, database, before);
  if (before !== undefined && !last) throw sessionNotFound(before);
  const found: SessionInfo[] = [];
  for (;;) {
    const behind = last ? ' AND (started_at, key) < (?, ?)' : '';
    const size = tag === undefined && named.isEmpty ? limit : PAGE;
    const rows: SessionRow[] = await database.query<SessionRow>(
      `${SELECT_SESSIONS} WHERE ${where.sql}${behind}
       ORDER BY started_at DESC, key DESC LIMIT ?`,
      [...where.params, ...(last ? [last.started_at, last.key] : []), size],
    );
    const sessions = rows.map(toListedSession);
    found.push(
      ...sessions.filter(
        ({ metadata }) =>
          (tag === undefined || metadata.tags?.includes(tag)) && isOf(metadata, audience),
      ),
    );
    last = rows.at(-1);
    if (found.length >= limit || rows.length < size) return found.slice(0, limit);
  }
}

/** Returns the newest running session of a folder, and of those that were declared the same workspace. */
export async function currentSession(
  context: MemoryContext,
  workspace: string,
): Promise<SessionInfo | null> {
  const [session] = await listSessions(context, { workspace, state: 'active', limit: 1 });
  return session ?? null;
}
