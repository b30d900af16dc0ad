import { realpathSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { TypedEvents } from '@vizprompt/providers';
import { untilAborted } from '@vizprompt/providers/internal';
import { checkSearch } from '../contract/base-backend.ts';
import { LONG_KINDS } from '../contract/backend-options.ts';
import { SegmentBackend } from '../backends/segment-backend.ts';
import type {
  LongOptions,
  SearchBackend,
  SearchHit,
  SearchOptions,
  SearchResults,
} from '../contract/search-backend.ts';
import { pagesOf } from '../contract/search-cursor.ts';
import { projectPatterns, searchKey } from '../cache/search-cache.ts';
import { checkOptions, assertOpened } from '../check-options.ts';
import { AutoChunkingStrategy } from '../chunk/auto-chunking-strategy.ts';
import { ProjectNotFoundError, RagError } from '../errors.ts';
import { addListeners, checkIndexingListener, hasEvents, type IndexingEvents } from '../events.ts';
import { MAX_FILE_BYTES } from '../files/file-area.ts';
import { ProjectWatcher } from './project-watcher.ts';
import { indexPlace, isIn, makeOwnFolder, withProjectLock } from './index-place.ts';
import { indexedPaths, type ProjectBackend } from '../contract/project-backend.ts';
import { PROJECT_INDEXER_KINDS, type ProjectIndexerOptions } from './project-indexer-options.ts';
import {
  refreshProject,
  type Refreshed,
  type RefreshReport,
  type RefreshTarget,
} from './refresh-project.ts';
import { SourceManifest } from './source-manifest.ts';

/**
 * Keeps the index of a project as its files are: at call by `refresh`, or all the time by `watch`.
 * Several processes may do so with one project: one of them does the work, and all see it.
 *
 * @example
 * ```ts
 * await using indexer = await ProjectIndexer.open({ project: '灯台', folder: 'novels/灯台' });
 * indexer.events.on('file:failed', ({ path, error }) => console.warn(path, error.message));
 * await indexer.watch();
 * const { hits } = await indexer.search('嵐の夜に灯を守ったのは誰？');
 * ```
 */
export class ProjectIndexer {
  /** The index. Closed with the indexer. */
  readonly backend: SearchBackend;
  readonly events: TypedEvents<IndexingEvents>;
  readonly #backend: ProjectBackend;
  readonly #options: ProjectIndexerOptions;
  readonly #root: string;
  readonly #indexFolder: string;
  readonly #manifest: SourceManifest;
  readonly #target: Omit<RefreshTarget, 'events' | 'toldFailures' | 'onLoss'>;
  readonly #closing = new AbortController();
  readonly #running = new Set<Promise<unknown>>();
  readonly #toldFailures = new Map<string, string>();
  /** Makes an index that was deleted or damaged; searches wait for it. */
  #mending: Promise<unknown> | undefined;
  #reload: ProjectWatcher | undefined;
  /** Results from before the last change must not be cached after it. */
  #changes = 0;
  /** True if no index of another analyzer is being analyzed again. */
  #isWhole: boolean;
  /** True if the index was found or made to be as the project is, and no later comparison failed. */
  #isCompared = false;
  #closed: Promise<void> | undefined;

  private constructor(
    options: ProjectIndexerOptions,
    backend: ProjectBackend,
    root: string,
    indexFolder: string,
  ) {
    assertOpened(backend, 'search', 'ProjectIndexer.open(options)');
    const { logger, on = {}, project } = options;
    this.#options = options;
    this.#backend = backend;
    this.backend = backend;
    this.#root = root;
    this.#indexFolder = indexFolder;
    const chunking = options.chunking ?? new AutoChunkingStrategy();
    this.#manifest = new SourceManifest(indexFolder, JSON.stringify([project, chunking.id]));
    const { maxFileBytes = MAX_FILE_BYTES } = options;
    this.#target = { project, root, backend, manifest: this.#manifest, maxFileBytes };
    this.#isWhole = backend.ready === undefined;
    const whole = (): void => void (this.#isWhole = true);
    backend.ready?.then(whole, () => undefined);
    // Writes of others from now on are changes.
    this.#manifest.load();
    this.events = new TypedEvents<IndexingEvents>({ logger, check: checkIndexingListener });
    this.events.on('index:changed', () => this.#forgetSearches());
    // Earlier results were not degraded, and yet found without these vectors.
    if (hasEvents(backend)) backend.events.on('vectors:caught-up', () => this.#forgetSearches());
    addListeners(this.events, on);
  }

  /**
   * Opens the index of a project, as it was left. Nothing is read of the project until `refresh` or
   * `watch`.
   *
   * @throws ProjectNotFoundError if the folder is not there. IndexingError if the index folder cannot be
   * made.
   */
  static async open(options: ProjectIndexerOptions): Promise<ProjectIndexer> {
    checkOptions('ProjectIndexer.open', options, PROJECT_INDEXER_KINDS);
    const { project, folder, logger, chunking, analyzer } = options;
    const root = realFolder(project, folder);
    const { indexName: name = '.' } = options;
    const indexFolder =
      options.indexFolder === undefined
        ? indexPlace({ root, name })
        : resolve(options.indexFolder, name);
    const backend = options.openBackend
      ? await options.openBackend(indexFolder)
      : await SegmentBackend.open({
          folder: indexFolder,
          ...(analyzer ? { analyzer } : {}),
          ...(chunking ? { chunking } : {}),
          ...(logger ? { logger } : {}),
        });
    return new ProjectIndexer(options, backend, root, indexFolder);
  }

  /**
   * Makes the index what the project is now. Files whose size and times are as they were are not read,
   * those whose content is as it was are not indexed. Unreadable files are reported by `file:failed`, and
   * is not an error. Waits while another process does the same.
   *
   * @throws ProjectNotFoundError if the folder of the project is gone; the index stays as it is.
   */
  async refresh(options: LongOptions = {}): Promise<RefreshReport> {
    checkOptions('refresh', options, LONG_KINDS);
    const { report } = await this.#refresh(options.signal);
    return report;
  }

  /**
   * From now on, changes come to the index by themselves, `debounceMs` after the last one. Resolves
   * when the project is watched and the index is as the project is. Keeps the process alive until
   * `close`. Calling it twice does no harm.
   *
   * @throws ProjectNotFoundError if the folder of the project is gone.
   */
  async watch(options: LongOptions = {}): Promise<void> {
    this.#assertOpen();
    checkOptions('watch', options, LONG_KINDS);
    this.#reload ??= new ProjectWatcher({
      root: this.#root,
      events: this.events,
      debounceMs: this.#options.debounceMs ?? 500,
      usePolling: this.#options.usePolling ?? false,
      pollMs: this.#options.pollMs ?? 1000,
      rescanMs: this.#options.rescanMs ?? 60_000,
      ...(this.#options.logger ? { logger: this.#options.logger } : {}),
      refresh: (signal) => this.#refresh(signal),
    });
    await this.#reload.start(options.signal);
  }

  /**
   * Brings what had changed before the call to the index. Where the project is watched, this costs nothing if nothing
   * did; otherwise it is `refresh`.
   *
   * @throws RagError as `refresh` does; where the project is watched, a failure is reported by `index:failed` alone.
   */
  async catchUp(options: LongOptions = {}): Promise<void> {
    checkOptions('catchUp', options, LONG_KINDS);
    if (!this.#reload) await this.#refresh(options.signal);
    else await untilAborted(this.#reload.catchUp(), options.signal);
  }

  /** Checks whether the index has documents of the project: searches may answer from it though it may be old. */
  async hasDocuments(): Promise<boolean> {
    this.#assertOpen();
    return (await indexedPaths(this.#backend, this.#options.project))?.size !== 0;
  }

  /**
   * Searches the project, in the state that the index has; before the first `refresh` or `watch` has ended, after one
   * that failed, and while an index is analyzed again, the results are `incomplete`. An index that is found damaged, or whose
   * folder was deleted, is made again first.
   */
  async search(query: string, options: SearchOptions = {}): Promise<SearchResults> {
    this.#assertOpen();
    checkSearch(query, options);
    const { cache, project } = this.#options;
    if (this.#manifest.isLost) this.#forgetSearches();
    const filter = { ...options.filter, projects: [project] };
    const search = (): Promise<SearchResults> => this.#search(query, { ...options, filter });
    // While an index is analyzed again, results are incomplete, and no event says when that ends.
    if (!this.#isWhole || !this.#isCompared) return { ...(await search()), incomplete: true };
    if (!cache) return search();
    const key = searchKey([project], query, options);
    const kept = await cache.get(key);
    if (kept) return kept;
    const before = this.#changes;
    const results = await search();
    // Results without all of the vectors may be better the next time.
    const isBest = this.#changes === before && results.degraded !== true;
    if (isBest) await cache.set(key, results);
    return results;
  }

  /**
   * Returns the hits of all pages, best first, as long as they are asked for.
   *
   * @param options - `k` is the size of the first page; with more hits taken, the next are larger.
   */
  searchAll(query: string, options: SearchOptions = {}): AsyncIterable<SearchHit> {
    this.#assertOpen();
    checkSearch(query, options);
    return pagesOf((page) => this.search(query, page), options);
  }

  /** Ends watching and what is in progress, and closes the index. */
  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #close(): Promise<void> {
    this.#closing.abort(this.#closedError());
    await this.#reload?.close();
    await Promise.allSettled(this.#running);
    await this.#backend.close();
  }

  async #refresh(own?: AbortSignal): Promise<Refreshed> {
    this.#assertOpen();
    const signal = own ? AbortSignal.any([own, this.#closing.signal]) : this.#closing.signal;
    signal.throwIfAborted();
    const onLoss = (): void => void (this.#mending ??= running);
    const isLost = this.#manifest.isLost;
    const running = this.#refreshLocked(signal, onLoss);
    this.#running.add(running);
    if (isLost) onLoss();
    try {
      const refreshed = await running;
      this.#isCompared = true;
      return refreshed;
    } catch (error) {
      if (!signal.aborted) this.#isCompared = false;
      throw error;
    } finally {
      this.#running.delete(running);
      if (this.#mending === running) this.#mending = undefined;
    }
  }

  /** Rebuilds an index that is damaged or gone; for all callers, so that none of them stops it. */
  async #mended(signal: AbortSignal | undefined): Promise<void> {
    if (this.#mending) await untilAborted(this.#mending, signal);
  }

  #mend(): void {
    if (this.#mending) return;
    const mending = this.#refresh();
    this.#mending = mending;
    const end = (): void => {
      if (this.#mending === mending) this.#mending = undefined;
    };
    mending.then(end, end);
  }

  async #refreshLocked(signal: AbortSignal, onLoss: () => void): Promise<Refreshed> {
    const { project, indexFolder } = this.#options;
    realFolder(project, this.#root);
    // The folder may have been deleted, and with it the file that makes git ignore it.
    if (indexFolder === undefined && isIn(this.#root, this.#indexFolder)) makeOwnFolder(this.#root);
    const target = {
      ...this.#target,
      events: this.events,
      toldFailures: this.#toldFailures,
      onLoss,
    };
    const onWait = (): void => this.events.emit('index:waiting', {});
    const place = { project, folder: this.#indexFolder, locks: this.#options.locks };
    return withProjectLock(place, signal, onWait, async () => {
      const { ready } = this.#backend;
      if (ready) await untilAborted(ready, signal);
      try {
        return await refreshProject(target, signal);
      } catch (error) {
        if (!isCorrupt(error)) throw error;
        // The index has thrown away what was damaged; now it is made again.
        return refreshProject(target, signal);
      }
    });
  }

  async #search(query: string, options: SearchOptions): Promise<SearchResults> {
    if (this.#manifest.isLost) this.#mend();
    // The partial result would be taken for all there is.
    await this.#mended(options.signal);
    try {
      return await this.#backend.search(query, options);
    } catch (error) {
      if (!isCorrupt(error)) throw error;
      this.#mend();
      await this.#mended(options.signal);
      return this.#backend.search(query, options);
    }
  }

  #forgetSearches(): void {
    this.#changes++;
    const { cache, project, logger } = this.#options;
    for (const pattern of cache ? projectPatterns(project) : []) {
      cache?.invalidate(pattern).catch((error: unknown) => {
        logger?.error(`searches in ${project} that are out of date stay in the cache`, { error });
      });
    }
  }

  #assertOpen(): void {
    if (this.#closed) throw this.#closedError();
  }

  #closedError(): RagError {
    return new RagError('closed', `the indexer of ${this.#options.project} is closed`);
  }
}

function realFolder(project: string, folder: string): string {
  let cause: unknown;
  try {
    const real = realpathSync.native(folder);
    if (statSync(real).isDirectory()) return real;
  } catch (error) {
    cause = error;
  }
  const message =
    cause === undefined
      ? `${folder} is no folder, so it cannot be that of the project ${project}`
      : `there is no folder ${folder} for the project ${project}`;
  throw new ProjectNotFoundError(message, { cause, context: { project, folder } });
}

function isCorrupt(error: unknown): boolean {
  return RagError.isInstance(error) && error.code === 'index-corrupt';
}
