import { join } from 'node:path';
import { untilAborted } from '@vizprompt/providers/internal';
import type { Analyzer } from '../../analyze/analyzer.ts';
import type { LongOptions } from '../../contract/search-backend.ts';
import { type Indexer, type IndexerAnswer, toSent } from './indexer-client.ts';
import { type DocumentDelta, changedChunks } from '../write/write-segment.ts';
import { SegmentSpiller } from '../write/segment-spiller.ts';
import type { Section } from '../../binary/section-file.ts';
import type { Chunk } from '../../chunk/chunk.ts';
import type { SourceDocument } from '../../chunk/chunking-strategy.ts';
import { documentKey, mergeChanges, type DocumentChange } from '../../contract/document-change.ts';
import { Snapshot, storedChunk } from '../read/snapshot.ts';
import type { PreviousManifest } from '../format/index-layout.ts';
import { SegmentReader } from '../read/segment-reader.ts';

/** Below this many UTF-16 code units a process of its own is not worth its start. */
const SMALL = 200_000;
/** UTF-16 code units that are sent at once. */
const BATCH = 100_000;
/** This many documents are, however little of them is new. */
const MAX_BATCH = 1000;

/** A segment that was written, and is to be committed. */
export interface WrittenSegment {
  readonly file: string;
  readonly chunks: number;
  readonly hasKept: boolean;
  readonly replaced: number;
}

/** The operations of the index that the bulk indexer needs. */
interface BulkTarget {
  readonly analyzer: Analyzer;
  /** Starts the indexing process, if one is allowed. */
  start(): Indexer | undefined;
  write(sections: readonly Section[]): string;
  commit(segment: WrittenSegment): Promise<void>;
}

/**
 * Indexes what is new of documents, segment by segment: each is committed as soon as it
 * is full, and can be searched from then on. A few documents are indexed in this process, many in one
 * of their own. If it is stopped, what was taken in until then is committed before it ends.
 */
export async function indexDeltas(
  target: BulkTarget,
  documents: AsyncIterable<DocumentDelta>,
  { signal }: LongOptions = {},
): Promise<void> {
  let sink: Sink | undefined;
  let waiting: DocumentDelta[] = [];
  let size = 0;
  let enough = SMALL;
  try {
    for await (const document of documents) {
      signal?.throwIfAborted();
      waiting.push(document);
      size += sizeOf(document);
      if (size < enough && waiting.length < MAX_BATCH) continue;
      sink ??= openSink(target, signal);
      await sink.add(waiting);
      enough = BATCH;
      waiting = [];
      size = 0;
    }
    sink ??= ownSink(target, signal);
    await sink.add(waiting);
    await sink.finish();
  } catch (error) {
    // If it is the sink that failed, it fails again: the first error is reported.
    await sink?.finish().catch(() => undefined);
    throw error;
  } finally {
    sink?.close();
  }
}

/** UTF-16 code units of what is new. */
function sizeOf({ chunks }: DocumentDelta): number {
  return chunks.reduce((sum, { content }) => sum + content.length, 0);
}

interface Sink {
  add(documents: readonly DocumentDelta[]): Promise<void>;
  finish(): Promise<void>;
  close(): void;
}

function openSink(target: BulkTarget, signal: AbortSignal | undefined): Sink {
  const indexer = target.start();
  return indexer ? remoteSink(indexer, target) : ownSink(target, signal);
}

/** In the other process: while it analyzes, the next documents are read and cut in this one. */
function remoteSink(indexer: Indexer, target: BulkTarget): Sink {
  const commit = async (answer: IndexerAnswer): Promise<void> => {
    if (answer.type === 'segment') await target.commit(answer);
  };
  return {
    add: (documents) =>
      indexer.send({ type: 'documents', documents: documents.map(toSent) }, commit),
    finish: () => indexer.request({ type: 'finish' }, commit),
    close: () => indexer.close(),
  };
}

/** In this process, which gets a turn after each document and within it. */
function ownSink(target: BulkTarget, signal: AbortSignal | undefined): Sink {
  const spiller = new SegmentSpiller(target.analyzer);
  const commit = async (segment: ReturnType<SegmentSpiller['finish']>): Promise<void> => {
    if (!segment) return;
    const { sections, ...counts } = segment;
    await target.commit({ file: target.write(sections), ...counts });
  };
  return {
    async add(documents) {
      for (const document of documents) {
        const isLarge = sizeOf(document) >= SMALL;
        // It can be stopped in the middle: what was taken in before is committed first.
        if (isLarge) await commit(spiller.finish());
        await commit(await spiller.add(document, isLarge ? signal : undefined));
        await new Promise(setImmediate);
      }
    },
    finish: () => commit(spiller.finish()),
    close: () => undefined,
  };
}

/** Commits after this many documents that were indexed again in one run. */
const MAX_REPEATED = 20;

/** The operations of the index that {@link sortDocuments} needs. */
export interface SortTarget {
  /** The newest state of the index. */
  snapshot(): Snapshot;
  stampOf(document: SourceDocument): string;
  /** Cuts a document, and checks it. */
  cut(document: SourceDocument): Promise<readonly Chunk[]>;
  /** Writes documents here and now. */
  write(changes: readonly DocumentChange[]): Promise<unknown>;
  /** A document is as the index has it, or was cut into this many chunks. */
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
): AsyncGenerator<DocumentDelta> {
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
        const news = changedChunks(snapshot, await change());
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
    if (again.length < MAX_REPEATED) continue;
    await target.write(mergeChanges(again));
    again = [];
  }
  if (again.length > 0) await target.write(mergeChanges(again));
}

/** Returns the values of a source, until the signal is aborted, even if the source has stalled. */
async function* abortable<T>(
  values: Iterable<T> | AsyncIterable<T>,
  signal: AbortSignal | undefined,
): AsyncGenerator<T> {
  const iterator =
    Symbol.asyncIterator in values ? values[Symbol.asyncIterator]() : values[Symbol.iterator]();
  let isOver = false;
  try {
    for (;;) {
      signal?.throwIfAborted();
      const result = await untilAborted(Promise.resolve(iterator.next()), signal);
      isOver = result.done === true;
      if (result.done === true) return;
      yield result.value;
    }
  } finally {
    // Stalled work would let it be waited for, too.
    if (!isOver) Promise.resolve(iterator.return?.()).catch(() => undefined);
  }
}

/** Returns the documents of an index of another analyzer, so that they can be analyzed again. */
export async function* storedDocuments(
  folder: string,
  manifest: PreviousManifest,
): AsyncGenerator<DocumentDelta> {
  const readers: SegmentReader[] = [];
  let snapshot: Snapshot;
  try {
    for (const { file } of manifest.segments) readers.push(new SegmentReader(join(folder, file)));
    snapshot = new Snapshot(manifest, readers);
  } finally {
    for (const reader of readers) reader.release();
  }
  try {
    for (const document of snapshot.documents) {
      const { novelId, filePath, stamp } = document;
      const chunks = snapshot.chunksOf(document).map((place) => storedChunk(snapshot, place));
      const isNew = { kept: [], replaced: [] };
      yield { novelId, filePath, chunks, ...isNew, ...(stamp === undefined ? {} : { stamp }) };
    }
  } finally {
    snapshot.release();
  }
}
