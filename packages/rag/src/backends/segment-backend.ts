import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import {
  messageOf,
  StorageError,
  TypedEvents,
  type HeldLock,
  type Listener,
  type LockOptions,
} from '@vizprompt/providers';
import { checkOptions } from '../check-options.ts';
import { LONG_KINDS } from './option-kinds.ts';
import { SEGMENT_KINDS, type SegmentBackendOptions } from './segment-backend-options.ts';
import { withDefaults, type Cutting } from './with-defaults.ts';
import type { Chunk } from '../chunk/chunk.ts';
import type { ChunkingStrategy, SourceDocument } from '../chunk/chunking-strategy.ts';
import { IndexingError, RagError } from '../errors.ts';
import type { RagEvents } from '../events.ts';
import { indexNewDocuments, type WrittenSegment } from '../segment/bulk-indexer.ts';
import { foreseeDocuments } from '../segment/foresee-documents.ts';
import { IndexFolder } from '../segment/index-folder.ts';
import { IndexLocks } from '../segment/index-locks.ts';
import { mergeCandidates } from '../segment/maintenance.ts';
import { isMissing } from '../binary/is-missing.ts';
import type { PreviousManifest } from '../segment/manifest.ts';
import { mergeInBackground } from '../segment/merge-in-background.ts';
import { storedDocuments } from '../segment/stored-documents.ts';
import { answerQuery } from '../search/answer-query.ts';
import { SnapshotIndex } from '../segment/snapshot-index.ts';
import type { NewDocument } from '../segment/segment-spiller.ts';
import { StandbyIndexer } from '../segment/standby-indexer.ts';
import { sortDocuments, type SortTarget } from '../segment/sort-documents.ts';
import { writeDocuments } from '../segment/write-documents.ts';
import { BaseBackend } from './base-backend.ts';
import { checkChunks, checkDocument, checkIterable } from './check-input.ts';
import type { DocumentChange } from './document-change.ts';
import type {
  BackendStats,
  DocumentRef,
  IndexReport,
  LongOptions,
  SearchOptions,
  SearchResults,
  UpdateReport,
} from './search-backend.ts';

/** With more segments than this, merging does not wait any longer. */
const URGENT_SEGMENTS = 32;
/** How long after the last write merging begins. */
const PAUSE_MS = 100;
/** The longest time that timers can wait. */
const LONGEST_MS = 2 ** 31 - 1;

/** A document of an index. */
export interface IndexedDocument extends DocumentRef {
  readonly chunks: number;
}

/**
 * The default index: files in a folder, read where they are needed. Many processes may read it while
 * they write one after the other; all see what the last one wrote.
 *
 * @example
 * ```ts
 * const backend = await SegmentBackend.open({ folder: '.cache/index' });
 * await backend.updateFile({ novelId: '灯台', filePath: 'contents/01.md', text });
 * const { hits } = await backend.search('嵐の夜に走ったのは誰？');
 * ```
 */
export class SegmentBackend extends BaseBackend {
  readonly events: TypedEvents<RagEvents>;
  /**
   * Resolves when an index of another analyser has been analysed again; at once otherwise. Until then
   * searches find what has been analysed, and what writes waits. Closing stops it, and the next
   * opening goes on with it.
   */
  readonly ready: Promise<void>;
  protected readonly chunking: ChunkingStrategy;
  protected readonly title: string;
  readonly #options: Cutting<SegmentBackendOptions>;
  readonly #folder: IndexFolder;
  readonly #closing = new AbortController();
  readonly #locks: IndexLocks;
  readonly #standby: StandbyIndexer;
  readonly #indexing = new Set<Promise<void>>();
  #merging: Promise<void> | undefined;
  #pause: NodeJS.Timeout | undefined;

