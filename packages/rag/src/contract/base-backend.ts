import type { Chunk } from '../chunk/chunk.ts';
import type { ChunkingStrategy, SourceDocument } from '../chunk/chunking-strategy.ts';
import { RagError } from '../errors.ts';
import { TEXT } from '@vizprompt/providers/config/internal';
import { checkArgument, checkOptions } from '../check-options.ts';
import {
  type DocumentChange,
  checkChunks,
  checkDocument,
  checkIterable,
  checkRef,
  documentKey,
  mergeChanges,
} from './document-change.ts';
import { LONG_KINDS } from './backend-options.ts';
import {
  type ChooseHits,
  type BackendStats,
  type DocumentRef,
  type IndexReport,
  type LongOptions,
  SEARCH_OPTIONS,
  type SearchBackend,
  type SearchHit,
  type SearchOptions,
  type SearchResults,
  type UpdateReport,
} from './search-backend.ts';
import { pagesOf } from './search-cursor.ts';

/** Chunks of `add` that are written at once. */
const ADD_BATCH = 2000;

/** Documents of `index` that are written at once: up to this many chunks, as models take them in batches. */
const GROUP_CHUNKS = 256;
const GROUP_DOCUMENTS = 64;

/** The calls and events of `BaseBackend.indexInGroups`. */
interface GroupIndexing {
  /** Checks whether the index has a document in another form, or not at all. */
  readonly differs: (change: DocumentChange) => Promise<boolean>;
  readonly onIndexed: (progress: { readonly done: number; readonly chunks: number }) => void;
  /** Chunks after which a group is written. Default: 256. */
  readonly groupChunks?: number;
  /** Documents after which a group is written. Default: 64. */
  readonly groupDocuments?: number;
  /**
   * Does what can be done for a group while the group before is written, and returns what writes it. No two of these
   * groups have a document in common. Default: one group is done after the other.
   */
  readonly prepare?: (
    changes: readonly DocumentChange[],
    options: LongOptions,
  ) => Promise<() => Promise<unknown>>;
}

/**
 * The common part of all backends: they check their arguments, cut documents and put changes of one
 * document together. A backend of your own says how changes are written and how a query is answered.
 *
 * @example
 * ```ts
 * class MyBackend extends BaseBackend {
 *   protected async write(changes: readonly DocumentChange[]): Promise<UpdateReport> { ... }
 *   protected async answer(query: string, options: SearchOptions): Promise<SearchResults> { ... }
 *   // and chunking, title, stats, compact, release
 * }
 * ```
 */
export abstract class BaseBackend implements SearchBackend {
  readonly specVersion = 1;
  /** Cuts the documents of `updateFile`. */
  protected abstract readonly chunking: ChunkingStrategy;
  /** The name of the backend, for the error after closing. */
  protected abstract readonly title: string;
  #isClosed = false;

  /** Writes documents, all of them or none. */
  protected abstract write(
    changes: readonly DocumentChange[],
    options: LongOptions,
  ): Promise<UpdateReport>;

  /**
   * Brings documents up to date, some at a time, and passes over those that do not differ. Completed work
   * stays if it is stopped.
   *
   * @internal
   */
  protected async indexInGroups(
    documents: Iterable<SourceDocument> | AsyncIterable<SourceDocument>,
    options: LongOptions,
    {
      differs,
      onIndexed,
      groupChunks = GROUP_CHUNKS,
      groupDocuments = GROUP_DOCUMENTS,
      prepare,
    }: GroupIndexing,
  ): Promise<IndexReport> {
    this.assertOpen();
    checkIterable('index', documents);
    checkOptions('index', options, LONG_KINDS);
    const { signal } = options;
    const count = { indexed: 0, unchanged: 0, chunks: 0 };
    let group = new Map<string, DocumentChange>();
    let size = 0;
    /** The group that is being written. */
    let before: { readonly keys: ReadonlySet<string>; readonly written: Promise<void> } | undefined;
    const report = async (
      writing: Promise<unknown>,
      changes: readonly DocumentChange[],
    ): Promise<void> => {
      await writing;
      for (const { chunks } of changes) {
        count.indexed++;
        count.chunks += chunks.length;
        onIndexed({ done: count.indexed, chunks: count.chunks });
      }
    };
    const flush = async (): Promise<void> => {
      const changes = [...group.values()];
      const keys = new Set(group.keys());
      [group, size] = [new Map(), 0];
      const write = prepare
        ? await prepare(changes, signal ? { signal } : {})
        : () => this.#write(changes, signal);
      await before?.written;
      signal?.throwIfAborted();
      const written = report(write(), changes);
      // The next caller that waits for it gets its error.
      written.catch(() => undefined);
      before = { keys, written };
      if (!prepare) await written;
    };
    try {
      for await (const document of documents) {
        const change = await this.#cut(document, signal);
        const key = documentKey(change);
        // The later one of two versions in a run is the newer one.
        if (group.has(key)) await flush();
        if (before?.keys.has(key)) await before.written;
        if (!(await differs(change))) {
          count.unchanged++;
          continue;
        }
        group.set(key, change);
        size += change.chunks.length;
        if (size >= groupChunks || group.size >= groupDocuments) await flush();
      }
      if (group.size > 0) await flush();
      await before?.written;
    } finally {
      await before?.written.catch(() => undefined);
    }
    return { indexed: count.indexed, unchanged: count.unchanged };
  }

  /**
   * Answers a query that was checked.
   *
   * @param choose - A backend that makes hits one by one may ask it which of them are wanted.
   */
  protected abstract answer(
    query: string,
    options: SearchOptions,
    choose?: ChooseHits,
  ): Promise<SearchResults>;

