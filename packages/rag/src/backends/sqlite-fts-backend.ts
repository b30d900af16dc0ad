import type PQueue from 'p-queue';
import { TypedEvents, type Database, type SqlExecutor } from '@vizprompt/providers';
import type { Kinds } from '@vizprompt/providers/config/internal';
import type { Analyzer } from '../analyze/analyzer.ts';
import { LANGUAGE_KINDS, type LanguageOptions } from '../contract/language-options.ts';
import { assertOpened, checkOptions } from '../check-options.ts';
import {
  type Cutting,
  DATABASE,
  LONG_KINDS,
  OPTIONAL_TEXT,
  withDefaults,
} from '../contract/backend-options.ts';
import type { ChunkingStrategy } from '../chunk/chunking-strategy.ts';
import { IndexingError, RagError } from '../errors.ts';
import { checkRagListener, type RagEvents } from '../events.ts';
import { FtsFacts, ftsStats } from '../fts/fts-facts.ts';
import { FtsIndex } from '../fts/fts-index.ts';
import { ftsMigrations, ftsTables, type FtsTables } from '../fts/fts-tables.ts';
import { rebuildIndex, planChanges, writePlans } from '../fts/write-changes.ts';
import { readState } from '../fts/stored-rows.ts';
import { TermMemory } from '../chunk/chunk.ts';
import { answerQuery, type QueryLanguage } from '../search/answer-query.ts';
import { BaseBackend } from '../contract/base-backend.ts';
import type { DocumentChange } from '../contract/document-change.ts';
import type {
  BackendStats,
  LongOptions,
  SearchOptions,
  SearchResults,
  UpdateReport,
} from '../contract/search-backend.ts';

/** Options of {@link SqliteFtsBackend.open}. */
export interface SqliteFtsBackendOptions extends LanguageOptions {
  /** On SQLite with FTS5, 3.43 or newer. It stays open when the backend is closed. */
  readonly database: Database;
  /**
   * Begins the names of its tables: small letters, digits and `_`, a letter first. Several indexes can be in one
   * database. Default: `rag`.
   */
  readonly name?: string | undefined;
}

const KINDS: Kinds<SqliteFtsBackendOptions> = {
  database: DATABASE,
  ...LANGUAGE_KINDS,
  name: OPTIONAL_TEXT,
};

const NAME = /^[a-z][a-z0-9_]{0,40}$/;

/** Searches that were disturbed so often by writers shut them out. */
const MAX_ATTEMPTS = 3;

/**
 * An index in a SQLite database, for hosts that have one anyway. It ranks as the default index does,
 * to the last digit; several processes may read and write it.
 *
 * FTS5 holds which chunk has which term. The scores are not FTS5's own: its `bm25()` takes three
 * times as long as reading the postings, and can neither weigh the ways in which a word is found nor
 * part of speech.
 *
 * @example
 * ```ts
 * const backend = await SqliteFtsBackend.open({
 *   database: sqliteDatabase({ path: 'app.db' }),
 *   analyzer: segmenterAnalyzer(),
 *   chunking: new MarkdownChunkingStrategy(),
 * });
 * ```
 */
export class SqliteFtsBackend extends BaseBackend {
  readonly events: TypedEvents<RagEvents> = new TypedEvents<RagEvents>({ check: checkRagListener });
  protected readonly chunking: ChunkingStrategy;
  protected readonly title: string;
  readonly #database: Database;
  readonly #analyzer: Analyzer;
  readonly #language: QueryLanguage;
  readonly #tables: FtsTables;
  readonly #facts: FtsFacts;
  readonly #refreshes: PQueue;

  private constructor(options: Cutting<SqliteFtsBackendOptions>, refreshes: PQueue) {
    super();
    assertOpened(refreshes, 'add', 'SqliteFtsBackend.open({ database })');
    const { database, analyzer, chunking, synonyms, thesaurus, romaji, name = 'rag' } = options;
    this.#refreshes = refreshes;
    this.chunking = chunking;
    this.title = `the index '${name}' in the database`;
    this.#database = database;
    this.#analyzer = analyzer;
    this.#language = { analyzer, synonyms, thesaurus, romaji };
    this.#tables = ftsTables(name);
    this.#facts = new FtsFacts(this.#tables);
  }

