import { type HybridVectorStore, TypedEvents, type VectorStore } from '@vizprompt/providers';
import {
  AMOUNT,
  FLAG,
  FUNCTION,
  having,
  type Kinds,
  objectOf,
  oneOf,
  optional,
} from '@vizprompt/providers/config/internal';
import type { Analyzer } from '../analyze/analyzer.ts';
import { assertOpened, checkOptions } from '../check-options.ts';
import { AutoChunkingStrategy } from '../chunk/auto-chunking-strategy.ts';
import type { ChunkingStrategy, SourceDocument } from '../chunk/chunking-strategy.ts';
import { BaseBackend, checkSearch } from '../contract/base-backend.ts';
import { type DocumentChange, documentKey } from '../contract/document-change.ts';
import {
  BACKEND,
  CUTTING_KINDS,
  LONG_KINDS,
  OPTIONAL_FUNCTION,
} from '../contract/backend-options.ts';
import type { ProjectBackend } from '../contract/project-backend.ts';
import type {
  BackendStats,
  DocumentRef,
  IndexReport,
  LongOptions,
  SearchBackend,
  SearchOptions,
  SearchResults,
  UpdateReport,
} from '../contract/search-backend.ts';
import { RagError } from '../errors.ts';
import { checkRagListener, type RagEvents } from '../events.ts';
import type { Fusion } from '../hybrid/fuse-hits.ts';
import { HybridSearch, type HybridSides } from '../hybrid/hybrid-search.ts';
import type { Diversity, Reranking } from '../hybrid/rerank-hits.ts';
import {
  VECTOR_INDEX_KINDS,
  VectorIndex,
  type VectorIndexOptions,
} from '../vector/vector-index.ts';
import type { PreparedChanges, WriteReport } from '../vector/vector-writer.ts';
import { SqlBackend } from './sql-backend.ts';

/** Options of {@link HybridBackend.open}. */
export interface HybridBackendOptions extends VectorIndexOptions {
  /** Searches by words, and answers alone when the vectors are away. Closed with the hybrid backend. */
  readonly keyword: SearchBackend & Pick<ProjectBackend, 'ready'>;
  /** Cuts documents into chunks, for both sides. Default: `AutoChunkingStrategy`. */
  readonly chunking?: ChunkingStrategy | undefined;
  /** How the sides become one list. */
  readonly fusion?: Fusion | undefined;
  /** Finds the words for a store that fuses itself (`fusion.inStore`); that of the keyword side. */
  readonly analyzer?: Analyzer | undefined;
  /** Puts the best hits into a better order, by a model. Default: none. */
  readonly rerank?: Reranking | undefined;
  /** Keeps hits apart that say the same. Default: off. */
  readonly mmr?: Diversity | undefined;
  /** How long vectors of a search may take, in milliseconds. Default: 2,000. */
  readonly vectorTimeoutMs?: number | undefined;
  /** Called at the end of `close`, to close what was opened for this backend. Default: nothing. */
  readonly onClosed?: (() => Promise<void>) | undefined;
  /** After an outage vectors are left alone for so long, in milliseconds. Default: 5,000. */
  readonly retryAfterMs?: number | undefined;
}

const FUSION: Kinds<Fusion> = {
  gate: optional(AMOUNT),
  by: optional(oneOf('scores', 'ranks')),
  weights: optional(having('numbers for keyword and vector', 'keyword', 'vector')),
  rankConstant: optional(AMOUNT),
  depth: optional(AMOUNT),
  inStore: optional(FLAG),
};

const KINDS: Kinds<HybridBackendOptions> = {
  keyword: BACKEND,
  ...VECTOR_INDEX_KINDS,
  ...CUTTING_KINDS,
  fusion: optional(objectOf<Fusion>(FUSION)),
  rerank: optional(objectOf<Reranking>({ score: FUNCTION, depth: optional(AMOUNT) })),
  mmr: optional(objectOf<Diversity>({ lambda: optional(AMOUNT), depth: optional(AMOUNT) })),
  vectorTimeoutMs: optional(AMOUNT),
  onClosed: OPTIONAL_FUNCTION,
  retryAfterMs: optional(AMOUNT),
};

/**
 * A search by words and by meaning. Queries in plain language ask both sides; phrases, signs, parts of
 * words, readings and regular expressions ask for these very characters, and the words alone answer.
 *
 * With `onUnavailable: 'fallback'` a vector store or model that is away makes answers worse and nothing
 * else: the words answer (`degraded: true`, the event `search:degraded`), and what is written waits in
 * the database for its vectors.
 *
 * `total` is an estimate from above where more than `depth` chunks have the words: what only the vectors
 * brought among the best counts again if words find it further down. Pages have each hit once.
 *
 * @example
 * ```ts
 * const backend = await HybridBackend.open({
 *   keyword: await SegmentBackend.open({ folder: '.cache/index' }),
 *   database: storage.cache,
 *   store: quantizedVectors({ database: storage.cache, dimensions: 1024 }),
 *   embeddings: ollamaEmbeddings({ model: 'bge-m3' }),
 * });
 * ```
 */