  /** Gives back what is open; called once. */
  protected abstract release(): Promise<void>;

  abstract stats(): Promise<BackendStats>;

  abstract compact(options?: LongOptions): Promise<void>;

  /** Returns the stored version of a document. */
  protected stampOf(_document: SourceDocument): string | undefined {
    return undefined;
  }

  async add(
    chunks: Iterable<Chunk> | AsyncIterable<Chunk>,
    options: LongOptions = {},
  ): Promise<void> {
    this.assertOpen();
    checkIterable('add', chunks);
    checkOptions('add', options, LONG_KINDS);
    const { signal } = options;
    let batch: DocumentChange[] = [];
    const flush = async (): Promise<void> => {
      await this.#write(batch, signal);
      batch = [];
    };
    for await (const chunk of chunks) {
      signal?.throwIfAborted();
      const { novelId, filePath } = chunk ?? {};
      checkChunks({ novelId, filePath }, [chunk]);
      batch.push({ novelId, filePath, chunks: [chunk], isAddition: true });
      if (batch.length >= ADD_BATCH) await flush();
    }
    await flush();
  }

  async removeByFile(document: DocumentRef): Promise<number> {
    checkRef(document);
    const { novelId, filePath } = document;
    const { removed } = await this.#write([{ novelId, filePath, chunks: [] }], undefined);
    return removed;
  }

  async updateFile(document: SourceDocument, options: LongOptions = {}): Promise<UpdateReport> {
    this.assertOpen();
    checkOptions('updateFile', options, LONG_KINDS);
    const { signal } = options;
    return this.#write([await this.#cut(document, signal)], signal);
  }

  /**
   * Brings many documents up to date and takes others out, all of it or nothing. They are held in
   * memory and analyzed in one go, so this is for some dozens; more go through an `index` where there
   * is one.
   *
   * @param removed - Documents that are gone, such as those that were renamed.
   */
  async updateFiles(
    documents: readonly SourceDocument[],
    removed: readonly DocumentRef[] = [],
    options: LongOptions = {},
  ): Promise<UpdateReport> {
    this.assertOpen();
    checkOptions('updateFiles', options, LONG_KINDS);
    const { signal } = options;
    for (const list of [documents, removed]) checkIterable('updateFiles', list);
    const changes: DocumentChange[] = removed.map((document) => {
      checkRef(document);
      const { novelId, filePath } = document;
      return { novelId, filePath, chunks: [] };
    });
    for (const document of documents) changes.push(await this.#cut(document, signal));
    return this.#write(changes, signal);
  }

  /**
   * Writes documents that were cut elsewhere, all of them or none, as `HybridBackend` does with those of
   * its keyword side.
   */
  async writeDocuments(
    changes: readonly DocumentChange[],
    options: LongOptions = {},
  ): Promise<UpdateReport> {
    checkOptions('writeDocuments', options, LONG_KINDS);
    checkIterable('writeDocuments', changes);
    for (const change of changes) {
      checkRef(change);
      checkChunks(change, change.chunks);
    }
    return this.#write(changes, options.signal);
  }

  async updateChunks(
    document: DocumentRef,
    chunks: readonly Chunk[],
    options: LongOptions = {},
  ): Promise<UpdateReport> {
    checkRef(document);
    checkOptions('updateChunks', options, LONG_KINDS);
    const { novelId, filePath } = document;
    const { signal } = options;
    checkChunks({ novelId, filePath }, chunks);
    return this.#write([{ novelId, filePath, chunks }], signal);
  }

  async search(query: string, options: SearchOptions = {}): Promise<SearchResults> {
    this.assertOpen();
    checkSearch(query, options);
    return this.answer(query, options);
  }

  /**
   * Searches, and gives only those hits of the page that are chosen. `total` is that of all.
   *
   * @internal
   */
  async searchChosen(
    query: string,
    options: SearchOptions,
    choose: ChooseHits,
  ): Promise<SearchResults> {
    this.assertOpen();
    checkSearch(query, options);
    let chosen: ReadonlySet<string> | undefined;
    const results = await this.answer(query, options, async (ranked, facts) => {
      chosen = await choose(ranked, facts);
      return chosen;
    });
    const wanted = chosen ?? (await choose(results.hits));
    return { ...results, hits: results.hits.filter(({ id }) => wanted.has(id)) };
  }

  searchAll(query: string, options: SearchOptions = {}): AsyncIterable<SearchHit> {
    return pagesOf((page) => this.search(query, page), options);
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await this.release();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  protected get isClosed(): boolean {
    return this.#isClosed;
  }

  /** @throws RagError with the code `closed`. */
  protected assertOpen(): void {
    if (this.#isClosed) throw new RagError('closed', `${this.title} is closed`);
  }

  async #cut(document: SourceDocument, signal?: AbortSignal): Promise<DocumentChange> {
    checkDocument(document);
    signal?.throwIfAborted();
    const { novelId, filePath } = document;
    const chunks = await this.chunking.chunk(document, { signal });
    checkChunks(document, chunks);
    const stamp = this.stampOf(document);
    return { novelId, filePath, chunks, ...(stamp === undefined ? {} : { stamp }) };
  }

  async #write(
    changes: readonly DocumentChange[],
    signal: AbortSignal | undefined,
  ): Promise<UpdateReport> {
    this.assertOpen();
    signal?.throwIfAborted();
    if (changes.length === 0) return { added: 0, removed: 0, kept: 0 };
    return this.write(mergeChanges(changes), signal ? { signal } : {});
  }
}

/** @throws RagError with the code `invalid-input`. */
export function checkSearch(query: unknown, options: SearchOptions): void {
  checkArgument('the query', query, TEXT);
  checkOptions('search', options, SEARCH_OPTIONS);
}
