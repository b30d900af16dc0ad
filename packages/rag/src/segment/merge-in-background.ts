import { IndexingError } from '../errors.ts';
import type { IndexFolder } from './index-folder.ts';
import { Indexer } from './indexer-client.ts';
import { areDead, mergeSegments } from './merge-segments.ts';

/** Smaller merges take a few milliseconds. */
const SMALL = 1000;

/** A segment that takes the place of others, written but not committed. */
export interface MergedFile {
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
export async function mergeInBackground(
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
