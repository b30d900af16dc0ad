import { join, relative, sep } from 'node:path';
import { messageOf, type Logger, type TypedEvents } from '@vizprompt/providers';
import type { FSWatcher } from 'chokidar';
import { ProjectNotFoundError } from '../errors.ts';
import type { IndexingEvents } from '../events.ts';
import type { Refreshed } from './refresh-project.ts';
import { RACY_MS, isDocumentFolder, isDocumentPath } from './scan-project.ts';

/** Changes that never pause are indexed after this many times the debounce. */
const MAX_DEBOUNCES = 10;
/** How long after a change that the next one may look like it is looked once more. */
const SETTLE_MS = RACY_MS + 500;
/** How long after a failure it is tried again. */
const RETRY_MS = 5000;
/** How long at most it takes until it is tried again to get events. */
const LONGEST_RETRY_MS = 60_000;

/** The parts of {@link ProjectWatcher}. */
interface ProjectWatcherOptions {
  /** The real path of the project. */
  readonly root: string;
  readonly events: TypedEvents<IndexingEvents>;
  readonly debounceMs: number;
  readonly usePolling: boolean;
  readonly pollMs: number;
  readonly rescanMs: number;
  readonly logger?: Logger;
  refresh(signal?: AbortSignal): Promise<Refreshed>;
}

/**
 * Refreshes a project when something hints that it changed. The hints say when to look, never what
 * there is: each look compares all of the project with what the index has.
 */
export class ProjectWatcher {
  readonly #options: ProjectWatcherOptions;
  #watch: ProjectWatch | undefined;
  /** Counts the watches, so that what an old one says is not heard. */
  #generation = 0;
  /** True if the system gives no events. */
  #isPolling = false;
  /** Not before then it is tried again to get events. */
  #retryAt = 0;
  #retryMs: number;
  #starting: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | undefined;
  /** When the first hint came that was not followed yet. */
  #hintedAt: number | undefined;
  readonly #closing = new AbortController();
  /** All folders that were seen since the watch began, see `folderIdentity`. */
  #folders = new Map<string, string>();

  constructor(options: ProjectWatcherOptions) {
    this.#options = options;
    this.#retryMs = options.pollMs;
  }

