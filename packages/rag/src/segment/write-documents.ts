import type { Analyzer } from '../analyze/analyzer.ts';
import { chunkAnalyzer } from '../analyze/analyze-chunk.ts';
import { planUpdate, type DocumentChange, type KnownChunk } from '../backends/document-change.ts';
import type { DocumentRef, UpdateReport } from '../backends/search-backend.ts';
import type { IndexFolder } from './index-folder.ts';
import { pairsOf, SegmentBuilder } from './segment-builder.ts';
import { RECORD_COLUMN_COUNT, type DocumentRecord } from './segment-layout.ts';
import type { Snapshot } from './snapshot.ts';
import { storedChunk } from './stored-chunk.ts';

/**
 * Writes documents in one commit. Chunks that the index has already are not analysed again, only
 * their lines are taken over.
 */
export function writeDocuments(
  folder: IndexFolder,
  analyzer: Analyzer,
  changes: readonly DocumentChange[],
): UpdateReport {
  const snapshot = folder.refresh();
  const analyze = chunkAnalyzer(analyzer);
  const builder = new SegmentBuilder((basic) => analyzer.readings(basic));
  const records: DocumentRecord[] = [];
  let { nextDoc } = snapshot.manifest;
  let [added, removed, kept] = [0, 0, 0];

  for (const change of changes) {
    const plan = planUpdate(knownChunks(snapshot, change), change);
    const numbers = new Uint32Array(plan.chunks.length * RECORD_COLUMN_COUNT);
    for (const [index, { chunk, id: known }] of plan.chunks.entries()) {
      const id = known ?? nextDoc++;
      if (known === undefined) builder.add(id, analyze(chunk));
      const { startLine, endLine, chunkIndex } = chunk;
      numbers.set([id, startLine, endLine, chunkIndex], index * RECORD_COLUMN_COUNT);
    }
    for (const { chunk } of plan.removed) builder.forget(pairsOf(chunk));
    added += plan.added;
    kept += plan.kept;
    removed += plan.removed.length;
    if (isSame(snapshot, change, numbers)) continue;
    const { novelId, filePath } = change;
    const stamp = change.stamp === undefined ? {} : { stamp: change.stamp };
    records.push({ novelId, filePath, commit: 0, chunks: numbers, ...stamp });
  }
  if (records.length > 0) {
    const commit = snapshot.manifest.commit + 1;
    const file = folder.write(builder.finish(records));
    const entry = { file, base: 0, commit, chunks: builder.size };
    folder.commit({ add: [entry], remove: [], nextDoc });
  }
  return { added, removed, kept };
}

/** The chunks that an index has of a document. */
export function knownChunks(snapshot: Snapshot, ref: DocumentRef): readonly KnownChunk<number>[] {
  const document = snapshot.document(ref.novelId, ref.filePath);
  if (!document) return [];
  return snapshot.chunksOf(document).map((place) => {
    const { segment, doc } = place;
    const id = segment.reader.column(doc, 'id') + segment.entry.base;
    return { chunk: storedChunk(snapshot, place), id };
  });
}

function isSame(snapshot: Snapshot, change: DocumentChange, numbers: Uint32Array): boolean {
  const known = snapshot.document(change.novelId, change.filePath);
  if (!known) return numbers.length === 0;
  return (
    known.stamp === change.stamp &&
    known.chunks.length === numbers.length &&
    known.chunks.every((value, at) => value === numbers[at])
  );
}
