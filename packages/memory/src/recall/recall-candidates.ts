import type { SqlParameter } from '@vizprompt/providers';
import { fuseRanks, objectOf, parseJson } from '@vizprompt/providers/internal';
import { workspacePath } from '../model/paths.ts';
import { storedFile } from '../redact/redactor.ts';
import { namedTimes } from '../search/named-times.ts';
import { findByMeaning, findEvents } from '../search/search-events.ts';
import { workspaceGroup } from '../session/workspaces.ts';
import { OF_TENANT } from '../store/event-rows.ts';
import type { MemoryContext } from '../store/memory-context.ts';
import { listOf } from '../store/sql.ts';
import type { RecallReason, RecallRequest } from './recall-options.ts';

/** An event that may be worth recalling. */
export interface Candidate {
  readonly key: number;
  readonly score: number;
  readonly reasons: readonly RecallReason[];
  /** How well its words or its meaning fit the query next to those of the best: 0 to 1. */
  readonly fit: number;
  /** Its change of a file. */
  readonly change?: Change;
  /** The key of the intention that is shown with it. */
  readonly intention?: number;
}

/** An intention or an edit, as far as it must be known to be put in its place. */
interface Change {
  readonly key: number;
  readonly id: string;
  readonly type: 'code_intention' | 'file_edit';
  readonly file_path: string;
  readonly timestamp: string;
  readonly intention_event_id: string | null;
  readonly parent_event_id: string | null;
}

/** How many events each list brings. */
const FROM_TEXT = 64;
const FROM_FILE = 20;
const FROM_SESSION = 15;
/** This many of the newest sessions count as recent, and with them the subagents among this many. */
const RECENT_SESSIONS = 3;
const RECENT_WITH_SUBAGENTS = 12;
/** The weights of the lists: the requested events come first. */
const WEIGHTS: Readonly<Record<RecallReason, number>> = {
  text: 1,
  vector: 1,
  file: 0.6,
  recent: 0.25,
};

/**
 * Returns the events that fit the task, in the order of their use: ranked lists, fused by reciprocal rank; of each file the
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
    const file = storedFile(path, workspacePath(workspace), context.redact);
    lists.push({ reason: 'file', keys: await eventsOfFile(context, file) });
  }
  lists.push({ reason: 'recent', keys: await recentEvents(context, request) });
  signal?.throwIfAborted();
  const fused = fuseRanks(
    lists.map(({ keys }) => keys),
    { weights: lists.map(({ reason }) => WEIGHTS[reason]) },
  );
  if (fused.length === 0) return [];
  const candidates = fused.map(({ key, score }) => {
    const reasons = lists.filter(({ keys }) => keys.includes(key)).map(({ reason }) => reason);
    return { key, score, reasons, fit: fits.get(key) ?? 0 };
  });
  const changes = await joinChanges(context, candidates);
  return namedTimes(query).length > 0 ? changes : newestFirst(changes);
}

/** Returns the newest intentions and edits of a file. */
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

