import type { Analyzer } from '../../analyze/analyzer.ts';
import {
  planUpdate,
  type DocumentChange,
  type KnownChunk,
  type UpdatePlan,
} from '../../contract/document-change.ts';
import type { DocumentRef, LongOptions, UpdateReport } from '../../contract/search-backend.ts';
import type { IndexFolder } from '../store/index-folder.ts';
import { pairsOf, SegmentBuilder } from './segment-builder.ts';
import {
  ELSEWHERE,
  RECORD_COLUMN_COUNT,
  recordRow,
  type DocumentRecord,
} from '../format/index-layout.ts';
import { type LiveDocument, type Snapshot, storedChunk } from '../read/snapshot.ts';
import { type Chunk, chunkAnalyzer, type ChunkPosition, positionOf } from '../../chunk/chunk.ts';

/** This many chunks are analyzed before others get a turn. */
const TURN = 32;

/** The operations of the index that writing needs. */
interface WriteTarget {
  readonly folder: IndexFolder;
  readonly analyzer: Analyzer;
  /** True if documents come meanwhile that were read before: then those that go are remembered. */
  readonly isIndexing: boolean;
}

/** Documents that are analyzed and in a segment that no manifest names yet. */
interface PreparedWrite {
  readonly report: UpdateReport;
  /** The former version of each document. */
  readonly before: readonly (LiveDocument | undefined)[];
  readonly changes: readonly DocumentChange[];
  /** Absent: nothing is to be written. */
  readonly segment?: { readonly file: string; readonly chunks: number };
}

/**
 * Analyzes what is new of documents. Chunks that the index has already are not analyzed again, only their
 * lines are taken over.
 *
 * @throws The signal's reason.
 */
export async function prepareWrite(
  { folder, analyzer, isIndexing }: WriteTarget,
  changes: readonly DocumentChange[],
  { signal }: LongOptions = {},
): Promise<PreparedWrite> {
  const snapshot = folder.refresh();
  const before = changes.map((change) => snapshot.document(change.novelId, change.filePath));
  const plans = changes.map((change) => planUpdate(knownChunks(snapshot, change), change));
  const analyze = chunkAnalyzer(analyzer);
  const builder = new SegmentBuilder((basic) => analyzer.readings(basic));
  const records: DocumentRecord[] = [];
  let [added, removed, kept] = [0, 0, 0];
  for (const [at, change] of changes.entries()) {
    const plan = plans[at];
    if (!plan) continue;
    added += plan.added;
    kept += plan.kept;
    removed += plan.removed.length;
    for (const { chunk } of plan.removed) builder.forget(pairsOf(chunk));
    for (const { chunk, id } of plan.chunks) {
      if (id !== undefined) continue;
      if (builder.size % TURN === TURN - 1) {
        await new Promise(setImmediate);
        signal?.throwIfAborted();
      }
      builder.add(builder.size, analyze(chunk));
    }
    const numbers = numbersOf(plan, builder.size - plan.added);
    if (!isSame(before[at], change, numbers, isIndexing)) records.push(recordOf(change, numbers));
  }
  const report = { added, removed, kept };
  if (records.length === 0) return { report, before, changes };
  const file = folder.write(builder.finish(records));
  return { report, before, changes, segment: { file, chunks: builder.size } };
}

/**
 * Makes documents that were prepared part of the index. The caller holds the lock.
 *
 * @returns `true` if it did; `false` if others have written one of these documents since.
 */
export function commitWrite(folder: IndexFolder, prepared: PreparedWrite): boolean {
  const { before, changes, segment } = prepared;
  const snapshot = folder.refresh();
  const isStill = changes.every(({ novelId, filePath }, at) =>
    isEqual(before[at], snapshot.document(novelId, filePath)),
  );
  if (!isStill) {
    if (segment) folder.drop(segment.file);
    return false;
  }
  if (!segment) return true;
  const { commit, nextDoc } = snapshot.manifest;
  const entry = { ...segment, base: nextDoc, commit: commit + 1 };
  folder.commit({ add: [entry], remove: [], nextDoc: nextDoc + segment.chunks });
  return true;
}

