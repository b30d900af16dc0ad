// The process that analyzes many documents or merges large segments, so that the process of the host
// continues and gets its memory back.
import { messageOf } from '@vizprompt/providers';
import { analyzerOfSpec } from '../../analyze/analyzer-of-spec.ts';
import { IndexingError } from '../../errors.ts';
import { IndexFolder } from '../store/index-folder.ts';
import { type IndexerAnswer, type IndexerRequest, fromSent } from './indexer-client.ts';
import { mergeSegments } from '../write/merge-segments.ts';
import { SegmentSpiller, type SpilledSegment } from '../write/segment-spiller.ts';
import { writeSegment } from '../format/index-layout.ts';
import { isError } from '@vizprompt/providers/internal';

/** Bytes of the heap that are new since the last collection, of which most are garbage. */
const MUCH = 40_000_000;

/** Bytes of the heap that the last collection left. */
let held = 0;
let spiller: SegmentSpiller | undefined;
let folder = '';
let tail = Promise.resolve();

process.on('message', (request: IndexerRequest) => {
  tail = tail.then(() => answer(request)).catch(fail);
});
process.on('disconnect', () => process.exit(0));

async function answer(request: IndexerRequest): Promise<void> {
  switch (request.type) {
    case 'start':
      await start(request);
      break;
    case 'documents':
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      for (const document of request.documents) report(await spiller?.add(fromSent(document)));
      break;
    case 'finish':
      report(spiller?.finish());
      break;
    case 'merge':
      merge(request);
  }
  send({ type: 'ready' });
}

async function start(request: Extract<IndexerRequest, { type: 'start' }>): Promise<void> {
  folder = request.folder;
  const analyzer = await analyzerOfSpec(request.analyzer);
  spiller = new SegmentSpiller(analyzer, collectMuch);
  send({ type: 'started', analyzer: analyzer.id });
}

function merge({
  folder: path,
  analyzer,
  files,
  forgets,
}: Extract<IndexerRequest, { type: 'merge' }>): void {
  const index = new IndexFolder(path, analyzer, (reason) => {
    throw new Error(reason);
  });
  const { sections, ...counts } = mergeSegments(index.refresh(), files, forgets, collectGarbage);
  send({ type: 'merged', file: writeSegment(path, sections), ...counts });
  index.close();
}

function report(segment: SpilledSegment | undefined): void {
  if (!segment) return;
  const { sections, ...counts } = segment;
  send({ type: 'segment', file: writeSegment(folder, sections), ...counts });
  collectGarbage();
}

/** V8 would rather let the heap grow than look; a segment is a good moment, and so is much that is new. */
function collectGarbage(): void {
  globalThis.gc?.();
  held = process.memoryUsage().heapUsed;
}

function collectMuch(): void {
  if (process.memoryUsage().heapUsed - held > MUCH) collectGarbage();
}

function fail(error: unknown): void {
  const stack = isError(error) && error.stack ? { stack: error.stack } : {};
  const isCorrupt = IndexingError.isInstance(error) && error.code === 'index-corrupt';
  send({ type: 'failed', message: messageOf(error), isCorrupt, ...stack, ...damagedFile(error) });
}

/** An analyzer may read an index of its own, whose damage has a folder. */
function damagedFile(error: unknown): { readonly path?: string } {
  if (!IndexingError.isInstance(error)) return {};
  const { context } = error;
  const { path } = context;
  return typeof path === 'string' && context['folder'] === undefined ? { path } : {};
}

function send(message: IndexerAnswer): void {
  // Without a host no caller waits for the rest; written files are swept away later.
  process.send?.(message, undefined, undefined, (error) => {
    if (error) process.exit(0);
  });
}
