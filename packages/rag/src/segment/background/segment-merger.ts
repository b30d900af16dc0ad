import type { TypedEvents } from '@vizprompt/providers';
import { IndexingError } from '../../errors.ts';
import type { RagEvents } from '../../events.ts';
import type { Snapshot } from '../read/snapshot.ts';
import type { IndexFolder, LockedIndex } from '../store/index-folder.ts';
import { areDead, mergeSegments } from '../write/merge-segments.ts';
import { Indexer } from './indexer-client.ts';

/** With more segments than this, merging does not wait any longer. */
const URGENT_SEGMENTS = 32;
/** How long after the last write merging begins. */
const PAUSE_MS = 100;

/** The parts of {@link SegmentMerger}. */
interface SegmentMergerOptions {
  readonly guarded: LockedIndex;
  readonly events: TypedEvents<RagEvents>;
  readonly mayFork: boolean;
  /** When the index is closed. */
  readonly closing: AbortSignal;
}

/** Merges segments of an index where there are too many, or too much in them is deleted. */
export class SegmentMerger {
  readonly #options: SegmentMergerOptions;
  #running: Promise<void> | undefined;
  #pause: NodeJS.Timeout | undefined;

  constructor(options: SegmentMergerOptions) {
    this.#options = options;
    options.closing.addEventListener('abort', () => clearTimeout(this.#pause), { once: true });
  }

  /** Begins when nothing was written for a moment, so that no write waits for it; or when it must. */
  wrote(): void {
    const { guarded, closing } = this.#options;
    clearTimeout(this.#pause);
    if (this.#running || closing.aborted) return;
    const { segments } = guarded.folder.refresh();
    if (segments.length > URGENT_SEGMENTS) void this.run();
    else this.#pause = setTimeout(() => void this.run(), PAUSE_MS).unref();
  }

  /** Resolves when no merge is in progress. */
  async settled(): Promise<void> {
    await this.#running;
  }

  /** Merges what is to be merged, unless a merge is in progress, and waits for it. Never rejects. */
  run(signal?: AbortSignal): Promise<void> {
    this.#running ??= this.#run(signal).finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  /**
   * Merges these segments, and emits the event.
   *
   * @param forgets - True if documents that went are not remembered any more.
   */
  async merge(files: readonly string[], signal?: AbortSignal, forgets = false): Promise<void> {
    const { guarded, events, mayFork } = this.#options;
    const { folder } = guarded;
    const merged = await guarded.checked(() =>
      mergeInBackground(folder, files, { mayFork, forgets, ...(signal && { signal }) }),
    );
    await guarded.exclusively(() => {
      folder.replace(files, merged);
      folder.sweep();
    });
    events.emit('index:merged', { segments: files.length, chunks: merged.chunks });
  }

  async #run(signal: AbortSignal | undefined): Promise<void> {
    const { guarded, events, closing } = this.#options;
    const either = signal ? AbortSignal.any([closing, signal]) : closing;
    if (either.aborted) return;
    try {
      const files = mergeCandidates(guarded.folder.refresh());
      if (files.length > 0) await this.merge(files, either);
    } catch (error) {
      if (!either.aborted) events.emit('index:merge-failed', { error });
    }
  }
}

/** Smaller merges take a few milliseconds. */
const SMALL = 1000;

/** A segment that takes the place of others, written but not committed. */
interface MergedFile {
  readonly file: string;
  readonly chunks: number;
  /** How many documents it speaks of. */
  readonly records: number;
}

/**
 * Merges segments: a few chunks here, many in a process of its own, which the signal stops.
 *
 * @throws The signal's reason.
 */
async function mergeInBackground(
  folder: IndexFolder,
  files: readonly string[],
  {
    mayFork,
    forgets = false,
    signal,
  }: { readonly mayFork: boolean; readonly forgets?: boolean; readonly signal?: AbortSignal },
): Promise<MergedFile> {
  signal?.throwIfAborted();
  const snapshot = folder.refresh();
  const sources = snapshot.segments.filter(({ entry }) => files.includes(entry.file));
  const size = areDead(sources) ? 0 : sources.reduce((sum, { reader }) => sum + reader.size, 0);
  const indexer = mayFork && size > SMALL ? Indexer.start() : undefined;
  if (!indexer) {
    const { sections, ...counts } = mergeSegments(snapshot, files, forgets);
    return { file: folder.write(sections), ...counts };
  }
  let merged: MergedFile | undefined;
  const stop = (): void => indexer.close();
  signal?.addEventListener('abort', stop);
  try {
    const { analyzer } = snapshot.manifest;
    await indexer.request(
      { type: 'merge', folder: folder.path, analyzer, files, forgets },
      (answer) => {
        if (answer.type === 'merged') merged = answer;
      },
    );
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  } finally {
    signal?.removeEventListener('abort', stop);
    indexer.close();
  }
  if (!merged) throw new IndexingError('the indexing process gave no merged segment');
  return merged;
}

/** More segments than this are merged. */
const MAX_SEGMENTS = 8;
/** A segment with a larger part of deleted chunks is written again. */
const MAX_DEAD = 0.2;
/** Fewer chunks than this are not worth it. */
const MIN_CHUNKS = 200;
/** Larger segments are not merged with others any more. */
const MAX_MERGED = 200_000;

/**
 * Which segments are to be merged now, if any: the smallest ones when there are too many, so that
 * each chunk is written again about as often as the logarithm of their number; and those that hold
 * much that is deleted.
 */
function mergeCandidates(snapshot: Snapshot): readonly string[] {
  const bySize = snapshot.segments.toSorted((a, b) => a.reader.size - b.reader.size);
  const wasteful = bySize.filter(
    ({ live, reader }) =>
      reader.size >= MIN_CHUNKS && (reader.size - live) / reader.size > MAX_DEAD,
  );
  if (bySize.length <= MAX_SEGMENTS) return wasteful.map(({ entry }) => entry.file);
  const files: string[] = [];
  let total = 0;
  for (const { reader, entry } of bySize) {
    const isSmall = reader.size <= Math.max(MIN_CHUNKS, 2 * total);
    if (files.length >= 2 && (!isSmall || total + reader.size > MAX_MERGED)) break;
    files.push(entry.file);
    total += reader.size;
  }
  return files;
}
