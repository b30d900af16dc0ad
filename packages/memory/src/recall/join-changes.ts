import type { SqlParameter } from '@vizprompt/providers';
import { OF_TENANT } from '../store/event-rows.ts';
import type { MemoryContext } from '../store/memory-context.ts';
import type { Candidate, Change } from './candidate.ts';

/**
 * Candidates with each intention and the edit that carried it out as one: both bring the same lines. The edit
 * is told, in the better place of the two; an intention whose edit never came stands for itself.
 */
export async function joinChanges(
  context: MemoryContext,
  candidates: readonly Candidate[],
): Promise<readonly Candidate[]> {
  const keys = candidates.map(({ key }) => key);
  const changes = await changesOf(
    context,
    `e.file_path IS NOT NULL AND e.key IN ${list(keys)}`,
    keys,
  );
  const byKey = new Map(changes.map((change) => [change.key, change]));
  const intentions = await intentionsOf(context, changes);
  const edits = await editsOf(context, changes);
  const told = new Map<number, Candidate>();
  /** By the key of an intention, that of what tells it. */
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

/** The intention of its file that an edit names, or the intention itself. */
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
  const condition = `e.tenant = ? AND e.type = 'code_intention' AND e.id IN ${list(ids)}`;
  const others =
    ids.length > 0 ? await changesOf(context, condition, [context.tenant, ...ids]) : [];
  for (const change of others) found.set(change.id, change);
  return found;
}

/** The newest edit of each intention among the changes, by the id of the intention. */
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
    `e.type = 'file_edit' AND e.file_path IN ${list(paths)} AND e.timestamp >= ?
     AND (e.intention_event_id IN ${list(ids)} OR e.parent_event_id IN ${list(ids)})`,
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

function list(values: readonly unknown[]): string {
  return `(${values.map(() => '?').join(', ')})`;
}
