import type { Chunk } from '../chunk/chunk.ts';
import type { SourceDocument } from '../chunk/chunking-strategy.ts';
import { documentKey, mergeChanges, type DocumentChange } from '../contract/document-change.ts';
import { abortable } from './abortable.ts';
import { newsOf, type NewDocument } from './new-document.ts';
import type { PreparedIndexer } from './prepared-indexer.ts';
import type { Snapshot } from './snapshot.ts';

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
 *
 * @param prepared - What was found out of them before.
 */
export async function* sortDocuments(
  target: SortTarget,
  documents: Iterable<SourceDocument> | AsyncIterable<SourceDocument>,
  prepared: PreparedIndexer | undefined,
  signal: AbortSignal | undefined,
): AsyncGenerator<NewDocument> {
  let again: DocumentChange[] = [];
  const given = new Set<string>();
  for await (const document of abortable(documents, signal)) {
    const stamp = target.stampOf(document);
    const { novelId, filePath } = document;
    const change = async (): Promise<DocumentChange> => {
      return { novelId, filePath, stamp, chunks: await target.cut(document) };
    };
    const key = documentKey(document);
    if (given.has(key)) {
      const anew = await change();
      again.push(anew);
      target.count(anew.chunks.length);
    } else {
      const snapshot = target.snapshot().retain();
      try {
        if (snapshot.document(novelId, filePath)?.stamp === stamp) {
          target.count();
          continue;
        }
        const foreseen = prepared?.newsOf(snapshot, document, stamp);
        const news = foreseen ?? newsOf(snapshot, await change());
        const size = news.chunks.length + news.kept.length;
        if (size + news.replaced.length > 0) {
          given.add(key);
          yield news;
          target.count(size);
        } else target.count();
      } finally {
        snapshot.release();
      }
    }
    if (again.length < MAX_BATCH) continue;
    await target.write(mergeChanges(again));
    again = [];
  }
  if (again.length > 0) await target.write(mergeChanges(again));
}
