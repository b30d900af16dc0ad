import { planUpdate } from '../backends/document-change.ts';
import type { SourceDocument } from '../chunk/chunking-strategy.ts';
import type { SortTarget } from './sort-documents.ts';
import type { StandbyIndexer } from './standby-indexer.ts';
import { knownChunks } from './write-documents.ts';

/** UTF-16 code units that are sent at once: what is under way when the documents come is waited for. */
const BATCH = 5000;

/** Has a prepared process find the words of what is new in documents that are likely to come. */
export async function foreseeDocuments(
  standby: StandbyIndexer,
  { snapshot, cut }: Pick<SortTarget, 'snapshot' | 'cut'>,
  documents: AsyncIterable<SourceDocument>,
  signal: AbortSignal | undefined,
): Promise<void> {
  let texts: string[] = [];
  let size = 0;
  for await (const document of documents) {
    const chunks = await cut(document);
    const plan = planUpdate(knownChunks(snapshot(), document), { chunks });
    for (const { chunk, id } of plan.chunks) {
      if (id !== undefined) continue;
      texts.push(chunk.content);
      size += chunk.content.length;
      if (size < BATCH) continue;
      if (!(await standby.foresee(texts, signal))) return;
      [texts, size] = [[], 0];
    }
  }
  if (size > 0) await standby.foresee(texts, signal);
}
