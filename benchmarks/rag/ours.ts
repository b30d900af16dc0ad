import type { Place } from './ask-system.ts';
import { folderSize } from './folder-size.ts';
import { runWorker } from './run-worker.ts';

/** Our index of works in a folder. */
export interface Ours {
  readonly index: string;
  readonly place: Place;
}

/** What it takes to make an index. */
export interface IndexCost {
  readonly seconds: number;
  /** What then still runs until the index is closed. */
  readonly closingSeconds: number;
  /** Megabytes of this process and the one it starts. */
  readonly peak: number | undefined;
  /** Megabytes on disk. */
  readonly size: number;
}

/** One task of `ours-worker.mjs`, in a process of its own. */
export async function runOurs<Result>(
  { index, place }: Ours,
  task: 'index' | 'cold' | 'search' | 'rss' | 'update',
  given: string | number = '',
): Promise<Result & { readonly peak: number | undefined }> {
  const values = [task, place.folder, index, place.dictionaries, given];
  const { result, peak } = await runWorker<Result>('ours-worker.mjs', values);
  return { ...result, peak };
}

/** Indexes the works that together have so many chunks. */
export async function indexOurs(ours: Ours, chunks: number): Promise<IndexCost> {
  const { ms, closing, peak } = await runOurs<{ ms: number; closing: number }>(
    ours,
    'index',
    chunks,
  );
  return {
    seconds: ms / 1000,
    closingSeconds: closing / 1000,
    peak,
    size: (await folderSize(ours.index)) / 1e6,
  };
}

/** The result of each of several processes. */
export async function repeated<Result>(
  count: number,
  run: (at: number) => Promise<Result>,
): Promise<readonly Result[]> {
  const results = [];
  for (let at = 0; at < count; at++) results.push(await run(at));
  return results;
}
