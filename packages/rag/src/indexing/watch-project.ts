import { basename, join, relative, sep } from 'node:path';
import type { Stats } from 'node:fs';
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
  const isOutside = (path: string, stats?: Stats): boolean => !concerns(root, path, stats);
  const watcher = watch(root, {
    ignored: isOutside,
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

/** Whether a path is to be watched. Nothing is known of it at first. */
function concerns(root: string, path: string, stats: Stats | undefined): boolean {
  const inside = relative(root, path).split(sep).join('/');
  if (inside.startsWith('..')) return false;
  if (stats?.isDirectory()) return isDocumentFolder(inside);
  return isDocumentPath(inside) || (isDocumentFolder(inside) && !stats?.isFile());
}

/** An event of the system is about a name in a folder, or about a file. */
function rawConcerns(root: string, name: unknown, details: unknown): boolean {
  if (typeof name !== 'string') return true;
  if (typeof details !== 'object' || details === null || !('watchedPath' in details)) return true;
  const watched = String(details.watchedPath);
  // Of a file that is watched for itself it is its own name.
  const isItself = basename(watched) === name && concerns(root, watched, undefined);
  return isItself || concerns(root, join(watched, name), undefined);
}