  private constructor(options: Cutting<SegmentBackendOptions>, events: TypedEvents<RagEvents>) {
    super();
    this.chunking = options.chunking;
    this.title = `the index in ${options.folder}`;
    this.#options = options;
    this.events = events;
    this.#folder = new IndexFolder(resolve(options.folder), options.analyzer.id, (reason) => {
      options.logger?.warn(`the index in ${options.folder} is made anew: ${reason}`, { reason });
      events.emit('index:discarded', { reason });
    });
    this.#locks = new IndexLocks(this.#folder.path);
    const { analyzer, mayFork = true } = options;
    this.#standby = new StandbyIndexer(this.#folder.path, analyzer, mayFork);
    this.ready = this.#folder.previous.length > 0 ? this.#rebuild() : Promise.resolve();
    // Who does not wait for it learns of a failure by the next call that writes.
    this.ready.catch(() => undefined);
  }

  /** @throws IndexingError if the folder cannot be made, such as where a file is. */
  static async open(options: SegmentBackendOptions): Promise<SegmentBackend> {
    checkOptions('SegmentBackend.open', options, SEGMENT_KINDS);
    const events = new TypedEvents<RagEvents>(options.logger ? { logger: options.logger } : {});
    for (const [name, listener] of Object.entries(options.on ?? {})) {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of the type above
      if (listener) events.on(name as keyof RagEvents, listener as Listener<unknown>);
    }
    return new SegmentBackend(await withDefaults(options), events);
  }

  /**
   * Indexes many documents, such as all of a project. Those that the index has as they are cost no
   * more than a look, so a run that was stopped goes on where it was. What is done can be searched
   * meanwhile.
   */
  async index(
    documents: Iterable<SourceDocument> | AsyncIterable<SourceDocument>,
    options: LongOptions = {},
  ): Promise<IndexReport> {
    this.assertOpen();
    checkIterable('index', documents);
    checkOptions('index', options, LONG_KINDS);
    const { signal } = options;
    await this.ready;
    this.#folder.makeAgain();
    const count = { indexed: 0, unchanged: 0, chunks: 0 };
    const closing = this.#closing.signal;
    const either = signal ? AbortSignal.any([closing, signal]) : closing;
    await this.#indexed(this.#bulk(this.#newOf(documents, count, either), { signal: either }));
    // A build comes in many segments, and every search would pay for them.
    this.#startMerging(signal);
    await this.#merging;
    signal?.throwIfAborted();
    return { indexed: count.indexed, unchanged: count.unchanged };
  }

  /** Has the process that indexes started, and find the words of what is new in these documents. */
  async expectMany(
    documents: AsyncIterable<SourceDocument>,
    { signal }: LongOptions = {},
  ): Promise<void> {
    this.assertOpen();
    this.#standby.prepare();
    if (!this.#standby.isPrepared) return;
    const target = {
      snapshot: () => this.#folder.refresh(),
      cut: (document: SourceDocument) => this.#cutDocument(document),
    };
    await foreseeDocuments(this.#standby, target, documents, signal);
  }

  /** The documents of the index. */
  documents(): readonly IndexedDocument[] {
    this.assertOpen();
    return this.#folder.documents();
  }

  async stats(): Promise<BackendStats> {
    this.assertOpen();
    return this.#checked(() => this.#folder.stats());
  }

  async compact({ signal }: LongOptions = {}): Promise<void> {
    this.assertOpen();
    await this.ready;
    await this.#merging;
    signal?.throwIfAborted();
    const { segments } = this.#folder.refresh();
    const isNeat =
      segments.length <= 1 && segments.every(({ live, reader }) => live === reader.size);
    if (!isNeat)
      await this.#merge(
        segments.map(({ entry }) => entry.file),
        signal,
      );
    await this.#exclusively(() => this.#folder.sweep());
  }

  /** Waits for what runs in the background. */
  protected async release(): Promise<void> {
    clearTimeout(this.#pause);
    this.#standby.close();
    this.#closing.abort(new RagError('closed', `${this.title} is closed`));
    await Promise.allSettled(this.#indexing);
    await this.ready.catch(() => undefined);
    await this.#merging;
    this.#folder.close();
    await this.#locks.close();
  }

  protected async answer(query: string, options: SearchOptions): Promise<SearchResults> {
    const snapshot = this.#folder.refreshToSearch().retain();
    try {
      return await this.#checked(() =>
        answerQuery(new SnapshotIndex(snapshot), this.#options, query, options),
      );
    } finally {
      snapshot.release();
    }
  }

  protected async write(changes: readonly DocumentChange[]): Promise<UpdateReport> {
    const { analyzer } = this.#options;
    await this.ready;
    const report = await this.#exclusively(() => writeDocuments(this.#folder, analyzer, changes));
    const { added, removed } = report;
    if (added + removed > 0) this.events.emit('index:committed', { added, removed });
    this.#maintain();
    return report;
  }

  async #cutDocument(document: SourceDocument): Promise<readonly Chunk[]> {
    const chunks = await this.#options.chunking.chunk(document);
    checkChunks(document, chunks);
    return chunks;
  }

  #newOf(
    documents: Iterable<SourceDocument> | AsyncIterable<SourceDocument>,
    count: { indexed: number; unchanged: number; chunks: number },
    signal: AbortSignal | undefined,
  ): AsyncGenerator<NewDocument> {
    const target: SortTarget = {
      snapshot: () => this.#folder.refresh(),
      stampOf: (document) => {
        checkDocument(document);
        return this.stampOf(document);
      },
      cut: (document) => this.#cutDocument(document),
      write: (changes) => this.write(changes),
      count: (chunks) => {
        if (chunks === undefined) count.unchanged++;
        else {
          count.indexed++;
          count.chunks += chunks;
          this.events.emit('index:progress', { done: count.indexed, chunks: count.chunks });
        }
      },
    };
    return sortDocuments(target, documents, signal);
  }

  #bulk(documents: AsyncIterable<NewDocument>, options: LongOptions): Promise<void> {
    // What others write from now on is newer than what is read here.
    const commit = this.#folder.refresh().manifest.commit + 0.5;
    const target = {
      analyzer: this.#options.analyzer,
      isPrepared: this.#standby.isPrepared,
      takeIndexer: () => this.#standby.take(),
      write: this.#folder.write.bind(this.#folder),
      commit: (segment: WrittenSegment) => this.#commit(segment, commit),
    };
    return indexNewDocuments(target, documents, options);
  }

  /** Closing waits for what is under way to stop. */
  async #indexed(work: Promise<void>): Promise<void> {
    this.#indexing.add(work);
    try {
      await work;
    } finally {
      this.#indexing.delete(work);
    }
  }

  async #commit(segment: WrittenSegment, commit: number): Promise<void> {
    const { file, chunks, hasKept, replaced } = segment;
    await this.#exclusively(() => {
      const { manifest } = this.#folder.refresh();
      if (hasKept) this.#folder.checkKept(file, commit);
      const entry = { file, base: manifest.nextDoc, commit, chunks };
      const nextDoc = manifest.nextDoc + chunks;
      this.#folder.commit({ add: [entry], remove: [], nextDoc });
    });
    this.events.emit('index:committed', { added: chunks, removed: replaced });
  }

  /** Merges when nothing was written for a moment, so that no write waits for it; or when it must. */
  #maintain(): void {
    clearTimeout(this.#pause);
    if (this.#merging || this.isClosed) return;
    const { segments } = this.#folder.refresh();
    if (segments.length > URGENT_SEGMENTS) this.#startMerging();
    else this.#pause = setTimeout(() => this.#startMerging(), PAUSE_MS).unref();
  }

  #startMerging(signal?: AbortSignal): void {
    if (this.#merging || this.isClosed) return;
    const files = mergeCandidates(this.#folder.refresh());
    if (files.length === 0) return;
    const closing = this.#closing.signal;
    const either = signal ? AbortSignal.any([closing, signal]) : closing;
    this.#merging = this.#merge(files, either)
      .catch((error: unknown) => {
        if (!either.aborted) this.events.emit('index:merge-failed', { error });
      })
      .finally(() => {
        this.#merging = undefined;
      });
  }

  async #merge(files: readonly string[], signal?: AbortSignal): Promise<void> {
    const { mayFork = true } = this.#options;
    const merged = await this.#checked(() =>
      mergeInBackground(this.#folder, files, { mayFork, ...(signal && { signal }) }),
    );
    await this.#exclusively(() => {
      this.#folder.replace(files, merged);
      this.#folder.sweep();
    });
    this.events.emit('index:merged', { segments: files.length, chunks: merged.chunks });
  }

  /** Analyses again what another analyser made. One process does it, others wait for it. */
  async #rebuild(): Promise<void> {
    const { signal } = this.#closing;
    const lock = await this.#lock('rebuild', { timeoutMs: LONGEST_MS, signal });
    try {
      for (let isDone = false; !isDone;) {
        const { previous = [] } = this.#folder.refresh().manifest;
        for (const manifest of previous) await this.#bulk(this.#storedIn(manifest), { signal });
        const remove = previous.flatMap(({ segments }) => segments.map(({ file }) => file));
        isDone = await this.#exclusively(() => {
          const { manifest } = this.#folder.refresh();
          // Unless another process made more of it meanwhile.
          if (manifest.previous && manifest.previous.length > previous.length) return false;
          const { nextDoc } = manifest;
          if (manifest.previous) this.#folder.commit({ add: [], remove, nextDoc, isRebuilt: true });
          return true;
        });
      }
    } finally {
      await lock.release();
    }
  }

  /** The documents of an index of another analyser that are not in this one. */
  async *#storedIn(manifest: PreviousManifest): AsyncGenerator<NewDocument> {
    try {
      for await (const document of storedDocuments(this.#folder.path, manifest)) {
        const { novelId, filePath } = document;
        if (!this.#folder.refresh().document(novelId, filePath)) yield document;
      }
    } catch (error) {
      if (!IndexingError.isInstance(error) && !isMissing(error)) throw error;
      const what = 'not all documents could be analysed again';
      this.events.emit('index:discarded', { reason: `${what}: ${messageOf(error)}` });
    }
  }

  /** Does what reads the index; if it meets damage, the index begins anew and the call fails. */
  async #checked<T>(work: () => T | Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (IndexingError.isInstance(error) && error.code === 'index-corrupt') {
        this.#folder.discard(error.message);
      }
      throw error;
    }
  }

  async #exclusively<T>(work: () => T): Promise<T> {
    const { lockTimeoutMs: timeoutMs = 10_000 } = this.#options;
    const lock = await this.#lock('index', { timeoutMs });
    try {
      this.#folder.refreshToWrite();
      return await this.#checked(work);
    } finally {
      await lock.release();
    }
  }

  /** @throws IndexingError with the code `index-locked`. */
  async #lock(name: string, options: LockOptions): Promise<HeldLock> {
    try {
      return await this.#locks.lock(name, options);
    } catch (error) {
      if (!StorageError.isInstance(error) || error.code !== 'lock-timeout') throw error;
      throw new IndexingError(
        `another process has been writing to ${this.title} for more than ${options.timeoutMs} ms`,
        { cause: error },
        'index-locked',
      );
    }
  }

  protected override stampOf({ text, tags = [] }: SourceDocument): string {
    const facts = JSON.stringify([this.#options.chunking.id, tags]);
    return createHash('sha256').update(facts).update(text).digest('base64url').slice(0, 22);
  }
}
