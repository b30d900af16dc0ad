import type { Chunk } from '../chunk/chunk.ts';
import type { SourceDocument } from '../chunk/chunking-strategy.ts';
import {
  documentKey,
  mergeChanges,
  planUpdate,
  type DocumentChange,
} from '../backends/document-change.ts';
import type { NewDocument } from './segment-spiller.ts';
import type { Snapshot } from './snapshot.ts';
import { knownChunks } from './write-documents.ts';

/** A document of which more than this part is new is analysed as a whole. */
const MOSTLY_NEW = 0.25;
/** So many UTF-16 code units to be analysed are one commit. */
const BATCH = 20_000;
/** So many documents are, however little of them is new. */
const MAX_BATCH = 200;

/** What {@link sortDocuments} needs of the index. */
export interface SortTarget {
  /** The newest state of the index. */
  snapshot(): Snapshot;
  stampOf(document: SourceDocument): string;
  /** Cuts a document, and checks it. */
  cut(document: SourceDocument): Promise<readonly Chunk[]>;
  /** Writes documents of which only a part is new. */
  write(changes: readonly DocumentChange[]): Promise<unknown>;
  /** A document is as the index has it, or was cut into so many chunks. */
  count(chunks?: number): void;
}

/**
 * Sorts documents: those that the index has as they are need nothing, those of which a small part is
 * new are written here and now, some of them at a time, and the others are given back.
 */
export async function* sortDocuments(
  target: SortTarget,
  documents: Iterable<SourceDocument> | AsyncIterable<SourceDocument>,
  signal: AbortSignal | undefined,
): AsyncGenerator<NewDocument> {
  let batch: DocumentChange[] = [];
  let size = 0;
  /** Of two versions in one run the later one must be the newer one, so it is written here. */
  const given = new Set<string>();
  for await (const document of documents) {
    signal?.throwIfAborted();
    const { novelId, filePath } = document;
    const stamp = target.stampOf(document);
    const snapshot = target.snapshot().retain();
    try {
      if (snapshot.document(novelId, filePath)?.stamp === stamp) {
        target.count();
        continue;
      }
      const chunks = await target.cut(document);
      const change = { novelId, filePath, chunks, stamp };
      const known = knownChunks(snapshot, document);
      const plan = planUpdate(known, change);
      const fresh = lengthOf(plan.chunks.filter(({ id }) => id === undefined));
      const key = documentKey(document);
      if (fresh > MOSTLY_NEW * lengthOf(plan.chunks) && !given.has(key)) {
        given.add(key);
        yield {
          ...change,
          replaced: known.map(({ chunk: { content, overlap } }) => ({ content, overlap })),
        };
      } else if (known.length > 0 || given.has(key)) {
        batch.push(change);
        size += fresh;
      }
      target.count(chunks.length);
    } finally {
      snapshot.release();
    }
    if (size < BATCH && batch.length < MAX_BATCH) continue;
    await target.write(mergeChanges(batch));
    [batch, size] = [[], 0];
    await new Promise(setImmediate);
  }
  if (batch.length > 0) await target.write(mergeChanges(batch));
}

function lengthOf(chunks: readonly { readonly chunk: Chunk }[]): number {
  return chunks.reduce((sum, { chunk }) => sum + chunk.content.length, 0);
}