/** Returns the last events of the newest sessions that have any. */
async function recentEvents(
  context: MemoryContext,
  { workspace, exceptSession = '' }: RecallRequest,
): Promise<readonly number[]> {
  const { database, tenant } = context;
  const paths = await workspaceGroup(context, workspace);
  const newest = await database.query<{ key: number; metadata: string }>(
    `SELECT key, metadata FROM memory_sessions AS s WHERE tenant = ? AND id <> ?
       AND workspace_path IN ${listOf(paths)} AND EXISTS (
         SELECT 1 FROM memory_events AS e WHERE e.session_key = s.key AND e.type <> 'forgotten')
     ORDER BY started_at DESC, key DESC LIMIT ?`,
    [tenant, exceptSession, ...paths, RECENT_WITH_SUBAGENTS],
  );
  const isMain = ({ metadata }: (typeof newest)[number]): boolean =>
    !('parent_session' in objectOf(parseJson(metadata)));
  const last = newest.filter(isMain)[RECENT_SESSIONS];
  const sessions = last === undefined ? newest : newest.slice(0, newest.indexOf(last));
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

/**
 * Candidates with each intention and the edit that carried it out as one: both bring the same lines. The edit
 * is shown, in the better place of the two; an intention whose edit never came is shown itself.
 */
async function joinChanges(
  context: MemoryContext,
  candidates: readonly Candidate[],
): Promise<readonly Candidate[]> {
  const keys = candidates.map(({ key }) => key);
  const changes = await changesOf(
    context,
    `e.file_path IS NOT NULL AND e.key IN ${listOf(keys)}`,
    keys,
  );
  const byKey = new Map(changes.map((change) => [change.key, change]));
  const intentions = await intentionsOf(context, changes);
  const edits = await editsOf(context, changes);
  const told = new Map<number, Candidate>();
  /** Maps the key of an intention to that of the event which shows it. */
  const tellers = new Map<number, number>();
  for (const candidate of candidates) {
    const own = byKey.get(candidate.key);
    const intention = own && intentionOf(own, intentions);
    const teller = intention && tellers.get(intention.key);
    const change = own && own === intention ? (edits.get(own.id) ?? own) : own;
    const key = own === intention && teller !== undefined ? teller : (change ?? candidate).key;
    const before = told.get(key);
    if (before) {
      told.set(key, merged(before, candidate));
      continue;
    }
    const isTeller = intention !== undefined && teller === undefined;
    if (isTeller) tellers.set(intention.key, key);
    told.set(key, {
      ...candidate,
      key,
      ...(change ? { change } : {}),
      ...(isTeller && intention !== change ? { intention: intention.key } : {}),
    });
  }
  return [...told.values()];
}

function merged(first: Candidate, second: Candidate): Candidate {
  return {
    ...first,
    fit: Math.max(first.fit, second.fit),
    reasons: [...new Set([...first.reasons, ...second.reasons])],
  };
}

/** Returns the intention of its file that an edit names, or the intention itself. */
function intentionOf(change: Change, intentions: ReadonlyMap<string, Change>): Change | undefined {
  return linksOf(change)
    .map((id) => intentions.get(id))
    .find((found) => found?.file_path === change.file_path);
}

function linksOf({
  id,
  type,
  intention_event_id: named,
  parent_event_id: parent,
}: Change): string[] {
  const links = type === 'code_intention' ? [id] : [named, parent];
  return links.filter((link) => link !== null);
}

/** Intentions by their ids: those among the changes, and those of the edits among them. */
async function intentionsOf(
  context: MemoryContext,
  changes: readonly Change[],
): Promise<ReadonlyMap<string, Change>> {
  const found = new Map(changes.filter(isIntention).map((change) => [change.id, change]));
  const ids = changes.flatMap(linksOf).filter((id) => !found.has(id));
  const condition = `e.tenant = ? AND e.type = 'code_intention' AND e.id IN ${listOf(ids)}`;
  const others =
    ids.length > 0 ? await changesOf(context, condition, [context.tenant, ...ids]) : [];
  for (const change of others) found.set(change.id, change);
  return found;
}

/** Returns the newest edit of each intention among the changes, by the id of the intention. */
async function editsOf(
  context: MemoryContext,
  changes: readonly Change[],
): Promise<ReadonlyMap<string, Change>> {
  const intended = changes.filter(isIntention);
  if (intended.length === 0) return new Map();
  const ids = intended.map(({ id }) => id);
  const [since = ''] = intended.map(({ timestamp }) => timestamp).toSorted();
  const paths = [...new Set(intended.map(({ file_path: path }) => path))];
  const edits = await changesOf(
    context,
    `e.type = 'file_edit' AND e.file_path IN ${listOf(paths)} AND e.timestamp >= ?
     AND (e.intention_event_id IN ${listOf(ids)} OR e.parent_event_id IN ${listOf(ids)})`,
    [...paths, since, ...ids, ...ids],
  );
  return new Map(edits.flatMap((edit) => linksOf(edit).map((id) => [id, edit])));
}

function isIntention({ type }: Change): boolean {
  return type === 'code_intention';
}

/** Intentions and edits, the oldest first. */
async function changesOf(
  { database, tenant }: MemoryContext,
  condition: string,
  params: readonly SqlParameter[],
): Promise<readonly Change[]> {
  return database.query<Change>(
    `SELECT e.key, e.id, e.type, e.file_path, e.timestamp, e.intention_event_id, e.parent_event_id
     FROM memory_events AS e WHERE ${OF_TENANT} AND ${condition} ORDER BY e.timestamp, e.key`,
    [tenant, ...params],
  );
}

/** An older change of a file goes before a newer one if it fits the query this many times better. */
const BETTER = 1.5;

/**
 * Puts the changes of one file in order, newest first, within their places among the others: an older one
 * shows what is no longer so. Where the query fits an older one clearly better, that one is asked for.
 */
function newestFirst(candidates: readonly Candidate[]): readonly Candidate[] {
  const result = [...candidates];
  for (const places of placesByFile(candidates)) {
    const open = places.flatMap((place) => candidates[place] ?? []);
    for (const place of places) {
      const best = Math.max(...open.map(({ fit }) => fit));
      const [next] = open.filter(({ fit }) => fit * BETTER >= best).toSorted(byTime);
      if (!next) break;
      result[place] = { ...next, score: candidates[place]?.score ?? next.score };
      open.splice(open.indexOf(next), 1);
    }
  }
  return result;
}

function placesByFile(candidates: readonly Candidate[]): Iterable<number[]> {
  const places = new Map<string, number[]>();
  for (const [place, { change }] of candidates.entries()) {
    if (!change) continue;
    const known = places.get(change.file_path);
    if (known) known.push(place);
    else places.set(change.file_path, [place]);
  }
  return places.values();
}

/** Times are all in UTC with milliseconds. */
function byTime({ change: a }: Candidate, { change: b }: Candidate): number {
  if (!a || !b) return 0;
  if (a.timestamp !== b.timestamp) return a.timestamp < b.timestamp ? 1 : -1;
  return b.key - a.key;
}