  /**
   * Makes the tables if they are missing. If the index belongs to another analyzer, this waits until it
   * has been analyzed again.
   *
   * @throws RagError with the code `invalid-input` if the database is not SQLite, or for such a name.
   */
  static async open(options: SqliteFtsBackendOptions): Promise<SqliteFtsBackend> {
    checkOptions('SqliteFtsBackend.open', options, KINDS);
    const { database, name = 'rag' } = options;
    if (database.dialect !== 'sqlite') {
      throw new RagError(
        'invalid-input',
        `the index needs a database on SQLite, as it uses FTS5; this one speaks ${database.dialect}`,
        { context: { dialect: database.dialect } },
      );
    }
    if (!NAME.test(name)) {
      throw new RagError(
        'invalid-input',
        `an index cannot be named '${name}': use small letters, digits and '_', a letter first`,
        { context: { name } },
      );
    }
    const complete = await withDefaults(options);
    const { analyzer } = complete;
    const tables = ftsTables(name);
    await database.migrate(name, ftsMigrations(tables));
    await database.execute(`INSERT OR IGNORE INTO ${tables.state} VALUES (1, ?, 0)`, [analyzer.id]);
    await rebuildIndex(database, tables, analyzer);
    // Users of another backend do not wait for it to be loaded.
    const { default: Queue } = await import('p-queue');
    return new SqliteFtsBackend(complete, new Queue({ concurrency: 1 }));
  }

  async stats(): Promise<BackendStats> {
    this.assertOpen();
    return ftsStats(this.#database, this.#tables);
  }

  /** Puts the full text index together, and rewrites the database: no byte remains of what is gone. */
  async compact(options: LongOptions = {}): Promise<void> {
    const { signal } = checkOptions('compact', options, LONG_KINDS);
    this.assertOpen();
    signal?.throwIfAborted();
    const { fts } = this.#tables;
    await this.#database.execute(`INSERT INTO ${fts} (${fts}) VALUES ('optimize')`);
    await this.#database.purge?.();
  }

  protected async write(
    changes: readonly DocumentChange[],
    { signal }: LongOptions,
  ): Promise<UpdateReport> {
    const memory = new TermMemory(this.#analyzer);
    // Analyzing takes longer than writing, so it is done before others are kept waiting.
    for (const { chunks } of await planChanges(this.#database, this.#tables, changes)) {
      for (const { chunk, id } of chunks) if (!id) memory.termsOf(chunk);
    }
    const report = await this.#database.transaction(
      async (tx) => {
        await this.#checkAnalyzer(tx);
        const plans = await planChanges(tx, this.#tables, changes);
        const readingsOf = this.#analyzer.readings.bind(this.#analyzer);
        return writePlans(tx, this.#tables, plans, memory, readingsOf);
      },
      signal ? { signal } : {},
    );
    const { added, removed } = report;
    if (added + removed > 0) this.events.emit('index:committed', { added, removed });
    return report;
  }

  /** Others may write meanwhile; what then would fit together only in part is searched again. */
  protected async answer(query: string, options: SearchOptions): Promise<SearchResults> {
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      const { revision } = await this.#checkAnalyzer(this.#database);
      const isStill = async (): Promise<boolean> =>
        this.#facts.revision === revision &&
        (await readState(this.#database, this.#tables)).revision === revision;
      try {
        await this.#refreshes.add(() => this.#facts.refresh(this.#database, revision));
        const results = await this.#answerFrom(this.#database, this.#facts, query, options);
        if (await isStill()) return results;
      } catch (error) {
        if (await isStill()) throw error;
      }
    }
    return this.#database.transaction(async (tx) => {
      // Refreshing the shared facts could wait for a read that waits for this transaction.
      const facts = new FtsFacts(this.#tables);
      await facts.refresh(tx, (await this.#checkAnalyzer(tx)).revision);
      return this.#answerFrom(tx, facts, query, options);
    });
  }

  protected async release(): Promise<void> {
    await this.#refreshes.add(() => Promise.resolve());
  }

  #answerFrom(
    executor: SqlExecutor,
    facts: FtsFacts,
    query: string,
    options: SearchOptions,
  ): Promise<SearchResults> {
    const index = new FtsIndex(executor, this.#tables, facts);
    return answerQuery(index, this.#language, query, options);
  }

  /** Returns the state of the index, if it is still one of this analyzer: the words of others mean something else. */
  async #checkAnalyzer(executor: SqlExecutor): ReturnType<typeof readState> {
    const state = await readState(executor, this.#tables);
    const { analyzer } = state;
    if (analyzer === this.#analyzer.id) return state;
    throw new IndexingError(
      `${this.title} is now kept by another program with the analyser '${analyzer}', ` +
        `not '${this.#analyzer.id}': open it again, or under another name`,
      { context: { analyzer } },
    );
  }
}
