import type { Analyzer } from '../analyze/analyzer.ts';
import type { DocumentRef, UpdateReport } from '../backends/search-backend.ts';
import type { Chunk } from '../chunk/chunk.ts';
import { chunkAnalyzer } from './analyze-chunk.ts';
import type { IndexFolder } from './index-folder.ts';
import { SegmentBuilder } from './segment-builder.ts';
import { RECORD_COLUMN_COUNT, type DocumentRecord } from './segment-layout.ts';
import { documentKey, type Snapshot } from './snapshot.ts';
import { sameness, storedChunk } from './stored-chunk.ts';

/** A document as it shall be. */
export interface DocumentChange extends DocumentRef {
  /** Its chunks in order. */
  readonly chunks: readonly Chunk[];
  /** Whether they come to those that it has; otherwise they replace them. */
  readonly isAddition?: boolean;
  /** Kept with the document, see `documents()`. */
  readonly stamp?: string;
}

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
    const known = knownChunks(snapshot, change);
    const chunks = joined(change.isAddition === true ? known.chunks : [], change.chunks);
    const numbers = new Uint32Array(chunks.length * RECORD_COLUMN_COUNT);
    for (const [index, chunk] of chunks.entries()) {
      const key = sameness(chunk);
      let id = known.ids.get(key);
      if (id === undefined) {
        id = nextDoc++;
        builder.add(id, analyze(chunk));
        added++;
      } else {
        known.ids.delete(key);
        kept++;
      }
      const { startLine, endLine, chunkIndex } = chunk;
      numbers.set([id, startLine, endLine, chunkIndex], index * RECORD_COLUMN_COUNT);
    }
    for (const key of known.ids.keys()) builder.forget(known.texts.get(key) ?? '');
    removed += known.ids.size;
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

interface KnownChunks {
  readonly chunks: readonly Chunk[];
  /** By sameness. */
  readonly ids: Map<string, number>;
  readonly texts: ReadonlyMap<string, string>;
}

function knownChunks(snapshot: Snapshot, ref: DocumentRef): KnownChunks {
  const document = snapshot.document(ref.novelId, ref.filePath);
  const ids = new Map<string, number>();
  const texts = new Map<string, string>();
  if (!document) return { chunks: [], ids, texts };
  const chunks = snapshot.chunksOf(document).map((place) => {
    const chunk = storedChunk(snapshot, place);
    const key = sameness(chunk);
    ids.set(key, place.segment.reader.column(place.doc, 'id') + place.segment.entry.base);
    texts.set(key, chunk.content);
    return chunk;
  });
  return { chunks, ids, texts };
}

/** The chunks of a document with more of it, in order; of equal ids the last one counts. */
function joined(known: readonly Chunk[], more: readonly Chunk[]): readonly Chunk[] {
  const byId = new Map(known.map((chunk) => [chunk.id, chunk]));
  for (const chunk of more) byId.set(chunk.id, chunk);
  return [...byId.values()].toSorted((a, b) => a.chunkIndex - b.chunkIndex);
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

/** Puts changes of the same document together: the last one that replaces, and what came after. */
export function mergeChanges(changes: readonly DocumentChange[]): readonly DocumentChange[] {
  const merged = new Map<string, DocumentChange>();
  for (const change of changes) {
    const key = documentKey(change);
    const before = merged.get(key);
    const isJoined = before !== undefined && change.isAddition === true;
    merged.set(
      key,
      isJoined ? { ...before, chunks: joined(before.chunks, change.chunks) } : change,
    );
  }
  return [...merged.values()];
}
