import type { Kinds } from '@vizprompt/providers/config/internal';
import { checkOptions } from '../check-values.ts';
import type { EventType } from '../model/event-data.ts';
import { SESSION, WORKSPACE } from '../model/input-kinds.ts';
import { workspaceGroup } from '../session/workspaces.ts';
import type { MemoryContext } from '../store/memory-context.ts';
import { resolveSession } from '../store/session-rows.ts';
import { SqlConditions } from '../store/sql.ts';
import { DATA_BYTES } from '../store/event-rows.ts';

/** The part to count: everything, or less. */
export interface StatsFilter {
  /** This folder, and all that were declared the same workspace. */
  readonly workspace?: string | undefined;
  /** The id of a session. */
  readonly session?: string | undefined;
}

export const STATS_FILTER: Kinds<StatsFilter> = { session: SESSION, workspace: WORKSPACE };

/** The content of the memory in numbers. */
export interface MemoryStats {
  readonly sessions: number;
  readonly active_sessions: number;
  readonly events: number;
  readonly events_by_type: Readonly<Partial<Record<EventType | 'forgotten', number>>>;
  /** How many files have intentions or edits. */
  readonly files: number;
  /** Secrets that were removed. */
  readonly redactions: number;
  /** UTF-8 bytes of the events' data, without the contents of files. */
  readonly event_bytes: number;
  /** ISO 8601; `null` where there is no event. */
  readonly first_event_at: string | null;
  readonly last_event_at: string | null;
  readonly workspaces: readonly WorkspaceStats[];
}

/** The content of a workspace in numbers. */
interface WorkspaceStats {
  readonly workspace_path: string;
  readonly sessions: number;
  readonly events: number;
  readonly updated_at: string;
}

/** Counts sessions and events. */
export async function readStats(context: MemoryContext, filter: StatsFilter): Promise<MemoryStats> {
  checkOptions('stats', filter, STATS_FILTER);
  const { workspace, session } = filter;
  const { database, tenant } = context;
  const conditions = new SqlConditions().add('s.tenant = ?', tenant);
  if (session !== undefined) {
    conditions.add('s.key = ?', (await resolveSession(context, session)).key);
  }
  if (workspace !== undefined) {
    conditions.addIn('s.workspace_path', await workspaceGroup(context, workspace));
  }
  const { sql: where, params } = conditions;
  const workspaces = await database.query<WorkspaceStats & { readonly active: number }>(
    `SELECT workspace_path, COUNT(*) AS sessions, CAST(SUM(event_count) AS BIGINT) AS events,
       MAX(updated_at) AS updated_at, CAST(SUM(CASE WHEN ended_at IS NULL THEN 1 ELSE 0 END) AS BIGINT)
       AS active
     FROM memory_sessions AS s WHERE ${where}
     GROUP BY workspace_path ORDER BY MAX(updated_at) DESC`,
    params,
  );
  const types = await database.query<TypeRow>(
    `SELECT e.type, COUNT(*) AS count, CAST(SUM(e.redactions) AS BIGINT) AS redactions,
       CAST(SUM(${DATA_BYTES}) AS BIGINT) AS bytes, MIN(e.timestamp) AS first, MAX(e.timestamp) AS last
     FROM memory_events AS e JOIN memory_sessions AS s ON s.key = e.session_key
     WHERE ${where} GROUP BY e.type ORDER BY e.type`,
    params,
  );
  const [files] = await database.query<{ count: number }>(
    `SELECT COUNT(DISTINCT e.file_path) AS count
     FROM memory_events AS e JOIN memory_sessions AS s ON s.key = e.session_key
     WHERE ${where} AND e.file_path IS NOT NULL`,
    params,
  );
  const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0);
  return {
    sessions: sum(workspaces.map((one) => one.sessions)),
    active_sessions: sum(workspaces.map(({ active }) => active)),
    events: sum(types.map(({ count }) => count)),
    events_by_type: Object.fromEntries(types.map(({ type, count }) => [type, count])),
    files: files?.count ?? 0,
    redactions: sum(types.map(({ redactions }) => redactions)),
    event_bytes: sum(types.map(({ bytes }) => bytes)),
    first_event_at: types.map(({ first }) => first).toSorted()[0] ?? null,
    last_event_at:
      types
        .map(({ last }) => last)
        .toSorted()
        .at(-1) ?? null,
    workspaces: workspaces.map(({ active: _active, ...one }) => one),
  };
}

interface TypeRow {
  readonly type: EventType | 'forgotten';
  readonly count: number;
  readonly redactions: number;
  readonly bytes: number;
  readonly first: string;
  readonly last: string;
}
