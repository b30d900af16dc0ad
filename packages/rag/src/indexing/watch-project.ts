import { join, relative, sep } from 'node:path';
import type { FSWatcher } from 'chokidar';
import { isDocumentFolder, isDocumentPath } from './document-path.ts';

/** What a watch tells. */
export interface WatchListeners {
  /** Something that may concern documents happened. */
  onHint(): void;
  /** Events are lost from now on; the watch is of no use any more. */
  onLost(error: unknown): void;
}

/** A watch that has begun. */
export interface ProjectWatch {
  close(): Promise<void>;
}

/**
 * Watches the documents of a project by the events of the system.
 *
 * @param root - The real path of the project.
 * @throws The error of the system if there are no events to be had, as when its limit is reached.
 */
export async function watchProject(
  root: string,
  { onHint, onLost }: WatchListeners,
  signal: AbortSignal,
): Promise<ProjectWatch> {
  const { watch } = await import('chokidar');
  signal.throwIfAborted();
  const watcher = watch(root, {
    // What happens to a file is an event of its folder, too, so files need no watch of their own.
    ignored: (path, stats) => stats?.isFile() === true || !mayHoldDocuments(root, path),
    ignoreInitial: true,
    // The comparison with the index decides what happened; events need no polish.
    atomic: false,
    followSymlinks: false,
    // What cannot be read is told by whoever reads it.
    ignorePermissionErrors: true,
    // Otherwise an error of the system is nobody's, and ends the process.
    persistent: true,
    usePolling: false,
  });
  let isReady = false;
  try {
    await new Promise<void>((resolve, reject) => {
      const stop = (): void => reject(signal.reason);
      signal.addEventListener('abort', stop, { once: true });
      watcher.on('ready', () => {
        isReady = true;
        signal.removeEventListener('abort', stop);
        resolve();
      });
      watcher.on('error', (error) => {
        signal.removeEventListener('abort', stop);
        if (isReady) onLost(error);
        else reject(error);
      });
      watcher.on('all', (event) => {
        // That comes raw as well, and before chokidar has looked at the file.
        if (isReady && event !== 'change') onHint();
      });
      // More than chokidar makes of it, such as what comes twice within its times of grace.
      watcher.on('raw', (_event, name, details: unknown) => {
        if (isReady && rawConcerns(root, name, details)) onHint();
      });
    });
  } catch (error) {
    await quietly(watcher);
    throw error;
  }
  return { close: () => quietly(watcher) };
}

/** Ends a watch. It may go on to find errors, which nobody would hear of and the process would die of. */
async function quietly(watcher: FSWatcher): Promise<void> {
  const closed = watcher.close();
  watcher.on('error', () => undefined);
  await closed;
}

/** Whether a path may be that of a folder with documents: of its kind nothing is known at first. */
function mayHoldDocuments(root: string, path: string): boolean {
  const inside = insideOf(root, path);
  return inside !== undefined && isDocumentFolder(inside);
}

/** An event of the system is about a name in a folder. */
function rawConcerns(root: string, name: unknown, details: unknown): boolean {
  if (typeof name !== 'string') return true;
  if (typeof details !== 'object' || details === null || !('watchedPath' in details)) return true;
  const watched = String(details.watchedPath);
  const inside = insideOf(root, join(watched, name));
  return inside !== undefined && (isDocumentFolder(inside) || isDocumentPath(inside));
}

/** A path relative to the project, with `/`. */
function insideOf(root: string, path: string): string | undefined {
  const inside = relative(root, path).split(sep).join('/');
  return inside.startsWith('..') ? undefined : inside;
}
