import { filePath, workspacePath } from '../model/paths.ts';
import { fuseKeys } from '../search/fuse-keys.ts';
import { namedTimes } from '../search/named-times.ts';
import { findByMeaning, findEvents } from '../search/search-events.ts';
import { workspaceGroup } from '../session/workspaces.ts';
import { OF_TENANT } from '../store/event-rows.ts';
import type { MemoryContext } from '../store/memory-context.ts';
import type { Candidate } from './candidate.ts';
import { joinChanges } from './join-changes.ts';
import { newestFirst } from './newest-first.ts';
import type { RecallReason, RecallRequest } from './recall-options.ts';

/** How many events each list brings. */
const FROM_TEXT = 64;
const FROM_FILE = 20;
const FROM_SESSION = 15;
/** So many of the newest sessions count as recent. */
const RECENT_SESSIONS = 3;
/** What the lists count beside each other: what was asked for comes first. */
const WEIGHTS: Readonly<Record<RecallReason, number>> = {
  text: 1,
  vector: 1,
  file: 0.6,
  recent: 0.25,
};

/**
 * The events that fit the task, in the order of their use: ranked lists, fused by reciprocal rank; of each file the
 * newest change first, unless the query names a time.
 */
export async function recallCandidates(
  context: MemoryContext,
  request: RecallRequest,
): Promise<readonly Candidate[]> {
  const { query = '', workspace, path, signal } = request;
  const lists: { readonly reason: RecallReason; readonly keys: readonly number[] }[] = [];
  const fits = new Map<number, number>();
  if (query.trim() !== '') {
    const options = { workspace, ...(signal ? { signal } : {}) };
    const ranked = await findEvents(context, query, options, {
      depth: FROM_TEXT,
      around: true,
      count: FROM_TEXT,
    });
    lists.push({ reason: 'text', keys: ranked.slice(0, FROM_TEXT).map(({ key }) => key) });
    const near = await findByMeaning(context, query, options, FROM_TEXT);
    if (near.length > 0) lists.push({ reason: 'vector', keys: near });
    for (const [place, key] of near.entries()) fits.set(key, 1 - place / near.length);
    for (const { key, score } of ranked) {
      fits.set(key, Math.max(score / (ranked[0]?.score ?? score), fits.get(key) ?? 0));
    }
  }
  if (path !== undefined) {
    const file = filePath(path, workspacePath(workspace));
    lists.push({ reason: 'file', keys: await eventsOfFile(context, file) });
  }
  lists.push({ reason: 'recent', keys: await recentEvents(context, workspace) });
  signal?.throwIfAborted();
  const fused = fuseKeys(
    lists.map(({ keys }) => keys),
    lists.map(({ reason }) => WEIGHTS[reason]),
  );
  if (fused.length === 0) return [];
  const candidates = fused.map(({ key, score }) => {
    const reasons = lists.filter(({ keys }) => keys.includes(key)).map(({ reason }) => reason);
    return { key, score, reasons, fit: fits.get(key) ?? 0 };
  });
  const changes = await joinChanges(context, candidates);
  return namedTimes(query).length > 0 ? changes : newestFirst(changes);
}

/** The newest intentions and edits of a file. */
async function eventsOfFile(
  { database, tenant }: MemoryContext,
  path: string,
): Promise<readonly number[]> {
  const rows = await database.query<{ key: number }>(
    `SELECT e.key FROM memory_events AS e WHERE e.file_path = ? AND ${OF_TENANT}
     ORDER BY e.timestamp DESC, e.key DESC LIMIT ?`,
    [path, tenant, FROM_FILE],
  );
  return rows.map(({ key }) => key);
}

/** The last events of the newest sessions. */
async function recentEvents(context: MemoryContext, workspace: string): Promise<readonly number[]> {
  const { database, tenant } = context;
  const paths = await workspaceGroup(context, workspace);
  const sessions = await database.query<{ key: number }>(
    `SELECT key FROM memory_sessions WHERE tenant = ?
       AND workspace_path IN (${paths.map(() => '?').join(', ')})
     ORDER BY started_at DESC, key DESC LIMIT ?`,
    [tenant, ...paths, RECENT_SESSIONS],
  );
  const keys: number[] = [];
  for (const session of sessions) {
    const rows = await database.query<{ key: number }>(
      `SELECT key FROM memory_events WHERE session_key = ? AND type <> 'forgotten'
       ORDER BY sequence DESC LIMIT ?`,
      [session.key, FROM_SESSION],
    );
    keys.push(...rows.map(({ key }) => key));
  }
  return keys;
}
