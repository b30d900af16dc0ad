import {
  type Database,
  type EmbeddingModel,
  type HybridVectorStore,
  messageOf,
  type SqlExecutor,
  type TypedEvents,
  type VectorStore,
} from '@vizprompt/providers';
import {
  EMBEDDING_MODEL,
  having,
  type Kinds,
  NUMBER,
  oneOf,
  optional,
} from '@vizprompt/providers/config/internal';
import { cutSnippet } from '@vizprompt/providers/internal';
import type { Analyzer } from '../analyze/analyzer.ts';
import type { Chunk } from '../chunk/chunk.ts';
import { type DocumentChange, planUpdate } from '../contract/document-change.ts';
import { DATABASE, OPTIONAL_TEXT } from '../contract/backend-options.ts';
import type {
  DocumentRef,
  SearchFilter,
  SearchHit,
  SearchOptions,
} from '../contract/search-backend.ts';
import { RagError } from '../errors.ts';
import type { RagEvents } from '../events.ts';
import type { Query } from '../query/query.ts';
import { contextOf, hitOf } from '../search/answer-query.ts';
import { type Catalog, type CatalogTables, openCatalog } from './catalog-tables.ts';
import {
  type ContextWriter,
  dimensionsDiffer,
  Embedder,
  type EmbedRun,
  isOutage,
} from './embedder.ts';
import { literalConditions, meaningOf } from './literal-conditions.ts';
import { sparseOfQuery } from './sparse-terms.ts';
import { chunksOf, documentsOf, fieldsOf } from './stored-chunks.ts';
import { type AskStore, type NearChunks, VectorSearch } from './vector-search.ts';
import { type PreparedChanges, VectorWriter, type WriteReport } from './vector-writer.ts';

/** Where vectors come from and go to. */
export interface VectorIndexOptions {
  /** Holds chunks, the queue and what was embedded. It stays open when the backend is closed. */
  readonly database: Database;
  /** Stays open when the backend is closed. */
  readonly store: VectorStore;
  /** Makes the vectors. */
  readonly embeddings: EmbeddingModel;
  /**
   * Begins the names of the tables: small letters, digits and `_`, a letter first. Default:
   * `rag_vectors`.
   */
  readonly name?: string | undefined;
  /**
   * Distinguishes the vectors of this index from those of others in the same store: searches see only their own.
   * If the database is lost, an index that is rebuilt with the same owner removes the old vectors from
   * the store. No two indexes may have the same one. Default: none; the store belongs to this index alone.
   */
  readonly owner?: string | undefined;
  /** Writes a line about each chunk that is embedded with it. Default: title and headings only. */
  readonly context?: ContextWriter | undefined;
  /**
   * The least cosine of a hit, -1 to 1. A good value depends on the model. Default: none.
   */
  readonly minScore?: number | undefined;
  /**
   * The behaviour while the store or the model is away. `'fallback'`: chunks wait in the database, and
   * searches are answered by the rest, where there is any. `'throw'`: the call fails, and changes
   * nothing. Default: `'fallback'`.
   */
  readonly onUnavailable?: 'fallback' | 'throw' | undefined;
}

export const VECTOR_INDEX_KINDS: Kinds<VectorIndexOptions> = {
  database: DATABASE,
  store: having('a VectorStore, such as quantizedVectors()', 'upsert', 'query', 'dimensions'),
  embeddings: EMBEDDING_MODEL,
  name: OPTIONAL_TEXT,
  owner: OPTIONAL_TEXT,
  context: optional(having('a ContextWriter with id and write', 'id', 'write')),
  minScore: optional(NUMBER),
  onUnavailable: optional(oneOf('fallback', 'throw')),
};

/** One search by vectors. */
export interface VectorQuestion extends Pick<SearchOptions, 'signal'> {
  readonly query: Query;
  readonly filter: SearchFilter | undefined;
  readonly count: number;
  /** True if the total is counted. Default: `false`. */
  readonly isCounted?: boolean;
}

/** Chunks with vectors: what the backends by vectors have in common. */
export class VectorIndex {
  readonly database: Database;
  readonly tables: CatalogTables;
  readonly catchUp: CatchUp;
  readonly #store: VectorStore;
  readonly #analyzer: Analyzer | undefined;
  readonly #minScore: number;
  readonly #mayQueue: boolean;
  readonly #events: TypedEvents<RagEvents>;
  readonly #embedder: Embedder;
  readonly #writer: VectorWriter;
  readonly #search: VectorSearch;

  private constructor(
    options: VectorIndexOptions,
    { tables, owner }: Catalog,
    events: TypedEvents<RagEvents>,
    analyzer: Analyzer | undefined,
  ) {
    const { database, store, embeddings, context } = options;
    this.database = database;
    this.tables = tables;
    this.#store = store;
    this.#analyzer = analyzer;
    this.#events = events;
    this.#minScore = options.minScore ?? Number.NEGATIVE_INFINITY;
    const { dimensions } = store;
    this.#embedder = new Embedder({ database, tables, embeddings, dimensions, context });
    const mayQueue = options.onUnavailable !== 'throw';
    this.#mayQueue = mayQueue;
    const embedder = this.#embedder;
    const parts = { database, tables, store, owner };
    this.#writer = new VectorWriter({ ...parts, embedder, analyzer, mayQueue });
    this.#search = new VectorSearch(parts);
    this.catchUp = new CatchUp(async (signal) => {
      const chunks = await this.#telling((run) => this.#writer.catchUp({ ...run, signal }));
      if (chunks > 0) events.emit('vectors:caught-up', { chunks });
      return chunks;
    });
  }

