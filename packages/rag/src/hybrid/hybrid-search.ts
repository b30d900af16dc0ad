import { messageOf, type HybridVectorStore } from '@vizprompt/providers';
import type {
  SearchBackend,
  SearchHit,
  SearchOptions,
  SearchResults,
  ChooseHits,
  KeywordFacts,
  RankedId,
} from '../contract/search-backend.ts';
import { BaseBackend } from '../contract/base-backend.ts';
import type { Chunk } from '../chunk/chunk.ts';
import { SearchError } from '../errors.ts';
import { parseQuery } from '../query/parse-query.ts';
import type { Query } from '../query/query.ts';
import { isLiteral, meaningOf } from '../vector/literal-conditions.ts';
import { isOutage, vectorsMissing } from '../vector/embedder.ts';
import type { VectorIndex } from '../vector/vector-index.ts';
import type { NearChunks } from '../vector/vector-search.ts';
import { Agreement, type AgreementCounts, isOpen } from './agreement.ts';
import { DEFAULT_DEPTH, fuseHits, wordsFirst, type FusedHit, type Fusion } from './fuse-hits.ts';
import { diversify, type Diversity, rerankHits, type Reranking } from './rerank-hits.ts';

/** The parts of a hybrid search. */
export interface HybridParts {
  readonly keyword: SearchBackend;
  readonly index: VectorIndex;
  readonly fusion: Fusion;
  /** The store, if it fuses itself. */
  readonly store: HybridVectorStore | undefined;
  readonly rerank: Reranking | undefined;
  readonly mmr: Diversity | undefined;
  /** True if words answer alone when vectors are away. */
  readonly mayDegrade: boolean;
  readonly vectorTimeoutMs: number;
  readonly retryAfterMs: number;
  onDegraded(error: unknown): void;
  /** Vectors are much weaker than words. */
  onWeak(counts: AgreementCounts): void;
}

/** The best of both sides as one list, and what it lacks. */
interface Pool {
  /** The whole list, best first. */
  readonly ranked: readonly RankedId[];
  /** The hits of the page; all where they get another order. */
  readonly hits: readonly SearchHit[];
  /** Chunks that the words find, as far as they are in the list. */
  readonly keywordIds: ReadonlySet<string>;
  readonly keywordTotal: number;
  /** The advice of the word search, if nothing was found. */
  readonly hint: string | undefined;
  readonly isDegraded: boolean;
}

/** The hits of each side, best first. */
export interface HybridSides extends KeywordFacts {
  readonly keyword: readonly SearchHit[];
  readonly vector: readonly SearchHit[];
}

/** The answers of both sides to a question. */
interface FusedSides {
  readonly fused: readonly FusedHit[];
  readonly words: SearchResults;
  readonly near: NearChunks;
  readonly keywordIds: ReadonlySet<string>;
}

const NOTHING_NEAR: NearChunks = { found: [], total: 0 };

/** Answers queries from words and vectors. */
export class HybridSearch {
  readonly #parts: HybridParts;
  readonly #agreement: Agreement;
  #resting: { readonly until: number; readonly error: unknown } | undefined;