export class HybridBackend extends BaseBackend {
  readonly events: TypedEvents<RagEvents>;
  /** The promise of the keyword backend: until then its index is analyzed again, and its words find a part. */
  readonly ready: Promise<void>;
  protected readonly chunking: ChunkingStrategy;
  protected readonly title = 'the hybrid index';
  readonly #keyword: SearchBackend;
  readonly #index: VectorIndex;
  readonly #search: HybridSearch;
  readonly #onClosed: () => Promise<void>;
  /** Both sides are to be seen as one write has left them. */
  readonly #lock = new ReaderLock();

  private constructor(
    options: HybridBackendOptions,
    index: VectorIndex,
    events: TypedEvents<RagEvents>,
  ) {
    super();
    assertOpened(events, 'emit', 'HybridBackend.open({ keyword, store, embeddings })');
    this.events = events;
    this.chunking = options.chunking ?? new AutoChunkingStrategy();
    this.#keyword = options.keyword;
    this.ready = options.keyword.ready ?? Promise.resolve();
    this.#index = index;
    this.#onClosed = options.onClosed ?? (() => Promise.resolve());
    this.#search = new HybridSearch({
      keyword: options.keyword,
      index,
      fusion: options.fusion ?? {},
      store: options.fusion?.inStore ? fusingStore(options.store) : undefined,
      rerank: options.rerank,
      mmr: options.mmr,
      mayDegrade: options.onUnavailable !== 'throw',
      vectorTimeoutMs: options.vectorTimeoutMs ?? 2000,
      retryAfterMs: options.retryAfterMs ?? 5000,
      onDegraded(error) {
        events.emit('search:degraded', { error });
      },
      onWeak(counts) {
        events.emit('vectors:weak', counts);
      },
    });
  }

  /**
   * @throws RagError with the code `model-mismatch` if the vectors were made with another model, or
   * `invalid-input` if the store is to fuse and cannot.
   */
  static async open(options: HybridBackendOptions): Promise<HybridBackend> {
    checkOptions('HybridBackend.open', options, KINDS);
    const events = new TypedEvents<RagEvents>({ check: checkRagListener });
    const { analyzer, fusion, store } = options;
    if (fusion?.inStore && (!analyzer || !fusingStore(store))) {
      throw new RagError(
        'invalid-input',
        "fusion.inStore needs a store that has queryFused (qdrantStore with sparse: true) and 'analyzer'",
      );
    }
    const index = await VectorIndex.open(options, events, fusion?.inStore ? analyzer : undefined);
    return new HybridBackend(options, index, events);
  }

  /**
   * Brings what waits for its vectors now. It is tried in the background too.
   *
   * @returns How many chunks got theirs.
   * @throws The error of the store or the model, if it is still away.
   */
  catchUp(): Promise<number> {
    this.assertOpen();
    return this.#index.catchUp.run();
  }

  /**
   * Indexes many documents on both sides, some dozens at a time; those that both have as they are cost no
   * more than a look. `index:progress` reports how far it is, and a run that was stopped continues where it
   * was.
   */
  async index(
    documents: Iterable<SourceDocument> | AsyncIterable<SourceDocument>,
    options: LongOptions = {},
  ): Promise<IndexReport> {
    this.assertOpen();
    const known = await this.#keywordDocuments();
    return this.indexInGroups(documents, options, {
      differs: async (change) =>
        known?.has(documentKey(change)) !== true || (await this.#index.differs(change)),
      onIndexed: (progress) => this.events.emit('index:progress', progress),
    });
  }

  /** Returns the documents that both sides have. */
  async documents(): Promise<readonly DocumentRef[]> {
    this.assertOpen();
    const known = await this.#keywordDocuments();
    const { documents } = await this.#keyword.stats();
    const all = documents === 0 ? [] : await this.#index.documents();
    return known ? all.filter((document) => known.has(documentKey(document))) : all;
  }

  /**
   * Returns what words and vectors find for a question, each on its own, for `proposeFusion`.
   *
   * @throws The error of the store or the model, if it is away.
   */
  sides(
    query: string,
    options: LongOptions & Pick<SearchOptions, 'filter'> = {},
  ): Promise<HybridSides> {
    this.assertOpen();
    checkSearch(query, options);
    return this.#lock.read(() => this.#search.sides(query, options));
  }

  /** Those of the keyword side. */
  stats(): Promise<BackendStats> {
    this.assertOpen();
    return this.#keyword.stats();
  }

  async compact(options: LongOptions = {}): Promise<void> {
    checkOptions('compact', options, LONG_KINDS);
    this.assertOpen();
    await this.#keyword.compact(options);
    await this.#index.compact(options.signal);
  }

  protected async write(
    changes: readonly DocumentChange[],
    { signal }: LongOptions,
  ): Promise<UpdateReport> {
    // The slow part comes first, and no search waits for it.
    const prepared = await this.#index.prepare(changes, signal);
    const report = await this.#lock.write(
      async () =>
        (await this.#writeTogether(changes, prepared, signal)) ??
        (await this.#writeApart(changes, prepared, signal)),
    );
    const { added, removed } = report;
    if (added + removed > 0) this.events.emit('index:committed', { added, removed });
    return report;
  }

  protected answer(query: string, options: SearchOptions): Promise<SearchResults> {
    return this.#lock.read(() => this.#search.run(query, options));
  }

  protected async release(): Promise<void> {
    try {
      await this.#index.close();
      await this.#lock.write(() => this.#keyword.close());
    } finally {
      await this.#onClosed();
    }
  }

  /** Returns the keys of those that the keyword side has; nothing if it does not say. */
  async #keywordDocuments(): Promise<ReadonlySet<string> | undefined> {
    const keyword: ProjectBackend = this.#keyword;
    if (!keyword.documents) return undefined;
    await keyword.ready;
    return new Set([...(await keyword.documents())].map(documentKey));
  }

  /** Writes both sides in one transaction, where they are in one database; nothing otherwise. */
  async #writeTogether(
    changes: readonly DocumentChange[],
    prepared: PreparedChanges,
    signal: AbortSignal | undefined,
  ): Promise<UpdateReport | undefined> {
    if (!(this.#keyword instanceof SqlBackend)) return undefined;
    let written: WriteReport | undefined;
    const report = await this.#keyword.writeTogether(
      this.#index.database,
      changes,
      async (tx) => {
        written = await this.#index.writeIn(tx, changes, prepared);
      },
      signal ? { signal } : {},
    );
    if (written) await this.#index.written(written, prepared);
    return report;
  }

  async #writeApart(
    changes: readonly DocumentChange[],
    prepared: PreparedChanges,
    signal: AbortSignal | undefined,
  ): Promise<UpdateReport> {
    const report = await this.#writeKeywords(changes, signal);
    await this.#index.commit(changes, prepared);
    return report;
  }

  async #writeKeywords(
    changes: readonly DocumentChange[],
    signal: AbortSignal | undefined,
  ): Promise<UpdateReport> {
    const options = signal ? { signal } : {};
    // All at once, where the backend is one of this package.
    if (this.#keyword instanceof BaseBackend) return this.#keyword.writeDocuments(changes, options);
    const additions = changes.filter(({ isAddition }) => isAddition);
    if (additions.length > 0) {
      await this.#keyword.add(
        additions.flatMap(({ chunks }) => chunks),
        options,
      );
    }
    let [added, removed, kept] = [0, 0, 0];
    for (const { isAddition, chunks, ...document } of changes) {
      if (isAddition) continue;
      const report = await this.#keyword.updateChunks(document, chunks, options);
      added += report.added;
      removed += report.removed;
      kept += report.kept;
    }
    return { added, removed, kept };
  }
}

function fusingStore(store: VectorStore): HybridVectorStore | undefined {
  return isFusing(store) ? store : undefined;
}

function isFusing(store: VectorStore): store is HybridVectorStore {
  return 'queryFused' in store && typeof store.queryFused === 'function';
}

/** Many may read at a time, or one writes; writers come in order and are not kept waiting by new readers. */
class ReaderLock {
  #readers = 0;
  #writing: Promise<void> = Promise.resolve();
  #idle: (() => void) | undefined;

  async read<T>(work: () => Promise<T>): Promise<T> {
    for (let before; before !== this.#writing;) {
      before = this.#writing;
      await before;
    }
    this.#readers++;
    try {
      return await work();
    } finally {
      this.#readers--;
      if (this.#readers === 0) this.#idle?.();
    }
  }

  write<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#writing.then(async () => {
      if (this.#readers > 0) await new Promise<void>((resolve) => (this.#idle = resolve));
      this.#idle = undefined;
      return work();
    });
    this.#writing = turn.then(
      () => undefined,
      () => undefined,
    );
    return turn;
  }
}
