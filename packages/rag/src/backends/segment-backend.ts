import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import { type Logger, messageOf, TypedEvents } from '@vizprompt/providers';
import {
  AMOUNT,
  FLAG,
  type Kind,
  type Kinds,
  optional,
} from '@vizprompt/providers/config/internal';
import { isMissing, type Listener } from '@vizprompt/providers/internal';
import { assertOpened, checkOptions } from '../check-options.ts';
import type { ChunkingStrategy, SourceDocument } from '../chunk/chunking-strategy.ts';
import { BaseBackend } from '../contract/base-backend.ts';
import {
  checkChunks,
  checkDocument,
  checkIterable,
  type DocumentChange,
} from '../contract/document-change.ts';
import { LANGUAGE_KINDS, type LanguageOptions } from '../contract/language-options.ts';
import {
  type Cutting,
  LISTENERS,
  LONG_KINDS,
  OPTIONAL_LOGGER,
  withDefaults,
} from '../contract/backend-options.ts';
import type {
  BackendStats,
  ChooseHits,
  DocumentRef,
  IndexReport,
  LongOptions,
  SearchOptions,
  SearchResults,
  UpdateReport,
} from '../contract/search-backend.ts';
import { IndexingError, RagError } from '../errors.ts';
import { addListeners, checkRagListener, type RagEvents } from '../events.ts';
import { answerQuery, MISSING } from '../search/answer-query.ts';
import {
  indexDeltas,
  sortDocuments,
  type SortTarget,
  storedDocuments,
  type WrittenSegment,
} from '../segment/background/bulk-indexer.ts';
import { startIndexer } from '../segment/background/indexer-client.ts';
import { SegmentMerger } from '../segment/background/segment-merger.ts';
import type { DocumentRecord, PreviousManifest } from '../segment/format/index-layout.ts';
import { SnapshotIndex } from '../segment/read/snapshot-index.ts';
import { IndexFolder, LockedIndex } from '../segment/store/index-folder.ts';
import {
  commitWrite,
  type DocumentDelta,
  prepareWrite,
  writeAtOnce,
} from '../segment/write/write-segment.ts';

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
  protected readonly chunking: ChunkingStrategy;
  protected readonly title: string;
  readonly #options: Cutting<SegmentBackendOptions>;
  readonly #folder: IndexFolder;
  readonly #closing = new AbortController();
  readonly #guarded: LockedIndex;
  readonly #merger: SegmentMerger;
  /** Pending operations, and among them, runs of `index`. */
  readonly #work = new Set<Promise<unknown>>();
  #runs = 0;
  #ready: Promise<void> = Promise.resolve();
  #mustRebuild: boolean;

  private constructor(options: Cutting<SegmentBackendOptions>, events: TypedEvents<RagEvents>) {
    super();
    assertOpened(events, 'emit', 'SegmentBackend.open({ folder })');
    this.chunking = options.chunking;
    this.title = `the index in ${options.folder}`;
    this.#options = options;
    this.events = events;
    this.#folder = new IndexFolder(resolve(options.folder), options.analyzer.id, (reason) => {
      options.logger?.warn(`the index in ${options.folder} is rebuilt: ${reason}`, { reason });
      events.emit('index:discarded', { reason });
    });
    const { mayFork = true, lockTimeoutMs = 10_000 } = options;
    this.#guarded = new LockedIndex(this.#folder, this.title, lockTimeoutMs);
    const { signal: closing } = this.#closing;
    this.#merger = new SegmentMerger({ guarded: this.#guarded, events, mayFork, closing });
    this.#mustRebuild = this.#folder.previous.length > 0;
    void this.ready;
  }

  /**
   * @throws IndexingError if the folder cannot be made, such as where a file is.
   * @throws RagError with the code `invalid-input` if its `manifest.json` belongs to another program.
   */
  static async open(options: SegmentBackendOptions): Promise<SegmentBackend> {
    checkOptions('SegmentBackend.open', options, SEGMENT_KINDS);
    const events = new TypedEvents<RagEvents>({
      logger: options.logger,
      check: checkRagListener,
    });
    addListeners(events, options.on);
    return new SegmentBackend(await withDefaults(options), events);
  }

  /**
   * Resolves when an index of another analyzer has been analyzed again; at once otherwise. Until then
   * searches find what has been analyzed, and what writes waits. Closing stops it, and the next
   * opening continues with it.
   */
  get ready(): Promise<void> {
    if (this.#mustRebuild && !this.#closing.signal.aborted) {
      this.#mustRebuild = false;
      this.#ready = this.#rebuild();
      // After a failure the next caller retries.
      this.#ready.catch(() => (this.#mustRebuild = true));
    }
    return this.#ready;
  }

  /**
   * Indexes many documents, such as all of a project. Those that the index has as they are cost no
   * more than a look, so a run that was stopped continues where it was. Committed documents can be searched
   * meanwhile. Writes of other calls from its beginning on count as newer than what it reads.
   */
  async index(
    documents: Iterable<SourceDocument> | AsyncIterable<SourceDocument>,
    options: LongOptions = {},
  ): Promise<IndexReport> {
    this.assertOpen();
    checkIterable('index', documents);
    checkOptions('index', options, LONG_KINDS);
    return this.#during(() => this.#index(documents, options));
  }

  async #index(
    documents: Iterable<SourceDocument> | AsyncIterable<SourceDocument>,
    { signal }: LongOptions,
  ): Promise<IndexReport> {
    await this.ready;
    this.#folder.makeAgain();
    const count = { indexed: 0, unchanged: 0, chunks: 0 };
    const closing = this.#closing.signal;
    const either = signal ? AbortSignal.any([closing, signal]) : closing;
    const news = this.#newOf(documents, count, either);
    this.#runs++;
    try {
      await this.#bulk(news, { signal: either });
    } finally {
      this.#runs--;
    }
    // A build comes in many segments, and every search would pay for them.
    await this.#merger.run(signal);
    signal?.throwIfAborted();
    return { indexed: count.indexed, unchanged: count.unchanged };
  }

  /** @deprecated Does nothing: `index` starts its process when there is enough to do. */
  async expectMany(
    _documents: AsyncIterable<SourceDocument>,
    _options?: LongOptions,
  ): Promise<void> {
    this.assertOpen();
  }

  /** Returns the documents of the index. */
  documents(): readonly IndexedDocument[] {
    this.assertOpen();
    return this.#folder.documents();
  }

  async stats(): Promise<BackendStats> {
    this.assertOpen();
    return this.#guarded.checked(() => this.#folder.stats());
  }

  async compact(options: LongOptions = {}): Promise<void> {
    checkOptions('compact', options, LONG_KINDS);
    await this.#during(() => this.#compact(options));
  }

  async #compact(options: LongOptions): Promise<void> {
    this.assertOpen();
    await this.ready;
    const closing = this.#closing.signal;
    const signal = options.signal ? AbortSignal.any([closing, options.signal]) : closing;
    await this.#merger.settled();
    signal.throwIfAborted();
    const { segments } = this.#folder.refresh();
    // A run of `index` must know which documents went since it read them.
    const forgets = this.#runs === 0;
    const isNeat =
      segments.length <= 1 &&
      segments.every(({ live, reader }) => live === reader.size) &&
      !(forgets && segments.some(({ reader }) => remembersGone(reader.records())));
    const files = segments.map(({ entry }) => entry.file);
    if (!isNeat) await this.#merger.merge(files, signal, forgets);
    await this.#guarded.exclusively(() => this.#folder.sweep());
  }

  /** Waits for what runs in the background. */
  protected async release(): Promise<void> {
    this.#closing.abort(new RagError('closed', `${this.title} is closed`));
    await Promise.allSettled(this.#work);
    await this.#ready.catch(() => undefined);
    await this.#merger.settled();
    await this.#guarded.close();
  }

  protected async answer(
    query: string,
    options: SearchOptions,
    choose?: ChooseHits,
  ): Promise<SearchResults> {
    const snapshot = this.#folder.refreshToSearch().retain();
    try {
      const results = await this.#guarded.checked(() =>
        answerQuery(new SnapshotIndex(snapshot), this.#options, query, options, choose),
      );
      const { missing } = this.#folder;
      return missing === undefined ? results : { ...results, ...MISSING[missing] };
    } finally {
      snapshot.release();
    }
  }

  protected write(changes: readonly DocumentChange[], options: LongOptions): Promise<UpdateReport> {
    return this.#during(() => this.#write(changes, options));
  }

  /** Analyzing takes longer than writing, so it is done before others are kept waiting. */
  async #write(changes: readonly DocumentChange[], options: LongOptions): Promise<UpdateReport> {
    await this.ready;
    const folder = this.#folder;
    const target = { folder, analyzer: this.#options.analyzer, isIndexing: this.#runs > 0 };
    const prepared = await this.#guarded.checked(() => prepareWrite(target, changes, options));
    let { report } = prepared;
    try {
      const isDone = await this.#guarded.exclusively(() => commitWrite(folder, prepared));
      // Others write the same documents: this time they wait.
      if (!isDone)
        report = await this.#guarded.exclusively(() => writeAtOnce(target, changes, options));
    } catch (error) {
      // After anything else the manifest may name it.
      const isLocked = IndexingError.isInstance(error) && error.code === 'index-locked';
      if (isLocked && prepared.segment) folder.drop(prepared.segment.file);
      throw error;
    }
    const { added, removed } = report;
    if (added + removed > 0) this.events.emit('index:committed', { added, removed });
    this.#merger.wrote();
    return report;
  }

  #newOf(
    documents: Iterable<SourceDocument> | AsyncIterable<SourceDocument>,
    count: { indexed: number; unchanged: number; chunks: number },
    signal: AbortSignal | undefined,
  ): AsyncGenerator<DocumentDelta> {
    const target: SortTarget = {
      snapshot: () => this.#folder.refresh(),
      stampOf: (document) => {
        checkDocument(document);
        return this.stampOf(document);
      },
      cut: async (document) => {
        const chunks = await this.chunking.chunk(document, { signal });
        checkChunks(document, chunks);
        return chunks;
      },
      write: (changes) => this.write(changes, {}),
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

  #bulk(documents: AsyncIterable<DocumentDelta>, options: LongOptions): Promise<void> {
    // Writes of others from now on are newer than what is read here.
    const commit = this.#folder.refresh().manifest.commit + 0.5;
    const { analyzer, mayFork = true } = this.#options;
    const target = {
      analyzer,
      start: () => (mayFork ? startIndexer(this.#folder.path, analyzer) : undefined),
      write: this.#folder.write.bind(this.#folder),
      commit: (segment: WrittenSegment) => this.#commit(segment, commit),
    };
    return indexDeltas(target, documents, options);
  }

  /** Closing waits for what is in progress. */
  async #during<T>(work: () => Promise<T>): Promise<T> {
    this.#closing.signal.throwIfAborted();
    const running = work();
    this.#work.add(running);
    try {
      return await running;
    } finally {
      this.#work.delete(running);
    }
  }

  async #commit(segment: WrittenSegment, commit: number): Promise<void> {
    const { file, chunks, hasKept, replaced } = segment;
    await this.#guarded.exclusively(() => {
      const { manifest } = this.#folder.refresh();
      if (hasKept) this.#folder.checkKept(file, commit);
      // The index may have begun again, with lower numbers.
      const own = Math.min(commit, manifest.commit + 0.5);
      const entry = { file, base: manifest.nextDoc, commit: own, chunks };
      const nextDoc = manifest.nextDoc + chunks;
      this.#folder.commit({ add: [entry], remove: [], nextDoc });
    });
    this.events.emit('index:committed', { added: chunks, removed: replaced });
  }

  /** Analyzes again what another analyzer made. One process does it, others wait for it. */
  async #rebuild(): Promise<void> {
    const { signal } = this.#closing;
    const lock = await this.#guarded.lock('rebuild', { timeoutMs: LONGEST_MS, signal });
    try {
      for (let isDone = false; !isDone;) {
        const { previous = [] } = this.#folder.refresh().manifest;
        for (const manifest of previous) await this.#bulk(this.#storedIn(manifest), { signal });
        const remove = previous.flatMap(({ segments }) => segments.map(({ file }) => file));
        isDone = await this.#guarded.exclusively(() => {
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

  /** Returns the documents of an index of another analyzer that are not in this one. */
  async *#storedIn(manifest: PreviousManifest): AsyncGenerator<DocumentDelta> {
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

  protected override stampOf({ text, tags = [] }: SourceDocument): string {
    const facts = JSON.stringify([this.#options.chunking.id, tags]);
    return createHash('sha256').update(facts).update(text).digest('base64url').slice(0, 22);
  }
}

/** Checks whether records name documents that went. */
function remembersGone(records: readonly DocumentRecord[]): boolean {
  return records.some(({ chunks }) => chunks.length === 0);
}

/** Options of `SegmentBackend.open`. */
export interface SegmentBackendOptions extends LanguageOptions {
  /** Where the index lies; made when missing. It can be deleted at any time: it is made of documents. */
  readonly folder: string;
  /** Listeners that hear the events of opening too. */
  readonly on?:
    | { readonly [Name in keyof RagEvents]?: Listener<RagEvents[Name]> | undefined }
    | undefined;
  /** True if many documents may be indexed in a process of their own. Default: `true`. */
  readonly mayFork?: boolean | undefined;
  /** How long a write waits for other processes that write, in milliseconds. Default: 10,000. */
  readonly lockTimeoutMs?: number | undefined;
  /** Receives listeners that fail, and of an index that is rebuilt. Default: says nothing. */
  readonly logger?: Logger | undefined;
}

/** An empty path would be the folder that the process happens to be in. */
const FOLDER: Kind<string> = {
  expected: 'the path of a folder',
  accepts: (value) => typeof value === 'string' && value !== '',
};

const SEGMENT_KINDS: Kinds<SegmentBackendOptions> = {
  folder: FOLDER,
  ...LANGUAGE_KINDS,
  on: LISTENERS,
  mayFork: optional(FLAG),
  lockTimeoutMs: optional(AMOUNT),
  logger: OPTIONAL_LOGGER,
};
