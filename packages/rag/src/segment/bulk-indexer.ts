import type { Analyzer } from '../analyze/analyzer.ts';
import type { LongOptions } from '../contract/search-backend.ts';
import type { Indexer } from './indexer-client.ts';
import type { IndexerAnswer } from './indexer-messages.ts';
import type { NewDocument } from './new-document.ts';
import { SegmentSpiller } from './segment-spiller.ts';
import { toSent } from './sent-document.ts';
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
  readonly unused: number;
  readonly hasKept: boolean;
  readonly replaced: number;
}

/** What the bulk indexer needs of the index. */
export interface BulkTarget {
  readonly analyzer: Analyzer;
  /** A process that was started already; it is closed in the end. */
  readonly prepared: Indexer | undefined;
  /** Starts one, if there may be one. */
  start(): Indexer | undefined;
  write(sections: readonly Section[]): string;
  commit(segment: WrittenSegment): Promise<void>;
}

/**
 * Indexes what is new of documents, segment by segment: each is committed as soon as it
 * is full, and can be searched from then on. A few documents are indexed in this process, many in one
 * of their own. If it is stopped, what was taken in until then is committed before it ends.
 */
export async function indexNewDocuments(
  target: BulkTarget,
  documents: AsyncIterable<NewDocument>,
  { signal }: LongOptions = {},
): Promise<void> {
  const { prepared } = target;
  let sink = prepared && remoteSink(prepared, target);
  let waiting: NewDocument[] = [];
  let size = 0;
  let enough = prepared ? FIRST_BATCH : SMALL;
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
  } catch (error) {
    // If it is the sink that failed, it fails again: what comes first is what is told.
    await sink?.finish().catch(() => undefined);
    throw error;
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
  const indexer = target.start();
  return indexer ? remoteSink(indexer, target) : ownSink(target);
}

/** In the other process: while it analyses, the next documents are read and cut in this one. */
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