  /**
   * @param analyzer - For stores that are to search by words too.
   * @throws RagError with the code `model-mismatch` or `invalid-input`.
   */
  static async open(
    options: VectorIndexOptions,
    events: TypedEvents<RagEvents>,
    analyzer?: Analyzer,
  ): Promise<VectorIndex> {
    const { database, store, embeddings, name = 'rag_vectors' } = options;
    const model = `${embeddings.provider}:${embeddings.modelId}`;
    const { dimensions } = store;
    if (embeddings.dimensions !== undefined && embeddings.dimensions !== dimensions) {
      throw new RagError(
        'model-mismatch',
        dimensionsDiffer(model, embeddings.dimensions, dimensions),
        { context: { model, dimensions } },
      );
    }
    const owner = options.owner ?? null;
    const catalog = await openCatalog(database, name, { model, dimensions, owner });
    const index = new VectorIndex(options, catalog, events, analyzer);
    index.catchUp.soon();
    return index;
  }

  /** Makes the vectors of new chunks; no search finds them yet. */
  async prepare(
    changes: readonly DocumentChange[],
    signal?: AbortSignal,
  ): Promise<PreparedChanges> {
    return this.#telling((run) => this.#writer.prepare(changes, { ...run, signal }));
  }

  /** Writes the chunks; from now on they are found. */
  async commit(
    changes: readonly DocumentChange[],
    prepared: PreparedChanges,
  ): Promise<WriteReport> {
    const report = await this.database.transaction((tx) => this.writeIn(tx, changes, prepared));
    await this.written(report, prepared);
    return report;
  }

  /** Writes the chunks in a transaction of the database; {@link VectorIndex.written} follows its commit. */
  writeIn(
    tx: SqlExecutor,
    changes: readonly DocumentChange[],
    prepared: PreparedChanges,
  ): Promise<WriteReport> {
    return this.#writer.commit(tx, changes, prepared);
  }

  /** Does what is due after a commit. */
  async written(report: WriteReport, prepared: PreparedChanges): Promise<void> {
    if (report.queued > 0 && prepared.outage !== undefined) {
      this.#events.emit('vectors:queued', { chunks: report.queued, error: prepared.outage });
      this.catchUp.later();
    } else if (report.queued > 0) {
      // Others have written the same documents meanwhile. A caller that waits for this write finds it.
      await this.catchUp.run().catch(() => this.catchUp.later());
    } else if (report.removed > 0) {
      this.catchUp.soon();
    }
  }

