import type { WholeText } from '../indexing/indexed-words.ts';
import { toBlob, type Blob } from '../store/blob.ts';
import type { Content } from '../store/content.ts';
import type { MemoryContext, SessionPlace } from '../store/memory-context.ts';
import { textOfRecord, type EventRecord, type SessionRecords } from './event-record.ts';

/** What a batch of events brings that is not there yet. */
export interface NewContents {
  /** To be stored; each hash once, in the order of their hashes so that writers never wait in a circle. */
  readonly blobs: readonly Blob[];
  /** By the id of an event: its whole texts that no event of its type and session has been found by yet. */
  readonly contents: ReadonlyMap<string, readonly WholeText[]>;
}

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
  groups: readonly SessionRecords[],
): Promise<NewContents> {
  const wholes = new Map<string, Content>();
  const contents = new Map<string, WholeText[]>();
  for (const { place, records } of groups) {
    if (records.every(({ path }) => path === undefined)) continue;
    for (const { wholes: own } of records) {
      for (const one of [own.old, own.new, own.diff]) if (one) wholes.set(one.hash, one);
    }
    await addContents(context, place, records, contents);
  }
  const blobs: Blob[] = [];
  for (const one of [...wholes.values()].toSorted((a, b) => (a.hash < b.hash ? -1 : 1))) {
    blobs.push(await toBlob(one));
  }
  return { blobs, contents };
}

async function addContents(
  context: MemoryContext,
  place: SessionPlace,
  events: readonly EventRecord[],
  into: Map<string, WholeText[]>,
): Promise<void> {
  const hashes = new Set(events.flatMap((event) => fileTexts(event).map(({ hash }) => hash)));
  const seen = await knownMarks(context, place, hashes);
  for (const event of events) {
    for (const { side, mark, isCovered } of fileTexts(event)) {
      if (seen.has(mark)) continue;
      seen.add(mark);
      if (isCovered) continue;
      const words = event.contentWords[side];
      const whole = { words, text: () => textOfRecord(event, side) ?? '' };
      into.set(event.id, [...(into.get(event.id) ?? []), whole]);
    }
  }
}

/** The texts of a file that an event has, and that are not empty. */
export function fileTexts({ type, path, wholes, isDiffMade }: EventRecord): readonly FileText[] {
  if (path === undefined) return [];
  return (['old', 'new'] as const).flatMap((side) => {
    const whole = wholes[side];
    if (!whole || whole.bytes.length === 0) return [];
    const { hash } = whole;
    const isCovered = side === 'new' && isDiffMade;
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
