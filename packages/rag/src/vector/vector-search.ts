import type { Database, VectorFilter, VectorMatch, VectorStore } from '@vizprompt/providers';
import { documentKey } from '../contract/document-change.ts';
import type { LongOptions, SearchFilter } from '../contract/search-backend.ts';
import { type Chunk, headingsOf } from '../chunk/chunk.ts';
import { compileFilter } from '../query/compile-filter.ts';
import type { Query } from '../query/query.ts';
import type { CatalogTables } from './catalog-tables.ts';
import type { TextPredicate } from './literal-conditions.ts';
import { chunksWith, documentsOf } from './stored-chunks.ts';

/** Searches that were disturbed by writers so often take what they have. */
const MAX_ATTEMPTS = 5;
/** Asked for beyond what is wanted, as the store may still have vectors of chunks that are gone. */
const SLACK = 4;
/** With conditions on the texts this many of the nearest are looked at. */
const MAX_READ = 2000;
/** With more documents than these a filter is tested after the search. */
const MAX_DOCUMENTS = 1000;

/** A chunk that is near. */
interface NearChunk {
  readonly chunk: Chunk;
  /** As the store gives it. */
  readonly score: number;
}

/** The nearest chunks, and how many there are. */
export interface NearChunks {
  readonly found: readonly NearChunk[];
  /** The number of all that fit; a lower bound with conditions on the texts or without a count. */
  readonly total: number;
}

/** Asks the store: by meaning alone, or by meaning and words. */
export type AskStore = (
  options: LongOptions & { readonly k: number; readonly filter?: VectorFilter },
) => Promise<readonly VectorMatch[]>;

/** The request for near chunks. */
export interface NearRequest extends LongOptions {
  readonly query: Query;
  readonly filter: SearchFilter | undefined;
  readonly accepts: TextPredicate | undefined;
  readonly count: number;
  /** Scores below are left out. */
  readonly minScore: number;
  /** True if `total` is wanted, which takes a look at the whole store. */
  readonly isCounted: boolean;
  readonly ask: AskStore;
}

/** The parts of a search by vectors. */
export interface VectorSearchParts {
  readonly database: Database;
  readonly tables: CatalogTables;
  readonly store: VectorStore;
  readonly owner: string | undefined;
}

/** Finds chunks by vectors. The store proposes keys, and the database says which of them live. */
export class VectorSearch {
  readonly #database: Database;
  readonly #tables: CatalogTables;
  readonly #store: VectorStore;
  readonly #owner: string | undefined;

  constructor({ database, tables, store, owner }: VectorSearchParts) {
    this.#database = database;
    this.#tables = tables;
    this.#store = store;
    this.#owner = owner;
  }

  /** Returns the nearest chunks of one state of the index, best first. */
  async nearest(request: NearRequest): Promise<NearChunks> {
    for (let attempt = 1; ; attempt++) {
      const before = await this.#revision();
      const found = await this.#attempt(request);
      request.signal?.throwIfAborted();
      if (attempt === MAX_ATTEMPTS || (await this.#revision()) === before) return found;
    }
  }

  async #attempt(request: NearRequest): Promise<NearChunks> {
    const { query, count, accepts, minScore, isCounted, ask, signal } = request;
    const options = signal ? { signal } : {};
    const fits = await compileFilter(request.filter ?? {}, query.clauses);
    const { filter, isExact } = await this.#storeFilter(request);
    const found: NearChunk[] = [];
    const isSimple = !accepts && isExact && minScore === Number.NEGATIVE_INFINITY;
    const limit = isSimple ? count : Math.max(count, MAX_READ);
    let last = 0;
    for (let k = isSimple ? count + SLACK : Math.max(count, 100); ; k *= 4) {
      const matches = await ask({ k, ...options, ...(filter ? { filter } : {}) });
      const fresh = matches.slice(last).filter(({ score }) => score >= minScore);
      last = matches.length;
      const ids = fresh.map(({ id }) => id);
      const chunks = await chunksWith(this.#database, this.#tables, ids);
      for (const { id, score } of fresh) {
        const chunk = chunks.get(id);
        const isWanted = chunk && fits(chunk) && (accepts?.(chunk.own, headingsOf(chunk)) ?? true);
        if (isWanted) found.push({ chunk, score });
      }
      const isExhausted = matches.length < k || (matches.at(-1)?.score ?? 0) < minScore;
      if (isExhausted) return { found: inOrder(found).slice(0, count), total: found.length };
      if (found.length >= limit || k >= MAX_READ) break;
    }
    const total = isSimple && isCounted ? await this.#store.count(filter, options) : found.length;
    return { found: inOrder(found).slice(0, count), total: Math.max(total, found.length) };
  }

  /** Returns the filter for the store, and whether it is complete. */
  async #storeFilter({
    query,
    filter = {},
  }: NearRequest): Promise<{ readonly filter?: VectorFilter; readonly isExact: boolean }> {
    const tags = [
      ...(filter.tags ?? []),
      ...query.clauses.flatMap((clause) => {
        return clause.kind === 'tag' && clause.occur === 'must' ? [clause.tag] : [];
      }),
    ].map((tag) => tag.normalize('NFKC').toLowerCase());
    const parts: Record<string, VectorFilter[string]> = {};
    if (this.#owner !== undefined) parts['owner'] = this.#owner;
    if (filter.projects) parts['project'] = { anyOf: filter.projects };
    if (tags.length > 0) parts['tags'] = { allOf: tags };
    let isExact = !query.clauses.some(({ kind, occur }) => kind === 'tag' && occur === 'not');
    if (filter.files || query.clauses.some(({ kind }) => kind === 'path')) {
      const paths = query.clauses.filter(({ kind }) => kind === 'path');
      const isThere = await compileFilter(filter.files ? { files: filter.files } : {}, paths);
      const wanted = (await documentsOf(this.#database, this.#tables)).filter((document) =>
        isThere({ ...document, tags: [] }),
      );
      if (wanted.length <= MAX_DOCUMENTS) parts['document'] = { anyOf: wanted.map(documentKey) };
      else isExact = false;
    }
    return Object.keys(parts).length > 0 ? { filter: parts, isExact } : { isExact };
  }

  async #revision(): Promise<number> {
    const [row] = await this.#database.query<{ revision: number }>(
      `SELECT revision FROM ${this.#tables.state}`,
    );
    return row?.revision ?? 0;
  }
}

/** Equal scores are in the order of the ids, not in that of the writes. */
function inOrder(found: readonly NearChunk[]): readonly NearChunk[] {
  // Ids are worked out of the texts, so only where they are needed.
  return found.toSorted((a, b) => b.score - a.score || (a.chunk.id < b.chunk.id ? -1 : 1));
}
