import type { Chunk } from '../chunk/chunk.ts';
import type { DocumentRef } from './search-backend.ts';

/** A document as it shall be. */
export interface DocumentChange extends DocumentRef {
  /** Its chunks in order. */
  readonly chunks: readonly Chunk[];
  /** Whether they come to those that it has; otherwise they replace them. */
  readonly isAddition?: boolean;
  /** What the caller wants to remember of this version. */
  readonly stamp?: string;
}

/** What tells documents apart. */
export function documentKey({ novelId, filePath }: DocumentRef): string {
  return JSON.stringify([novelId, filePath]);
}

/** Puts changes of the same document together: the last one that replaces, and what came after. */
export function mergeChanges(changes: readonly DocumentChange[]): readonly DocumentChange[] {
  const merged = new Map<string, DocumentChange>();
  for (const change of changes) {
    const key = documentKey(change);
    const before = merged.get(key);
    const isJoined = before !== undefined && change.isAddition === true;
    merged.set(
      key,
      isJoined ? { ...before, chunks: joinChunks(before.chunks, change.chunks) } : change,
    );
  }
  return [...merged.values()];
}

/** A chunk that the index has, and how the index knows it. */
export interface KnownChunk<Id> {
  readonly chunk: Chunk;
  readonly id: Id;
}

/** How a document gets to what it shall be. */
export interface UpdatePlan<Id> {
  /** Its chunks in order; those without an id are new and must be analyzed. */
  readonly chunks: readonly { readonly chunk: Chunk; readonly id?: Id }[];
  readonly removed: readonly KnownChunk<Id>[];
  readonly added: number;
  readonly kept: number;
}

/** Finds out what of a document is new; equal chunks stay, perhaps on other lines. */
export function planUpdate<Id>(
  known: readonly KnownChunk<Id>[],
  { chunks, isAddition = false }: Pick<DocumentChange, 'chunks' | 'isAddition'>,
): UpdatePlan<Id> {
  const present = isAddition ? known.map(({ chunk }) => chunk) : [];
  const left = new Map(known.map((one) => [samenessOf(one.chunk), one]));
  const planned = joinChunks(present, chunks).map((chunk) => {
    const key = samenessOf(chunk);
    const same = left.get(key);
    if (!same) return { chunk };
    left.delete(key);
    return { chunk, id: same.id };
  });
  const kept = known.length - left.size;
  return { chunks: planned, removed: [...left.values()], added: planned.length - kept, kept };
}

/** The chunks of a document with more of it, in order; of equal ids the last one counts. */
function joinChunks(known: readonly Chunk[], more: readonly Chunk[]): readonly Chunk[] {
  const byId = new Map(known.map((chunk) => [chunk.id, chunk]));
  for (const chunk of more) byId.set(chunk.id, chunk);
  return [...byId.values()].toSorted((a, b) => a.chunkIndex - b.chunkIndex);
}

/** Equal for chunks that need not be analyzed again: everything but where they stand. */
function samenessOf(chunk: Chunk): string {
  const { title, content, headingPath, tags, overlap, ordinal } = chunk;
  return `${JSON.stringify([title, headingPath, tags, overlap, ordinal])}${content}`;
}
