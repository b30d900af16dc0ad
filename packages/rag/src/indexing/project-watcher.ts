import { type BigIntStats, type FSWatcher, readdirSync, statSync, watch } from 'node:fs';
import { basename, join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Logger, messageOf, type TypedEvents } from '@vizprompt/providers';
import { hasCode } from '@vizprompt/providers/internal';
import { ProjectNotFoundError } from '../errors.ts';
import type { IndexingEvents } from '../events.ts';
import type { Refreshed } from './refresh-project.ts';
import { isDocumentFolder, isDocumentPath, RACY_MS } from './scan-project.ts';

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
  #watch: FolderWatch | undefined;
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

  /**
   * Looks at once if there are hints that were not followed yet, or none come at all. Files that another process had
   * written before are in the index then. Never rejects.
   */
  async catchUp(): Promise<void> {
    // The events of the system come with this turn.
    await nextTurn();
    while (this.#looking) await this.#looking;
    if (this.#closing.signal.aborted) return;
    if (this.#hintedAt !== undefined || !this.#watch) await this.#lookNow();
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#starting?.catch(() => undefined);
    await this.#looking;
    clearTimeout(this.#timer);
    this.#unwatch();
  }

  async #start(signal: AbortSignal | undefined): Promise<void> {
    try {
      await this.#cover();
      const refreshing = this.#options.refresh(signal);
      // Hints are followed when this is done.
      this.#looking = refreshing.then(
        () => undefined,
        () => undefined,
      );
      const { isSettled } = await refreshing;
      this.#looking = undefined;
      this.#plan(isSettled);
    } catch (error) {
      this.#unwatch();
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
    this.#timer = setTimeout(() => void this.#lookNow(), ms);
  }

  #lookNow(): Promise<void> {
    clearTimeout(this.#timer);
    const looking = this.#look().finally(() => {
      this.#looking = undefined;
    });
    this.#looking = looking;
    return looking;
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
      await this.#cover();
      const { isSettled } = await this.#options.refresh();
      this.#plan(isSettled);
    } catch (error) {
      this.#failed(error);
    }
  }

  #failed(error: unknown): void {
    if (this.#closing.signal.aborted) return;
    const { events, logger, root, pollMs } = this.#options;
    if (!ProjectNotFoundError.isInstance(error)) {
      logger?.error(`${root} could not be indexed: ${messageOf(error)}`, { root });
      events.emit('index:failed', { error });
      this.#schedule(RETRY_MS);
      return;
    }
    this.#unwatch();
    this.#tellLost(error);
    this.#retryAt = 0;
    this.#schedule(pollMs);
  }

  /** Watches the folders that are there now, or reports that it cannot. Never rejects. */
  async #cover(): Promise<void> {
    const { root, usePolling, events, pollMs } = this.#options;
    if (usePolling) {
      if (!this.#isPolling) events.emit('watch:ready', { isPolling: true });
      this.#isPolling = true;
      return;
    }
    if (!this.#watch && performance.now() < this.#retryAt) return;
    const isNew = !this.#watch;
    const folderWatch = this.#watch ?? this.#newWatch(root);
    this.#watch = folderWatch;
    try {
      await folderWatch.cover(this.#closing.signal);
      if (this.#watch !== folderWatch || !isNew) return;
      this.#isPolling = false;
      this.#retryMs = pollMs;
      events.emit('watch:ready', { isPolling: false });
    } catch (error) {
      if (this.#watch === folderWatch) this.#unwatch();
      if (this.#closing.signal.aborted) return;
      this.#tellLost(error);
      this.#retryAt = performance.now() + this.#retryMs;
      this.#retryMs = Math.min(2 * this.#retryMs, LONGEST_RETRY_MS);
    }
  }

  #newWatch(root: string): FolderWatch {
    const folderWatch = new FolderWatch(root, {
      onHint: () => this.#hint(),
      onLost: (error) => {
        if (this.#watch === folderWatch) this.#lose(error);
      },
    });
    return folderWatch;
  }

  /** No events come any more: it is looked at once, and tried to get events again. */
  #lose(reason: unknown): void {
    this.#unwatch();
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

  #unwatch(): void {
    this.#watch?.close();
    this.#watch = undefined;
  }
}

/** After this many folders, the event loop gets a turn. */
const TURN = 64;

/** The listeners of a watch. */
interface WatchListeners {
  /** Called when something that may concern documents happened. */
  onHint(): void;
  /** Called when events are lost from now on; the watch is of no use any more. */
  onLost(error: unknown): void;
}

/** A folder that is watched. */
interface WatchedFolder {
  readonly identity: string;
  readonly watcher: FSWatcher;
}

/**
 * Watches the folders of a project that may hold documents, each for itself, by the events of the system.
 *
 * A watch is one of a folder, not of its path: after `rm -rf` and `mkdir` the new folder has none. So {@link cover}
 * compares the identities, and is called before each comparison of the project with the index: a folder is watched
 * before its content is read, and what changes later gives an event.
 */
class FolderWatch {
  readonly #root: string;
  readonly #listeners: WatchListeners;
  readonly #folders = new Map<string, WatchedFolder>();
  #isClosed = false;

  /** @param root - The real path of the project. */
  constructor(root: string, listeners: WatchListeners) {
    this.#root = root;
    this.#listeners = listeners;
  }

  /**
   * Watches all folders that are there now, and no others.
   *
   * @throws The error of the system if the project is gone, or no events are available, as when its limit is reached.
   */
  async cover(signal: AbortSignal): Promise<void> {
    const found = new Set<string>();
    const waiting = [''];
    for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
      if (this.#watchFolder(path)) {
        found.add(path);
        waiting.push(...this.#foldersIn(path));
      } else if (path === '') {
        throw Object.assign(new Error(`there is no folder ${this.#root}`), { code: 'ENOENT' });
      }
      if (found.size % TURN === TURN - 1) {
        await nextTurn();
        signal.throwIfAborted();
      }
      if (this.#isClosed) return;
    }
    for (const path of this.#folders.keys()) if (!found.has(path)) this.#unwatchFolder(path);
  }

  close(): void {
    this.#isClosed = true;
    for (const path of this.#folders.keys()) this.#unwatchFolder(path);
  }

  /** @returns `false` if there is no such folder any more, or none that may be read. */
  #watchFolder(path: string): boolean {
    const place = join(this.#root, path);
    const identity = identityOf(place);
    const known = this.#folders.get(path);
    if (known && known.identity === identity) return true;
    this.#unwatchFolder(path);
    if (identity === undefined) return false;
    let watcher: FSWatcher;
    try {
      watcher = watch(place, (_event, name) => this.#hear(path, name));
    } catch (error) {
      // It went meanwhile; or its files cannot be read either, which is reported by their reader.
      if (hasCode(error, 'ENOENT', 'ENOTDIR', 'EACCES', 'EPERM')) return false;
      throw error;
    }
    const folder = { identity, watcher };
    this.#folders.set(path, folder);
    watcher.on('error', (error) => this.#fail(path, folder, error));
    // Another one may have been watched, if it was replaced just now.
    if (identityOf(place) !== identity) this.#listeners.onHint();
    return true;
  }

  #unwatchFolder(path: string): void {
    this.#folders.get(path)?.watcher.close();
    this.#folders.delete(path);
  }

  #fail(path: string, folder: WatchedFolder, error: Error): void {
    if (this.#folders.get(path) !== folder) return;
    this.#unwatchFolder(path);
    // Windows says so of a folder that was deleted.
    if (hasCode(error, 'EPERM', 'ENOENT')) this.#listeners.onHint();
    else this.#listeners.onLost(error);
  }

  /** Returns the paths of the folders in a folder. */
  #foldersIn(path: string): readonly string[] {
    try {
      return readdirSync(join(this.#root, path), { withFileTypes: true }).flatMap((entry) => {
        const inside = path === '' ? entry.name : `${path}/${entry.name}`;
        return entry.isDirectory() && isDocumentFolder(inside) ? [inside] : [];
      });
    } catch {
      // The reader reports folders that cannot be read.
      return [];
    }
  }

  #hear(path: string, name: string | null): void {
    if (this.#isClosed) return;
    const inside = path === '' || name === null ? name : `${path}/${name}`;
    // A folder speaks of itself by its own name, when it goes.
    const isItself = name === basename(join(this.#root, path));
    if (inside === null || isItself || isDocumentFolder(inside) || isDocumentPath(inside)) {
      this.#listeners.onHint();
    }
  }
}

/** Distinguishes a folder from another one that took its path; nothing if there is none. */
function identityOf(place: string): string | undefined {
  let stat: BigIntStats | undefined;
  try {
    stat = statSync(place, { bigint: true, throwIfNoEntry: false });
  } catch {
    return undefined;
  }
  return stat?.isDirectory() ? `${stat.dev}-${stat.ino}-${stat.birthtimeNs}` : undefined;
}
