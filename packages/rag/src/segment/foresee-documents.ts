import type { SourceDocument } from '../chunk/chunking-strategy.ts';
import { newsOf, type NewDocument } from './new-document.ts';
import type { PreparedIndexer } from './prepared-indexer.ts';
import type { SortTarget } from './sort-documents.ts';

/** UTF-16 code units that are sent at once. */
const BATCH = 5000;

/** Shows a prepared process what is new of documents that are likely to come, until they do. */
export async function foreseeDocuments(
  prepared: PreparedIndexer,
  { snapshot: newest, stampOf, cut }: Pick<SortTarget, 'snapshot' | 'stampOf' | 'cut'>,
  documents: AsyncIterable<SourceDocument>,
  signal: AbortSignal | undefined,
): Promise<void> {
  let batch: NewDocument[] = [];
  let size = 0;
  const isOver = (): boolean => signal?.aborted === true || prepared.hasEnough;
  for await (const document of documents) {
    const { novelId, filePath, text } = document;
    const stamp = stampOf(document);
    const chunks = await cut(document);
    if (isOver()) return;
    const snapshot = newest();
    if (snapshot.document(novelId, filePath)?.stamp === stamp) continue;
    const news = newsOf(snapshot, { novelId, filePath, stamp, chunks });
    prepared.note(snapshot, news, text.length);
    batch.push(news);
    size += text.length;
    if (size < BATCH) continue;
    await prepared.show(batch);
    [batch, size] = [[], 0];
  }
  if (!isOver()) await prepared.show(batch);
}
