import type { Analyzer } from '../analyze/analyzer.ts';
import type { LongOptions } from '../backends/search-backend.ts';
import type { IndexerAnswer, IndexerRequest, SentDocument } from './indexer-messages.ts';
import type { ReadyIndexer } from './standby-indexer.ts';
import { SegmentSpiller, type NewDocument } from './segment-spiller.ts';
import type { Section } from '../binary/section-file.ts';

/** Below this many UTF-16 code units a process of its own is not worth its start. */
const SMALL = 200_000;
/** How much is sent at once; the first time less, to a process that has nothing to do. */
const BATCH = 100_000;
const FIRST_BATCH = 5000;
/** So many documents are, however little of them is new. */
const MAX_BATCH = 1000;

/** A segment that was written, and is to be committed. */
export interface WrittenSegment {
  readonly file: string;
  readonly chunks: number;
  readonly hasKept: boolean;
  readonly replaced: number;
}

/** What the bulk indexer needs of the index. */
export interface BulkTarget {
  readonly analyzer: Analyzer;
  /** Whether a process that indexes was started already. */
  readonly isPrepared: boolean;
  /** A process that indexes, if there may be one. Who takes it closes it. */
  takeIndexer(): ReadyIndexer | undefined;
  write(sections: readonly Section[]): string;
  commit(segment: WrittenSegment): Promise<void>;
}

/**
 * Indexes what is new of documents, segment by segment: each is committed as soon as it
 * is full, and can be searched from then on. A few documents are indexed in this process, many in one
 * of their own.
 */
export async function indexNewDocuments(
  target: BulkTarget,
  documents: AsyncIterable<NewDocument>,
  { signal }: LongOptions = {},
): Promise<void> {
  let waiting: NewDocument[] = [];
  let size = 0;
  let sink: Sink | undefined;
  let enough = target.isPrepared ? FIRST_BATCH : SMALL;
  try {
    for await (const document of documents) {
      signal?.throwIfAborted();
      waiting.push(document);
      size += document.chunks.reduce((sum, { content }) => sum + content.length, 0);
      if (size < enough && waiting.length < MAX_BATCH) continue;
      sink ??= openSink(target);
      await sink.add(waiting);
      enough = Math.min(2 * enough, BATCH);
      waiting = [];
      size = 0;
    }
    sink ??= ownSink(target);
    await sink.add(waiting);
    await sink.finish();
  } finally {
    sink?.close();
  }
}

interface Sink {
  add(documents: readonly NewDocument[]): Promise<void>;
  finish(): Promise<void>;
  close(): void;
}

function openSink(target: BulkTarget): Sink {
  const ready = target.takeIndexer();
  return ready ? remoteSink(ready, target) : ownSink(target);
}

/**
 * In the other process. While it analyses, the next documents are read and cut in this one, and those that were
 * wait there already: it has always something to do.
 */
function remoteSink({ indexer, started }: ReadyIndexer, target: BulkTarget): Sink {
  const commit = async (answer: IndexerAnswer): Promise<void> => {
    if (answer.type === 'segment') await target.commit(answer);
  };
  let answered = started;
  let answeredBefore = started;
  const send = async (request: IndexerRequest): Promise<void> => {
    await answeredBefore;
    answeredBefore = answered;
    answered = indexer.request(request, commit);
    // Whoever sends the next request learns of it.
    answered.catch(() => undefined);
  };
  return {
    add: (documents) => send({ type: 'documents', documents: documents.map(toSent) }),
    async finish() {
      await send({ type: 'finish' });
      await answered;
    },
    close: () => indexer.close(),
  };
}

/** In this process, which gets a turn after each document. */
function ownSink(target: BulkTarget): Sink {
  const spiller = new SegmentSpiller(target.analyzer);
  const commit = async (segment: ReturnType<SegmentSpiller['finish']>): Promise<void> => {
    if (!segment) return;
    const { sections, ...counts } = segment;
    await target.commit({ file: target.write(sections), ...counts });
  };
  return {
    async add(documents) {
      for (const document of documents) {
        await commit(spiller.add(document));
        await new Promise(setImmediate);
      }
    },
    finish: () => commit(spiller.finish()),
    close: () => undefined,
  };
}

function toSent({ chunks, ...document }: NewDocument): SentDocument {
  return {
    ...document,
    chunks: chunks.map((chunk) => {
      const { title, content, filePath, startLine, endLine, chunkIndex, novelId } = chunk;
      const { tags, headingPath, overlap, ordinal } = chunk;
      const where = { filePath, startLine, endLine, chunkIndex, novelId };
      return { title, content, tags, headingPath, overlap, ordinal, ...where };
    }),
  };
}