  /** Resolves when the project is watched and the index is as the project is. */
  start(signal?: AbortSignal): Promise<void> {
    this.#starting ??= this.#start(signal).catch((error: unknown) => {
      this.#starting = undefined;
      throw error;
    });
    return this.#starting;
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#starting?.catch(() => undefined);
    await this.#looking;
    clearTimeout(this.#timer);
    await this.#unwatch();
  }

  async #start(signal: AbortSignal | undefined): Promise<void> {
    try {
      await this.#rewatch();
      const refreshing = this.#options.refresh(signal);
      // Hints are followed when this is done.
      this.#looking = refreshing.then(
        () => undefined,
        () => undefined,
      );
      const { folders, isSettled } = await refreshing;
      this.#looking = undefined;
      this.#see(folders);
      this.#plan(isSettled);
    } catch (error) {
      await this.#unwatch();
      this.#looking = undefined;
      clearTimeout(this.#timer);
      throw error;
    }
  }

  /** Something may have changed. */
  #hint(): void {
    const now = performance.now();
    this.#hintedAt ??= now;
    // A scan is running; it re-checks before it ends.
    if (this.#looking) return;
    const { debounceMs } = this.#options;
    const longest = this.#hintedAt + MAX_DEBOUNCES * debounceMs - now;
    this.#schedule(Math.max(0, Math.min(debounceMs, longest)));
  }

  #schedule(ms: number): void {
    clearTimeout(this.#timer);
    if (this.#closing.signal.aborted || !Number.isFinite(ms)) return;
    this.#timer = setTimeout(() => {
      this.#looking = this.#look().finally(() => {
        this.#looking = undefined;
      });
    }, ms);
  }

  /** When it is looked next. */
  #plan(isSettled: boolean): void {
    const { debounceMs, pollMs, rescanMs } = this.#options;
    if (this.#hintedAt !== undefined) this.#schedule(debounceMs);
    else if (!this.#watch) this.#schedule(pollMs);
    else this.#schedule(isSettled ? rescanMs : Math.min(SETTLE_MS, rescanMs));
  }

  /** Never rejects. */
  async #look(): Promise<void> {
    this.#hintedAt = undefined;
    try {
      const { folders, isSettled } = await this.#options.refresh();
      const isReplaced = this.#see(folders);
      const wantsEvents = !this.#options.usePolling && performance.now() >= this.#retryAt;
      if (isReplaced || (!this.#watch && wantsEvents)) {
        await this.#rewatch();
        // Changes meanwhile were not reported.
        if (this.#watch) this.#hintedAt ??= performance.now();
      }
      this.#plan(isSettled);
    } catch (error) {
      await this.#failed(error);
    }
  }

  async #failed(error: unknown): Promise<void> {
    if (this.#closing.signal.aborted) return;
    const { events, logger, root, pollMs } = this.#options;
    if (!ProjectNotFoundError.isInstance(error)) {
      logger?.error(`${root} could not be indexed: ${messageOf(error)}`, { root });
      events.emit('index:failed', { error });
      this.#schedule(RETRY_MS);
      return;
    }
    await this.#unwatch();
    this.#tellLost(error);
    this.#retryAt = 0;
    this.#schedule(pollMs);
  }

  /** @returns `true` if a folder was replaced by another one, which is not watched then. */
  #see(folders: ReadonlyMap<string, string>): boolean {
    let isReplaced = false;
    for (const [path, identity] of folders) {
      const before = this.#folders.get(path);
      if (before !== undefined && before !== identity) isReplaced = true;
      this.#folders.set(path, identity);
    }
    return isReplaced;
  }

  /** Starts or restarts the watch, or reports that it cannot. */
  async #rewatch(): Promise<void> {
    const { root, usePolling, events } = this.#options;
    await this.#unwatch();
    if (usePolling) {
      if (!this.#isPolling) events.emit('watch:ready', { isPolling: true });
      this.#isPolling = true;
      return;
    }
    const generation = ++this.#generation;
    const listeners = {
      onHint: () => this.#hint(),
      onLost: (error: unknown) => {
        if (generation === this.#generation) this.#lose(error);
      },
    };
    try {
      this.#watch = await watchProject(root, listeners, this.#closing.signal);
      this.#isPolling = false;
      this.#retryMs = this.#options.pollMs;
      events.emit('watch:ready', { isPolling: false });
    } catch (error) {
      if (this.#closing.signal.aborted) return;
      this.#tellLost(error);
      this.#retryAt = performance.now() + this.#retryMs;
      this.#retryMs = Math.min(2 * this.#retryMs, LONGEST_RETRY_MS);
    }
  }

  /** No events come any more: it is looked at once, and tried to get events again. */
  #lose(reason: unknown): void {
    const watch = this.#watch;
    this.#watch = undefined;
    this.#generation++;
    watch?.close().catch(() => undefined);
    const { logger, root, events } = this.#options;
    logger?.warn(`the watch of ${root} is lost: ${messageOf(reason)}`, { root });
    events.emit('watch:failed', { error: reason });
    this.#hint();
  }

  #tellLost(error: unknown): void {
    if (this.#isPolling) return;
    this.#isPolling = true;
    const { events, logger, root } = this.#options;
    logger?.warn(`${root} cannot be watched: ${messageOf(error)}`, { root });
    events.emit('watch:failed', { error });
    events.emit('watch:ready', { isPolling: true });
  }

  async #unwatch(): Promise<void> {
    const watch = this.#watch;
    this.#watch = undefined;
    this.#generation++;
    this.#folders.clear();
    await watch?.close();
  }
}

/** The listeners of a watch. */
interface WatchListeners {
  /** Something that may concern documents happened. */
  onHint(): void;
  /** Events are lost from now on; the watch is of no use any more. */
  onLost(error: unknown): void;
}

/** A watch that has begun. */
interface ProjectWatch {
  close(): Promise<void>;
}

/**
 * Watches the documents of a project by the events of the system.
 *
 * @param root - The real path of the project.
 * @throws the error of the system if no events are available, as when its limit is reached.
 */
async function watchProject(
  root: string,
  { onHint, onLost }: WatchListeners,
  signal: AbortSignal,
): Promise<ProjectWatch> {
  const { watch } = await import('chokidar');
  signal.throwIfAborted();
  const watcher = watch(root, {
    // A change of a file is an event of its folder, too, so files need no watch of their own.
    ignored: (path, stats) => stats?.isFile() === true || !mayHoldDocuments(root, path),
    ignoreInitial: true,
    // The comparison with the index decides what happened; events need no polish.
    atomic: false,
    followSymlinks: false,
    // A file that cannot be read is reported by its reader.
    ignorePermissionErrors: true,
    // Otherwise an error of the system is unhandled, and ends the process.
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

/** Ends a watch. It may continue to find errors, which without a listener would end the process. */
async function quietly(watcher: FSWatcher): Promise<void> {
  const closed = watcher.close();
  watcher.on('error', () => undefined);
  await closed;
}

/** Checks whether a path may be that of a folder with documents: of its kind nothing is known at first. */
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

/** Returns a path relative to the project, with `/`. */
function insideOf(root: string, path: string): string | undefined {
  const inside = relative(root, path).split(sep).join('/');
  return inside.startsWith('..') ? undefined : inside;
}