  /** Returns the nearest chunks. Nothing if the query asks for nothing by meaning. */
  async nearest(question: VectorQuestion): Promise<NearChunks> {
    const text = meaningOf(question.query);
    if (text === '') return { found: [], total: 0 };
    const accepts = await literalConditions(question.query);
    const vector = await this.#embedder.embedQuery(text, question.signal);
    const ask: AskStore = ({ k, filter, signal }) =>
      this.#store.query(vector, {
        limit: k,
        k,
        ...(filter ? { filter } : {}),
        ...(signal ? { signal } : {}),
      });
    return this.#near(question, accepts, ask);
  }

  /** The best chunks by meaning and words, fused by the store. */
  async fused(
    store: HybridVectorStore,
    question: VectorQuestion,
    fusion: {
      readonly rankConstant: number;
      readonly depth: number;
      readonly weights: { readonly vector: number; readonly sparse: number };
    },
  ): Promise<NearChunks> {
    const text = meaningOf(question.query);
    if (text === '' || !this.#analyzer) return { found: [], total: 0 };
    const sparse = sparseOfQuery(this.#analyzer, text);
    const vector = await this.#embedder.embedQuery(text, question.signal);
    const ask: AskStore = (options) => store.queryFused({ ...options, ...fusion, vector, sparse });
    // Fused scores are not cosines.
    return this.#near(question, undefined, ask, Number.NEGATIVE_INFINITY);
  }

  /** Returns a chunk as callers see it, from the database alone. */
  async hit(chunk: Chunk, score: number, { expand, explain }: SearchOptions): Promise<SearchHit> {
    const { text } = cutSnippet(chunk.content, [], { from: chunk.overlap });
    const hit = hitOf(chunk, score, { text, highlights: [] });
    const all = expand ? await chunksOf(this.database, this.tables, chunk) : [];
    const chunks = all.map((one) => one.chunk);
    return {
      ...hit,
      ...(expand ? { context: contextOf(chunks, chunk, expand) } : {}),
      ...(explain ? { explanation: [{ name: 'vector', value: score }] } : {}),
    };
  }

  /** Returns the documents that have chunks. */
  documents(): Promise<readonly DocumentRef[]> {
    return documentsOf(this.database, this.tables);
  }

  /** Checks whether a document is other than it shall be. */
  async differs(change: DocumentChange): Promise<boolean> {
    const known = await chunksOf(this.database, this.tables, change);
    const { added, removed, chunks } = planUpdate(known, change);
    if (added + removed.length > 0) return true;
    const before = new Map(known.map(({ id, chunk }) => [id, fieldsOf(chunk)]));
    return chunks.some(({ chunk, id = '' }) => before.get(id) !== fieldsOf(chunk));
  }

  /** How much there is, and how much of it waits. */
  async counts(): Promise<{
    readonly chunks: number;
    readonly documents: number;
    readonly queued: number;
  }> {
    const [row] = await this.database.query<{ chunks: number; documents: number; queued: number }>(
      `SELECT count(*) AS chunks, count(DISTINCT document) AS documents,
              CAST(COALESCE(sum(is_queued), 0) AS BIGINT) AS queued FROM ${this.tables.chunks}`,
    );
    return row ?? { chunks: 0, documents: 0, queued: 0 };
  }

  /** Checks whether chunks wait for their vectors. */
  async hasQueued(): Promise<boolean> {
    const rows = await this.database.query(
      `SELECT 1 FROM ${this.tables.chunks} WHERE is_queued = 1 LIMIT 1`,
    );
    return rows.length > 0;
  }

  /**
   * Removes unneeded vectors from the store, brings waiting ones, and rewrites the database, so that no byte remains of
   * chunks that are gone.
   */
  async compact(signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    await this.#clean(signal);
    await this.#embedder.forgetUnused(signal);
    await this.database.purge?.();
    await this.#store.purge?.();
  }

  async #clean(signal: AbortSignal | undefined): Promise<void> {
    try {
      await this.#telling((run) => this.#writer.catchUp({ ...run, signal }));
    } catch (error) {
      signal?.throwIfAborted();
      if (this.#mayQueue && isOutage(error)) {
        this.catchUp.later();
        return;
      }
      throw new RagError(
        'indexing-failed',
        `the vector store could not be cleaned: ${messageOf(error)}`,
        {
          cause: error,
        },
      );
    }
  }

  close(): Promise<void> {
    return this.catchUp.close();
  }

  #near(
    { query, filter, count, isCounted = false, signal }: VectorQuestion,
    accepts: Awaited<ReturnType<typeof literalConditions>>,
    ask: AskStore,
    minScore: number = this.#minScore,
  ): Promise<NearChunks> {
    const request = { query, filter, accepts, count, minScore, isCounted, ask };
    return this.#search.nearest(signal ? { ...request, signal } : request);
  }

  /** Emits how a task gets on, and which texts the model refuses. */
  async #telling<Result>(task: (run: EmbedRun) => Promise<Result>): Promise<Result> {
    const refused: Chunk[] = [];
    try {
      return await task({
        onProgress: this.#onProgress,
        onRefused: (chunk) => void refused.push(chunk),
      });
    } finally {
      const chunks = refused.map(({ novelId, filePath: file, startLine: start, endLine: end }) => {
        return { novelId, file, start, end };
      });
      if (chunks.length > 0) this.#events.emit('vectors:refused', { chunks });
    }
  }

  readonly #onProgress = (progress: { readonly done: number; readonly total?: number }): void => {
    this.#events.emit('vectors:progress', progress);
  };
}

const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 60_000;

/** Does in the background what could not be done at once, and tries again, less and less often. */
class CatchUp {
  readonly #work: (signal: AbortSignal) => Promise<number>;
  readonly #closing = new AbortController();
  #running: Promise<number> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #waitMs = FIRST_WAIT_MS;

  constructor(work: (signal: AbortSignal) => Promise<number>) {
    this.#work = work;
  }

  /** Begins in a moment. */
  soon(): void {
    this.#schedule(0);
  }

  /** Begins when some time has passed, as it has failed just now. */
  later(): void {
    this.#schedule(this.#waitMs);
    this.#waitMs = Math.min(this.#waitMs * 2, LONGEST_WAIT_MS);
  }

  /** Does it now; what runs already is waited for, and then done once more. */
  async run(): Promise<number> {
    const before = this.#running;
    if (before) await before.catch(() => undefined);
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const running = this.#running ?? this.#work(this.#closing.signal);
    this.#running = running;
    try {
      const count = await running;
      this.#waitMs = FIRST_WAIT_MS;
      return count;
    } finally {
      if (this.#running === running) this.#running = undefined;
    }
  }

  /** Stops, and waits until it has. */
  async close(): Promise<void> {
    this.#closing.abort();
    clearTimeout(this.#timer);
    await this.#running?.catch(() => undefined);
  }

  #schedule(ms: number): void {
    if (this.#timer || this.#closing.signal.aborted) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.run().catch(() => {
        if (!this.#closing.signal.aborted) this.later();
      });
    }, ms).unref();
  }
}
