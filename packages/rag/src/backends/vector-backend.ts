import { messageOf, TypedEvents } from '@vizprompt/providers';
import { type Kinds, optional } from '@vizprompt/providers/config/internal';
import { assertOpened, checkOptions } from '../check-options.ts';
import { AutoChunkingStrategy } from '../chunk/auto-chunking-strategy.ts';
import type { ChunkingStrategy, SourceDocument } from '../chunk/chunking-strategy.ts';
import { RagError, SearchError } from '../errors.ts';
import { checkRagListener, type RagEvents } from '../events.ts';
import { parseQuery } from '../query/parse-query.ts';
import type { Query } from '../query/query.ts';
import { hintFor } from '../search/answer-query.ts';
import { meaningOf } from '../vector/literal-conditions.ts';
import { vectorsMissing } from '../vector/embedder.ts';
import {
  VECTOR_INDEX_KINDS,
  VectorIndex,
  type VectorIndexOptions,
} from '../vector/vector-index.ts';
import { BaseBackend } from '../contract/base-backend.ts';
import type { DocumentChange } from '../contract/document-change.ts';
import { CHUNKING, LONG_KINDS } from '../contract/backend-options.ts';
import type {
  BackendStats,
  DocumentRef,
  IndexReport,
  LongOptions,
  SearchFilter,
  SearchHit,
  SearchOptions,
  SearchResults,
  UpdateReport,
} from '../contract/search-backend.ts';

/** Options of {@link VectorBackend.open}. */
export interface VectorBackendOptions extends VectorIndexOptions {
  /** Cuts documents into chunks. Default: `AutoChunkingStrategy`. */
  readonly chunking?: ChunkingStrategy | undefined;
}

const KINDS: Kinds<VectorBackendOptions> = { ...VECTOR_INDEX_KINDS, chunking: optional(CHUNKING) };

/** Nothing is near to operators alone: there must be something to mean. */
function wordlessHint(query: Query, filter: SearchFilter | undefined): { readonly hint?: string } {
  return query.clauses.length === 0
    ? hintFor(query, filter)
    : { hint: 'A search by meaning needs words or a phrase besides operators.' };
}

/** Scores are above 0, whatever the cosine. */
const LEAST = 1e-6;

/**
 * A search by meaning alone: a vector store and an embedding model. Words with a sign, phrases, parts
 * of words and regular expressions must be in the text letter by letter; readings are refused, as
 * there is no analyzer. `total` is how many chunks the filter leaves, or
 * at least how many there are with `minScore` or conditions on the text.
 *
 * @example
 * ```ts
 * const backend = await VectorBackend.open({
 *   database: storage.cache,
 *   store: quantizedVectors({ database: storage.cache, dimensions: 1024 }),
 *   embeddings: ollamaEmbeddings({ model: 'bge-m3' }),
 * });
 * ```
 */
export class VectorBackend extends BaseBackend {
  readonly events: TypedEvents<RagEvents>;
  protected readonly chunking: ChunkingStrategy;
  protected readonly title = 'the index of vectors';
  readonly #index: VectorIndex;
  readonly #mayDegrade: boolean;

  private constructor(
    options: VectorBackendOptions,
    index: VectorIndex,
    events: TypedEvents<RagEvents>,
  ) {
    super();
    assertOpened(events, 'emit', 'VectorBackend.open({ store, embeddings })');
    const { chunking, onUnavailable } = options;
    this.events = events;
    this.chunking = chunking ?? new AutoChunkingStrategy();
    this.#index = index;
    this.#mayDegrade = onUnavailable !== 'throw';
  }

  /** @throws RagError with the code `model-mismatch` if the index was made with another model. */
  static async open(options: VectorBackendOptions): Promise<VectorBackend> {
    checkOptions('VectorBackend.open', options, KINDS);
    const events = new TypedEvents<RagEvents>({ check: checkRagListener });
    return new VectorBackend(options, await VectorIndex.open(options, events), events);
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
   * Indexes many documents, some dozens at a time; those that the index has as they are cost no more than
   * a look. `index:progress` reports how far it is, and a run that was stopped continues where it was.
   */
  index(
    documents: Iterable<SourceDocument> | AsyncIterable<SourceDocument>,
    options: LongOptions = {},
  ): Promise<IndexReport> {
    return this.indexInGroups(documents, options, {
      differs: (change) => this.#index.differs(change),
      onIndexed: (progress) => this.events.emit('index:progress', progress),
    });
  }

  /** Returns the documents of the index. */
  async documents(): Promise<readonly DocumentRef[]> {
    this.assertOpen();
    return this.#index.documents();
  }

  /** `terms` is 0: there are none. `bytes` is 0: they are the store's. */
  async stats(): Promise<BackendStats> {
    this.assertOpen();
    const { chunks, documents } = await this.#index.counts();
    return { chunks, documents, terms: 0, bytes: 0, analyzer: 'none' };
  }

  async compact(options: LongOptions = {}): Promise<void> {
    const { signal } = checkOptions('compact', options, LONG_KINDS);
    this.assertOpen();
    await this.#index.compact(signal);
  }

  protected async write(
    changes: readonly DocumentChange[],
    { signal }: LongOptions,
  ): Promise<UpdateReport> {
    const prepared = await this.#index.prepare(changes, signal);
    const { added, removed, kept } = await this.#index.commit(changes, prepared);
    if (added + removed > 0) this.events.emit('index:committed', { added, removed });
    return { added, removed, kept };
  }

  protected async answer(source: string, options: SearchOptions): Promise<SearchResults> {
    const { limit = 10, k = limit, offset = 0, filter, signal } = options;
    signal?.throwIfAborted();
    const query = parseQuery(source);
    if (meaningOf(query) === '') return { hits: [], total: 0, ...wordlessHint(query, filter) };
    const { found, total } = await this.#index
      .nearest({
        query,
        filter,
        count: offset + k,
        isCounted: true,
        ...(signal ? { signal } : {}),
      })
      .catch((error: unknown) => {
        signal?.throwIfAborted();
        if (RagError.isInstance(error)) throw error;
        throw new SearchError(
          `the vector search failed: ${messageOf(error)}`,
          { cause: error },
          'search-failed',
        );
      });
    const hits: SearchHit[] = [];
    for (const { chunk, score } of found.slice(offset)) {
      hits.push(await this.#index.hit(chunk, Math.max(LEAST, Math.min(1, score)), options));
    }
    const isBehind = this.#mayDegrade && (await this.#index.hasQueued());
    if (isBehind) this.events.emit('search:degraded', { error: vectorsMissing() });
    return {
      hits,
      total,
      ...(total === 0 ? hintFor(query, filter) : {}),
      ...(isBehind ? { degraded: true } : {}),
    };
  }

  protected release(): Promise<void> {
    return this.#index.close();
  }
}
