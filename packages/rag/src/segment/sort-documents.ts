import type { Chunk } from '../chunk/chunk.ts';
import type { SourceDocument } from '../chunk/chunking-strategy.ts';
import {
  documentKey,
  mergeChanges,
  planUpdate,
  type DocumentChange,
} from '../backends/document-change.ts';
import type { NewDocument } from './segment-spiller.ts';
import { pairsOf } from './segment-builder.ts';
import type { Snapshot } from './snapshot.ts';
import { knownChunks } from './write-documents.ts';

/** So many documents that come again in one run are one commit. */
const MAX_BATCH = 20;

/** What {@link sortDocuments} needs of the index. */
export interface SortTarget {
  /** The newest state of the index. */
  snapshot(): Snapshot;
  stampOf(document: SourceDocument): string;
  /** Cuts a document, and checks it. */
  cut(document: SourceDocument): Promise<readonly Chunk[]>;
  /** Writes documents here and now. */
  write(changes: readonly DocumentChange[]): Promise<unknown>;
  /** A document is as the index has it, or was cut into so many chunks. */
  count(chunks?: number): void;
}

/**
 * Sorts documents: those that the index has as they are need nothing, the others are given back, with
 * what is new of them. One that comes again in the same run is written here and now, so that the later
 * version is the newer one.
 */
export async function* sortDocuments(
  target: SortTarget,
  documents: Iterable<SourceDocument> | AsyncIterable<SourceDocument>,
  signal: AbortSignal | undefined,
): AsyncGenerator<NewDocument> {
  let again: DocumentChange[] = [];
  const given = new Set<string>();
  for await (const document of documents) {
    signal?.throwIfAborted();
    const { novelId, filePath } = document;
    const stamp = target.stampOf(document);
    const snapshot = target.snapshot().retain();
    try {
      const key = documentKey(document);
      const isGiven = given.has(key);
      if (!isGiven && snapshot.document(novelId, filePath)?.stamp === stamp) {
        target.count();
        continue;
      }
      const chunks = await target.cut(document);
      const change = { novelId, filePath, chunks, stamp };
      const known = knownChunks(snapshot, document);
      if (isGiven) again.push(change);
      else if (known.length + chunks.length > 0) {
        given.add(key);
        yield { novelId, filePath, stamp, ...newsOf(planUpdate(known, change)) };
      }
      target.count(chunks.length);
    } finally {
      snapshot.release();
    }
    if (again.length < MAX_BATCH) continue;
    await target.write(mergeChanges(again));
    again = [];
  }
  if (again.length > 0) await target.write(mergeChanges(again));
}

function newsOf({
  chunks,
  removed,
}: ReturnType<typeof planUpdate<number>>): Pick<NewDocument, 'chunks' | 'kept' | 'replaced'> {
  return {
    chunks: chunks.flatMap(({ chunk, id }) => (id === undefined ? [chunk] : [])),
    kept: chunks.flatMap(({ chunk: { startLine, endLine, chunkIndex }, id }) =>
      id === undefined ? [] : [{ id, startLine, endLine, chunkIndex }],
    ),
    replaced: removed.map(({ chunk }) => pairsOf(chunk)),
  };
}
