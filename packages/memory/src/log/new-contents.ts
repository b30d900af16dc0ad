import type { Blob } from '../blob/blob.ts';
import type { MemoryContext, SessionPlace } from '../store/memory-context.ts';
import { textOfRecord, type EventRecord } from './event-record.ts';

/** What a batch of events brings that is not there yet. */
export interface NewContents {
  /** To be stored; each hash once, in the order of their hashes so that writers never wait in a circle. */
  readonly blobs: readonly Blob[];
  /** By the id of an event: whole texts that no event of its type and session has been found by yet. */
  readonly contents: ReadonlyMap<string, readonly string[]>;
}

const NOTHING: NewContents = { blobs: [], contents: new Map() };

/** A text of a file in an event. */
export interface FileText {
  readonly side: 'old' | 'new';
  /** Its type, path and content: what tells it apart in a session. */
  readonly mark: string;
  readonly hash: string;
  /** It is what an edit makes of a known text, so all that is new in it stands in the diff. */
  readonly isCovered: boolean;
}

/**
 * The text of a file is searched at the first event of a session that has it; further ones are found by
 * what they change, or each word of a file would find each edit of it.
 */
export async function newContents(
  context: MemoryContext,
  place: SessionPlace,
  events: readonly EventRecord[],
): Promise<NewContents> {
  if (events.every(({ path }) => path === undefined)) return NOTHING;
  const blobs = new Map<string, Blob>();
  for (const { blobs: own } of events) {
    for (const blob of [own.old, own.new, own.diff]) if (blob) blobs.set(blob.hash, blob);
  }
  const hashes = new Set(events.flatMap((event) => fileTexts(event).map(({ hash }) => hash)));
  const seen = await knownMarks(context, place, hashes);
  const contents = new Map<string, string[]>();
  for (const event of events) {
    for (const { side, mark, isCovered } of fileTexts(event)) {
      if (seen.has(mark)) continue;
      seen.add(mark);
      if (isCovered) continue;
      const text = textOfRecord(event, side) ?? '';
      contents.set(event.id, [...(contents.get(event.id) ?? []), text]);
    }
  }
  const sorted = [...blobs.values()].toSorted((a, b) => (a.hash < b.hash ? -1 : 1));
  return { blobs: sorted, contents };
}

/** The texts of a file that an event has, and that are not empty. */
export function fileTexts({ type, path, blobs, isDiffMade }: EventRecord): readonly FileText[] {
  if (path === undefined) return [];
  return (['old', 'new'] as const).flatMap((side) => {
    const blob = blobs[side];
    if (!blob || blob.size === 0) return [];
    const { hash } = blob;
    const isCovered = side === 'new' && blobs.old !== undefined && isDiffMade;
    return [{ side, hash, isCovered, mark: markOf(type, path, hash) }];
  });
}

function markOf(type: string, path: string, hash: string): string {
  return `${type}:${path}:${hash}`;
}

/** How many texts one query asks for. */
const HASHES_AT_ONCE = 100;

/** The texts that events of the session have, of those with these hashes. */
async function knownMarks(
  { database }: MemoryContext,
  { key }: SessionPlace,
  hashes: ReadonlySet<string>,
): Promise<Set<string>> {
  const known = new Set<string>();
  const all = [...hashes];
  for (let from = 0; from < all.length; from += HASHES_AT_ONCE) {
    const some = all.slice(from, from + HASHES_AT_ONCE);
    const list = some.map(() => '?').join(', ');
    for (const column of ['old_hash', 'new_hash']) {
      const rows = await database.query<{ type: string; file_path: string; hash: string }>(
        // SQLite must not go by the index of sessions: few events have the hash.
        `SELECT DISTINCT type, file_path, ${column} AS hash FROM memory_events
         WHERE ${column} IN (${list}) AND COALESCE(session_key, 0) = ? AND file_path IS NOT NULL`,
        [...some, key],
      );
      for (const { type, file_path: path, hash } of rows) known.add(markOf(type, path, hash));
    }
  }
  return known;
}