/** Prepares and commits documents while the caller holds the lock. */
export async function writeAtOnce(
  target: WriteTarget,
  changes: readonly DocumentChange[],
  options?: LongOptions,
): Promise<UpdateReport> {
  const prepared = await prepareWrite(target, changes, options);
  commitWrite(target.folder, prepared);
  return prepared.report;
}

/** Returns the chunks that an index has of a document. */
function knownChunks(snapshot: Snapshot, ref: DocumentRef): readonly KnownChunk<number>[] {
  const document = snapshot.document(ref.novelId, ref.filePath);
  if (!document) return [];
  return snapshot.chunksOf(document).map((place) => {
    const { segment, doc } = place;
    const id = segment.reader.column(doc, 'id') + segment.entry.base;
    return { chunk: storedChunk(snapshot, place), id };
  });
}

/** @param first - The number of the first new chunk in the segment. */
function numbersOf({ chunks }: UpdatePlan<number>, first: number): Uint32Array {
  const numbers = new Uint32Array(chunks.length * RECORD_COLUMN_COUNT);
  let next = first;
  for (const [index, { chunk, id }] of chunks.entries()) {
    const number = id === undefined ? next++ : id + ELSEWHERE;
    numbers.set(recordRow(number, chunk), index * RECORD_COLUMN_COUNT);
  }
  return numbers;
}

function recordOf(
  { novelId, filePath, stamp }: DocumentChange,
  chunks: Uint32Array,
): DocumentRecord {
  const record = { novelId, filePath, commit: 0, chunks };
  // The time of its removal decides how long it is kept.
  if (chunks.length === 0) return { ...record, stamp: new Date().toISOString() };
  return stamp === undefined ? record : { ...record, stamp };
}

function isSame(
  known: LiveDocument | undefined,
  { stamp }: DocumentChange,
  numbers: Uint32Array,
  isIndexing: boolean,
): boolean {
  if (!known) return numbers.length === 0 && !isIndexing;
  return (
    known.stamp === stamp &&
    known.chunks.length === numbers.length &&
    known.chunks.every((value, at) => {
      const number = numbers[at] ?? 0;
      return at % RECORD_COLUMN_COUNT === 0 ? number === value + ELSEWHERE : number === value;
    })
  );
}

function isEqual(one: LiveDocument | undefined, other: LiveDocument | undefined): boolean {
  if (!one || !other) return one === other;
  return (
    one.stamp === other.stamp &&
    one.chunks.length === other.chunks.length &&
    one.chunks.every((value, at) => value === other.chunks[at])
  );
}

/** A chunk that the index has, at its present place. */
export interface KeptChunk extends ChunkPosition {
  /** Its number in the index. */
  readonly id: number;
}

/** A document that is new or differs. */
export interface DocumentDelta extends DocumentRef {
  /** Its new chunks. */
  readonly chunks: readonly Chunk[];
  /** The others. */
  readonly kept: readonly KeptChunk[];
  readonly stamp?: string;
  /** The `pairsOf` of each removed chunk. */
  readonly replaced: readonly Uint16Array[];
}

/** What is new of a document, which the snapshot may have. */
export function changedChunks(
  snapshot: Snapshot,
  change: Omit<DocumentChange, 'isAddition'>,
): DocumentDelta {
  const { novelId, filePath, stamp } = change;
  const { chunks, removed } = planUpdate(knownChunks(snapshot, change), change);
  return {
    novelId,
    filePath,
    ...(stamp === undefined ? {} : { stamp }),
    chunks: chunks.flatMap(({ chunk, id }) => (id === undefined ? [chunk] : [])),
    kept: chunks.flatMap(({ chunk, id }) =>
      id === undefined ? [] : [{ id, ...positionOf(chunk) }],
    ),
    replaced: removed.map(({ chunk }) => pairsOf(chunk)),
  };
}
