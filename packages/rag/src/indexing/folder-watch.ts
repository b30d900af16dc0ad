import { type BigIntStats, type FSWatcher, readdirSync, statSync, watch } from 'node:fs';
import { basename, join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { hasCode } from '@vizprompt/providers/internal';
import { isDocumentFolder, isDocumentPath } from './scan-project.ts';

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
export class FolderWatch {
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
