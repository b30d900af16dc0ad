// #region backend
import type { Database } from '@vizprompt/providers';
import { BaseBackend, KeywordFlexBackend, type ChunkingStrategy } from '@vizprompt/rag';
import type { BackendStats, CuttingOptions, DocumentChange } from '@vizprompt/rag';
import type { LongOptions, SearchOptions, SearchResults, UpdateReport } from '@vizprompt/rag';
import { chunksIn, MIGRATIONS, restore, statementsOf } from './stored-chunks.ts';

/** Chunks in any `Database`, PostgreSQL too, and their index in the memory of this process. */
export class StoredBackend extends BaseBackend {
  protected readonly title = 'the stored index';
  protected readonly chunking: ChunkingStrategy;
  readonly #database: Database;
  readonly #index: KeywordFlexBackend;
  #last: Promise<unknown> = Promise.resolve();

  private constructor(database: Database, index: KeywordFlexBackend, chunking: ChunkingStrategy) {
    super();
    [this.#database, this.#index, this.chunking] = [database, index, chunking];
  }

  static async open(
    database: Database,
    options: CuttingOptions & { readonly chunking: ChunkingStrategy },
  ): Promise<StoredBackend> {
    await database.migrate('stored_chunk', MIGRATIONS);
    const index = await KeywordFlexBackend.open(options);
    await index.add(await chunksIn(database));
    return new StoredBackend(database, index, options.chunking);
  }

  protected write(changes: readonly DocumentChange[]): Promise<UpdateReport> {
    const work = async (): Promise<UpdateReport> => {
      const report = await this.#index.writeDocuments(changes); // refuses what is wrong
      await this.#database.batch(changes.flatMap(statementsOf)).catch(async (error: unknown) => {
        await this.#index.writeDocuments(await restore(this.#database, changes));
        throw error;
      });
      return report;
    };
    const written = this.#last.then(work, work); // one after the other
    this.#last = written;
    return written;
  }

  protected answer(query: string, options: SearchOptions): Promise<SearchResults> {
    return this.#index.search(query, options);
  }

  stats(): Promise<BackendStats> {
    return this.#index.stats();
  }

  compact(options?: LongOptions): Promise<void> {
    return this.#index.compact(options);
  }

  protected async release(): Promise<void> {
    await this.#last.catch(() => undefined);
    await this.#index.close();
  }
}
// #endregion backend
