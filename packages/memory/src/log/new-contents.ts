import type { Blob } from '../blob/blob.ts';
import type { MemoryContext, SessionPlace } from '../store/memory-context.ts';
import type { PreparedEvent } from './prepare-event.ts';

/** What a batch of events brings that is not there yet. */
export interface NewContents {
  /** To be stored; each hash once, in the order of their hashes so that writers never wait in a circle. */
  readonly blobs: readonly Blob[];
  /** By the id of an event: whole texts that no event of its type and session has been found by yet. */
  readonly contents: ReadonlyMap<string, readonly string[]>;
}

const NOTHING: NewContents = { blobs: [], contents: new Map() };

/**
 * The text of a file is searched at the first event of a session that has it; further ones are found by
 * what they change, or each word of a file would find each edit of it.
 */
export async function newContents(
  { database }: MemoryContext,
  { key }: SessionPlace,
  events: readonly PreparedEvent[],
): Promise<NewContents> {
  if (events.every(({ path }) => path === undefined)) return NOTHING;
  const blobs = new Map<string, Blob>();
  const contents = new Map<string, readonly string[]>();
  const seen = new Set<string>();
  for (const { id, type, path, texts, blobs: own, isDiffMade } of events) {
    if (path === undefined) continue;
    for (const blob of [own.old, own.new, own.diff]) if (blob) blobs.set(blob.hash, blob);
    const fresh: string[] = [];
    for (const side of ['old', 'new'] as const) {
      const hash = own[side]?.hash;
      const text = texts[side];
      // What an edit makes of a known text stands in the diff.
      const isCovered = side === 'new' && own.old !== undefined && isDiffMade;
      if (hash === undefined || text === undefined || isCovered) continue;
      const mark = `${type}:${path}:${hash}`;
      if (seen.has(mark)) continue;
      seen.add(mark);
      const [known] = await database.query(
        `SELECT 1 AS known FROM memory_events
         WHERE file_path = ? AND session_key = ? AND type = ? AND (old_hash = ? OR new_hash = ?)
         LIMIT 1`,
        [path, key, type, hash, hash],
      );
      if (!known) fresh.push(text);
    }
    if (fresh.length > 0) contents.set(id, fresh);
  }
  const sorted = [...blobs.values()].toSorted((a, b) => (a.hash < b.hash ? -1 : 1));
  return { blobs: sorted, contents };
}