  constructor(parts: HybridParts) {
    this.#parts = parts;
    this.#agreement = new Agreement((counts) => {
      if (this.#isWatched) parts.onWeak(counts);
    });
  }

  async run(source: string, options: SearchOptions): Promise<SearchResults> {
    const { keyword } = this.#parts;
    const { limit = 10, k = limit, offset = 0, signal } = options;
    signal?.throwIfAborted();
    const query = parseQuery(source);
    if (isLiteral(query) || meaningOf(query) === '') return keyword.search(source, options);
    if (this.#isResting()) return this.#byWords(source, options);
    const pool = this.#parts.store
      ? await this.#fusedByStore(source, query, options)
      : await this.#fusedHere(source, query, options);
    if (!pool) return this.#byWords(source, options);
    const { ranked } = pool;
    const { hits, isDegraded } = await this.#refined(source, pool, signal);
    const page = this.#isRefined ? hits.slice(offset, offset + k) : [...hits];
    const extra = ranked.filter(({ id }) => !pool.keywordIds.has(id)).length;
    const total = Math.max(ranked.length, pool.keywordTotal + extra);
    // After the fused hits, append the keyword-only hits.
    const from = Math.max(0, offset - ranked.length);
    if (page.length < k && total > ranked.length) {
      page.push(...(await this.#beyond(source, options, ranked, from, k - page.length)));
    }
    return {
      hits: page,
      total,
      ...(total === 0 && pool.hint !== undefined ? { hint: pool.hint } : {}),
      ...(isDegraded ? { degraded: true } : {}),
    };
  }

  /** Returns what each side finds, up to the depth of the fusion. */
  async sides(
    source: string,
    { filter, signal }: Pick<SearchOptions, 'filter' | 'signal'>,
  ): Promise<HybridSides> {
    const { index, fusion } = this.#parts;
    const { depth = DEFAULT_DEPTH } = fusion;
    const query = parseQuery(source);
    const near = isLiteral(query)
      ? NOTHING_NEAR
      : await index.nearest({ query, filter, count: depth, signal });
    let facts: KeywordFacts = {};
    const words = await this.#searchWords(source, { filter, signal }, (ranked, known = {}) => {
      facts = known;
      return Promise.resolve(new Set(ranked.map(({ id }) => id)));
    });
    const vector: SearchHit[] = [];
    for (const { chunk, score } of near.found) vector.push(await index.hit(chunk, score, {}));
    return { ...facts, keyword: words.hits, vector };
  }

  /** Checks whether weak vectors can make answers worse, or would in a list by ranks. */
  get #isWatched(): boolean {
    const { by, gate = 0 } = this.#parts.fusion;
    return by === 'ranks' || gate >= 1;
  }

  /** Checks whether hits are put into another order, so that all of them are needed and not a page. */
  get #isRefined(): boolean {
    return this.#parts.rerank !== undefined || this.#parts.mmr !== undefined;
  }

  async #fusedHere(
    source: string,
    query: Query,
    options: SearchOptions,
  ): Promise<Pool | undefined> {
    const { fusion, index } = this.#parts;
    const { depth = DEFAULT_DEPTH } = fusion;
    const { filter, signal } = options;
    const asked = this.#vectors(signal, (inner) =>
      index.nearest({ query, filter, count: depth, signal: inner }),
    );
    // It may fail before it is awaited.
    asked.catch(() => undefined);
    const keywordIds = new Set<string>();
    let fused: readonly FusedHit[] = [];
    const words = await this.#searchWords(source, options, async (keyword, facts) => {
      const { found } = (await asked) ?? NOTHING_NEAR;
      for (const { id } of keyword) keywordIds.add(id);
      const vector = found.map(({ chunk, score }) => ({ id: chunk.id, score }));
      this.#agreement.compare({ ...facts, keyword, vector });
      fused = fuseHits({ ...facts, keyword, vector, trust: this.#agreement.trust }, fusion);
      return new Set(this.#pageOf(fused, options).map(({ id }) => id));
    });
    const near = await asked;
    return near && this.#pool({ fused, words, near, keywordIds }, options);
  }

  /** Returns the part of a list that becomes hits: all that may be put into another order, or the page. */
  #pageOf(
    fused: readonly FusedHit[],
    { limit = 10, k = limit, offset = 0 }: SearchOptions,
  ): readonly FusedHit[] {
    return this.#isRefined ? fused : fused.slice(offset, offset + k);
  }

  async #pool(
    { fused, words, near, keywordIds }: FusedSides,
    options: SearchOptions,
  ): Promise<Pool> {
    const byId = new Map(words.hits.map((hit) => [hit.id, hit]));
    const chunks = new Map(near.found.map(({ chunk }) => [chunk.id, chunk]));
    const hits: SearchHit[] = [];
    for (const { id, score, parts } of this.#pageOf(fused, options)) {
      const known = byId.get(id);
      const hit = known ? { ...known, score } : await this.#hitOf(chunks.get(id), score, options);
      if (!hit) continue;
      const explanation = Object.entries(parts).flatMap(([name, value]) =>
        value > 0 ? [{ name, value }] : [],
      );
      hits.push(options.explain ? { ...hit, explanation } : hit);
    }
    return {
      ranked: fused,
      hits,
      keywordIds,
      keywordTotal: words.total,
      hint: words.hint,
      isDegraded: await this.#isBehind(),
    };
  }

  /** Hits of a keyword backend of this package are made only where they are chosen. */
  async #searchWords(
    source: string,
    options: SearchOptions,
    choose: ChooseHits,
  ): Promise<SearchResults> {
    const { keyword, fusion } = this.#parts;
    const { depth = DEFAULT_DEPTH } = fusion;
    const asked = { ...options, limit: depth, k: depth, offset: 0 };
    if (keyword instanceof BaseBackend) return keyword.searchChosen(source, asked, choose);
    const words = await keyword.search(source, asked);
    await choose(words.hits);
    return words;
  }

  async #fusedByStore(
    source: string,
    query: Query,
    options: SearchOptions,
  ): Promise<Pool | undefined> {
    const { store, fusion, index } = this.#parts;
    const { depth = DEFAULT_DEPTH, rankConstant = 60, weights } = fusion;
    const { filter, signal } = options;
    const sides = { vector: weights?.vector ?? 1, sparse: weights?.keyword ?? 1 };
    const near = await this.#vectors(signal, async (inner) =>
      store
        ? index.fused(
            store,
            { query, filter, count: depth, signal: inner },
            { rankConstant, depth, weights: sides },
          )
        : undefined,
    );
    if (!near) return undefined;
    const best = (sides.vector + sides.sparse) / (rankConstant + 1);
    const ranked = near.found.map(({ chunk, score: given }): FusedHit => {
      const score = Math.min(1, given / best);
      return { id: chunk.id, score, parts: { keyword: 0, vector: score } };
    });
    const keywordIds = new Set<string>();
    let fused: readonly FusedHit[] = ranked;
    const words = await this.#searchWords(source, options, async (keyword, facts) => {
      for (const { id } of keyword) keywordIds.add(id);
      if (!isOpen({ ...facts, keyword, trust: 'related' }, fusion))
        fused = wordsFirst(ranked, keyword);
      return keywordIds;
    });
    return this.#pool({ fused, words, near, keywordIds }, options);
  }

  /** Checks whether the vectors are left alone, as they were away. Says so each time. */
  #isResting(): boolean {
    const { mayDegrade, onDegraded } = this.#parts;
    if (!mayDegrade || !this.#resting || performance.now() >= this.#resting.until) return false;
    onDegraded(this.#resting.error);
    return true;
  }

  /** Returns the hits of the words alone. */
  async #byWords(source: string, options: SearchOptions): Promise<SearchResults> {
    return { ...(await this.#parts.keyword.search(source, options)), degraded: true };
  }

  /** Returns the hits of the vectors, or nothing if they are away and that may be. */
  async #vectors(
    signal: AbortSignal | undefined,
    ask: (signal: AbortSignal) => Promise<NearChunks | undefined>,
  ): Promise<NearChunks | undefined> {
    const { mayDegrade, vectorTimeoutMs, retryAfterMs, onDegraded } = this.#parts;
    const limit = AbortSignal.timeout(vectorTimeoutMs);
    try {
      const near = await ask(signal ? AbortSignal.any([signal, limit]) : limit);
      this.#resting = undefined;
      return near;
    } catch (error) {
      signal?.throwIfAborted();
      if (!limit.aborted && !isOutage(error)) throw error;
      if (!mayDegrade) {
        throw new SearchError(
          `the search by vectors failed: ${messageOf(error)}`,
          { cause: error },
          'search-failed',
        );
      }
      this.#resting = { until: performance.now() + retryAfterMs, error };
      onDegraded(error);
      return undefined;
    }
  }

  async #refined(
    source: string,
    { hits, isDegraded }: Pool,
    signal: AbortSignal | undefined,
  ): Promise<{ readonly hits: readonly SearchHit[]; readonly isDegraded: boolean }> {
    const { rerank, mmr, mayDegrade, onDegraded } = this.#parts;
    let refined = hits;
    let isPoorer = isDegraded;
    if (rerank) {
      try {
        refined = await rerankHits(source, hits, rerank, signal ? { signal } : {});
      } catch (error) {
        signal?.throwIfAborted();
        if (!mayDegrade) {
          const message = `the reranker failed: ${messageOf(error)}`;
          throw new SearchError(message, { cause: error }, 'search-failed');
        }
        onDegraded(error);
        isPoorer = true;
      }
    }
    return { hits: mmr ? diversify(refined, mmr) : refined, isDegraded: isPoorer };
  }

  /** Hits of the words that are not among the best of both. */
  async #beyond(
    source: string,
    options: SearchOptions,
    pool: readonly RankedId[],
    skip: number,
    count: number,
  ): Promise<readonly SearchHit[]> {
    const { keyword, fusion } = this.#parts;
    const { depth = DEFAULT_DEPTH } = fusion;
    const known = new Set(pool.map(({ id }) => id));
    const least = pool.at(-1)?.score ?? 1;
    const found: SearchHit[] = [];
    let left = skip;
    for (let offset = depth; found.length < count; offset += depth) {
      const { hits } = await keyword.search(source, { ...options, limit: depth, k: depth, offset });
      for (const hit of hits) {
        if (known.has(hit.id)) continue;
        if (left > 0) left--;
        else if (found.length < count) found.push(lowered(hit, least));
      }
      if (hits.length < depth) break;
    }
    return found;
  }

  /** Checks whether chunks wait for their vectors, so that only words find them. */
  async #isBehind(): Promise<boolean> {
    const { mayDegrade, index, onDegraded } = this.#parts;
    if (!mayDegrade || !(await index.hasQueued())) return false;
    onDegraded(vectorsMissing());
    return true;
  }

  async #hitOf(
    chunk: Chunk | undefined,
    score: number,
    options: SearchOptions,
  ): Promise<SearchHit | undefined> {
    return chunk && this.#parts.index.hit(chunk, score, options);
  }
}

/** Returns a hit with its score, and what explains it, on another scale. */
function lowered(hit: SearchHit, factor: number): SearchHit {
  const explanation = hit.explanation?.map(({ name, value }) => ({ name, value: value * factor }));
  return { ...hit, score: hit.score * factor, ...(explanation ? { explanation } : {}) };
}
