import { createHash } from 'node:crypto';
import { TypedEvents, type Database, type SqlExecutor } from '@vizprompt/providers';
import type { Kinds } from '@vizprompt/providers/config/internal';
import type { Analyzer } from '../analyze/analyzer.ts';
import { assertOpened, checkOptions } from '../check-options.ts';
import type { ChunkingStrategy, SourceDocument } from '../chunk/chunking-strategy.ts';
import { BaseBackend } from '../contract/base-backend.ts';
import { type DocumentChange, documentKey } from '../contract/document-change.ts';
import {
  type Cutting,
  DATABASE,
  LONG_KINDS,
  OPTIONAL_TEXT,
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
import { LANGUAGE_KINDS, type LanguageOptions } from '../contract/language-options.ts';
import { IndexingError, RagError } from '../errors.ts';
import { checkRagListener, type RagEvents } from '../events.ts';
import { answerQuery, type QueryLanguage } from '../search/answer-query.ts';
import { SharedFacts } from '../sql/index-facts.ts';
import { compactSpace, mergeIfDue, MERGE_AFTER } from '../sql/maintain-space.ts';
import { isChange, planChanges } from '../sql/plan-changes.ts';
import { rebuildSpace } from '../sql/rebuild-space.ts';
import { type SpacePlace, spaceStats, storedDocuments } from '../sql/space-reader.ts';
import { dropSpace, lockSpace, openSpace, readSpace, type SpaceRow } from '../sql/space-rows.ts';
import { type FactsFrom, SqlIndex, type SqlIndexSource, StaleRead } from '../sql/sql-index.ts';
import { sqlMigrations, sqlTables } from '../sql/sql-tables.ts';
import { upgradeSpace } from '../sql/upgrade-space.ts';
import { WordMemory } from '../sql/word-memory.ts';
import { newChunks, writeLocked } from '../sql/write-locked.ts';
import { reportOf } from '../sql/write-plans.ts';

/** Where the tables of a {@link SqlBackend} are, and which of their indexes is meant. */
export interface SqlSpaceOptions {
  /** On PostgreSQL, or on SQLite 3.43 or newer. It stays open when the backend is closed. */
  readonly database: Database;
  /**
   * Begins the names of its tables: small letters, digits and `_`, a letter first. Default: `chunks`.
   */
  readonly name?: string | undefined;
  /**
   * The index within these tables: one for each tenant, with a vocabulary and statistics of its own, so that no tenant's
   * texts change the ranking of another one. Any text. Default: `default`.
   */
  readonly space?: string | undefined;
}

/** Options of {@link SqlBackend.open}. */
export interface SqlBackendOptions extends LanguageOptions, SqlSpaceOptions {}

const SPACE_KINDS: Kinds<SqlSpaceOptions> = {
  database: DATABASE,
  name: OPTIONAL_TEXT,
  space: OPTIONAL_TEXT,
};

const KINDS: Kinds<SqlBackendOptions> = {
  ...SPACE_KINDS,
  ...LANGUAGE_KINDS,
};

const NAME = /^[a-z][a-z0-9_]{0,40}$/;

/**
 * Chunks that `index` writes in one transaction: each of their terms takes a row of postings and an update of its count, and most
 * terms of a chunk are in many others.
 */
const GROUP_CHUNKS = 2048;
/** Documents of such a transaction at most. */
const GROUP_DOCUMENTS = 256;

/** Searches that were disturbed more often than this by writers shut them out. */
const MAX_ATTEMPTS = 3;

/**
 * An index in a database that many processes and machines share. It ranks as the default index does, to the last digit.
 *
 * Postings are in plain rows, in blocks that the application decodes, so that it needs no extension of the server. A search
 * takes one to two statements, and three after a change of another process. Writers of one space wait for each other, and no reader waits
 * for them. Each process has the facts of all chunks in memory, some 20 bytes each, and all terms, some 70 bytes each; besides up
 * to 40 MB of postings and texts that searches have read, for each open backend.
 *
 * @example
 * ```ts
 * const storage = await postgresStorage({ connectionString, namespace: 'app' });
 * const backend = await SqlBackend.open({ database: storage.database, space: 'tenant-7' });
 * await backend.updateFile({ novelId: 'notes', filePath: 'note-1', text: '灯台の朝' });
 * const { hits } = await backend.search('灯台');
 * ```
 */
export class SqlBackend extends BaseBackend {
  readonly events: TypedEvents<RagEvents> = new TypedEvents<RagEvents>({ check: checkRagListener });
  protected readonly chunking: ChunkingStrategy;
  protected readonly title: string;
  readonly #database: Database;
  readonly #analyzer: Analyzer;
  readonly #language: QueryLanguage;
  readonly #source: SqlIndexSource;
  readonly #closing = new AbortController();
  #merging: Promise<unknown> | undefined;

  private constructor(options: Cutting<SqlBackendOptions>) {
    super();
    assertOpened(options, 'chunking', 'SqlBackend.open({ database })');
    const { database, analyzer, chunking, synonyms, thesaurus, romaji } = options;
    const { name = 'chunks', space = 'default' } = options;
    this.chunking = chunking;
    this.title = `the index '${space}' in the tables '${name}' of the database`;
    this.#database = database;
    this.#analyzer = analyzer;
    this.#language = { analyzer, synonyms, thesaurus, romaji };
    this.#source = {
      place: {
        executor: database,
        dialect: database.dialect,
        tables: sqlTables(name),
        name: space,
      },
      facts: new SharedFacts(),
      readingsOf: analyzer.readings.bind(analyzer),
      check: (state) => void this.#check(state),
    };
  }

  /**
   * Creates the tables and the space if they are missing. If the space belongs to another analyzer, this waits until it
   * has been analyzed again.
   *
   * @throws RagError with the code `invalid-input` for a name that tables cannot have.
   */
  static async open(options: SqlBackendOptions): Promise<SqlBackend> {
    checkOptions('SqlBackend.open', options, KINDS);
    const { database, name = 'chunks' } = options;
    checkName(name);
    const complete = await withDefaults(options);
    const backend = new SqlBackend(complete);
    await database.migrate(name, sqlMigrations(sqlTables(name)));
    const { place, facts } = backend.#source;
    await openSpace(database, place.tables, place.name, complete.analyzer.id);
    await upgradeSpace(database, place, complete.analyzer);
    await rebuildSpace(database, place, complete.analyzer);
    const row = await readSpace(database, place.tables, place.name);
    if (row) facts.begin(row.id);
    await backend.#withFacts(async () => undefined);
    return backend;
  }

  /** Deletes a space with all that it holds, in one transaction. Backends that have it open find nothing any more. */
  static async deleteSpace(options: SqlSpaceOptions): Promise<void> {
    checkOptions('SqlBackend.deleteSpace', options, SPACE_KINDS);
    const { database, name = 'chunks', space = 'default' } = options;
    checkName(name);
    const tables = sqlTables(name);
    await database.migrate(name, sqlMigrations(tables));
    await database.transaction(
      async (tx) => {
        const row = await lockSpace(tx, tables, space);
        if (row) await dropSpace(tx, tables, row.id);
      },
      { isolation: 'read-committed' },
    );
  }

  /**
   * Indexes many documents, some dozens at a time; unchanged documents cost only a comparison. Indexed documents can be
   * searched meanwhile, and a run that was stopped resumes where it was.
   */
  async index(
    documents: Iterable<SourceDocument> | AsyncIterable<SourceDocument>,
    options: LongOptions = {},
  ): Promise<IndexReport> {
    this.assertOpen();
    const { place: current } = await this.#current();
    const stored = await storedDocuments(current);
    const stamps = new Map(stored.map((one) => [documentKey(one), one.stamp]));
    /** The changes of this run, which do not touch the documents of the group that is prepared meanwhile. */
    const own = new Set<number>();
    return this.indexInGroups(documents, options, {
      differs: async (change) => stamps.get(documentKey(change)) !== change.stamp,
      onIndexed: (progress) => this.events.emit('index:progress', progress),
      groupChunks: GROUP_CHUNKS,
      groupDocuments: GROUP_DOCUMENTS,
      prepare: (changes, long) => this.#prepare(changes, long, own),
    });
  }

  /** The documents of the space. */
  async documents(): Promise<readonly DocumentRef[]> {
    this.assertOpen();
    const { place } = await this.#current();
    const stored = await storedDocuments(place);
    return stored.map(({ novelId, filePath }) => ({ novelId, filePath }));
  }

  async stats(): Promise<BackendStats> {
    this.assertOpen();
    const { place } = await this.#current();
    const terms = await this.#withFacts(async ({ facts }) => facts.terms.sizeOfTexts());
    return spaceStats(place, terms);
  }

  /**
   * Puts all postings together, and rewrites the tables of the database, those of others among them: no byte remains of what
   * is gone. Others wait meanwhile. Nothing needs it for speed, as merging happens in the background.
   */
  async compact(options: LongOptions = {}): Promise<void> {
    const { signal } = checkOptions('compact', options, LONG_KINDS);
    this.assertOpen();
    signal?.throwIfAborted();
    await this.#merging;
    await compactSpace(this.#database, this.#source, signal);
  }

  protected override stampOf({ text, tags = [] }: SourceDocument): string {
    const facts = JSON.stringify([this.chunking.id, tags]);
    return createHash('sha256').update(facts).update(text).digest('base64url').slice(0, 22);
  }

  /**
   * Writes documents as `writeDocuments` does, and rows of others in the same transaction: all of it or nothing.
   *
   * @param also - Writes these rows. It is called again if the transaction is begun again.
   * @returns Nothing if the rows are to be in another database.
   * @internal
   */
  async writeTogether(
    database: Database,
    changes: readonly DocumentChange[],
    also: (tx: SqlExecutor) => Promise<void>,
    options: LongOptions = {},
  ): Promise<UpdateReport | undefined> {
    this.assertOpen();
    return database === this.#database ? this.write(changes, options, also) : undefined;
  }

  protected async write(
    changes: readonly DocumentChange[],
    options: LongOptions,
    also?: (tx: SqlExecutor) => Promise<void>,
  ): Promise<UpdateReport> {
    return (await this.#prepare(changes, options, new Set()))(also);
  }

  /**
   * Plans and analyzes changes, which takes longer than writing them, before others are kept waiting.
   *
   * @param own - The numbers of changes after which plans of these documents still hold; that of this one is added.
   * @returns The function that writes them.
   */
  async #prepare(
    changes: readonly DocumentChange[],
    { signal }: LongOptions,
    own: Set<number>,
  ): Promise<(also?: (tx: SqlExecutor) => Promise<void>) => Promise<UpdateReport>> {
    this.assertOpen();
    const memory = new WordMemory(this.#analyzer);
    const { place: current, row: before } = await this.#current();
    const early = await planChanges(current, changes);
    await memory.analyze(newChunks(early), signal);
    const isStill = (row: SpaceRow): boolean => {
      let revision = before.revision + 1;
      while (own.has(revision)) revision++;
      return before.id === row.id && revision === row.revision;
    };
    return async (also) => {
      // Rows of others must fit what the space has when they are written, so they wait for its lock.
      if (!also && !early.some(isChange)) return reportOf(early);
      const {
        report,
        changes: written,
        unmerged,
      } = await this.#withFacts((known) =>
        writeLocked(this.#database, this.#source, known, {
          memory,
          signal,
          also,
          check: (row) => this.#check(row),
          plansFor: (place, row) =>
            isStill(row) ? Promise.resolve(early) : planChanges(place, changes),
        }),
      );
      const { id: space, revision } = written.state;
      own.add(revision);
      // Facts that a search uses now are copied only when they are needed.
      const { facts } = this.#source;
      if (facts.current.users === 0) facts.advance(written, { space, since: revision - 1 });
      const { added, removed } = report;
      if (added + removed > 0) this.events.emit('index:committed', { added, removed });
      if (unmerged >= MERGE_AFTER) this.#merge();
      return report;
    };
  }

  /** Others may write meanwhile; what then fits together no longer is searched again. */
  protected async answer(
    query: string,
    options: SearchOptions,
    choose?: ChooseHits,
  ): Promise<SearchResults> {
    // Most searches find the facts as they were, so that asking for changes first would be a request for nothing.
    let from: FactsFrom = 'postings';
    for (let attempt = 0; attempt <= MAX_ATTEMPTS; attempt++) {
      try {
        return await this.#answerFrom(new SqlIndex(this.#source, from), query, options, choose);
      } catch (error) {
        if (!(error instanceof StaleRead)) throw error;
        from = error.seen ?? 'changes';
      }
    }
    // Other searches read newer facts than a transaction sees, so it has its own.
    const { place, facts: shared } = this.#source;
    const facts = shared.fork();
    const { current } = facts;
    current.users++;
    try {
      return await this.#database.transaction((executor) => {
        const source = { ...this.#source, place: { ...place, executor }, facts };
        return this.#answerFrom(new SqlIndex(source), query, options, choose);
      });
    } finally {
      current.users--;
    }
  }

  protected async release(): Promise<void> {
    this.#closing.abort(new RagError('closed', `${this.title} is closed`));
    await this.#merging;
  }

  async #answerFrom(
    index: SqlIndex,
    query: string,
    options: SearchOptions,
    choose: ChooseHits | undefined,
  ): Promise<SearchResults> {
    try {
      return await answerQuery(index, this.#language, query, options, choose);
    } finally {
      index.release();
    }
  }

  /** Calls `work` with the facts of the space as they are now, or a little older if others change them all the time. */
  async #withFacts<T>(work: (known: SqlIndex['facts']) => Promise<T>): Promise<T> {
    const index = new SqlIndex(this.#source);
    try {
      await index.prepare().catch((error: unknown) => {
        if (!(error instanceof StaleRead)) throw error;
      });
      return await work(index.facts);
    } finally {
      index.release();
    }
  }

  /** Merges in the background; one process at a time does. */
  #merge(): void {
    if (this.#merging || this.isClosed) return;
    const { signal } = this.#closing;
    this.#merging = mergeIfDue(this.#database, this.#source, signal)
      .catch((error: unknown) => {
        // The next one finds what this one left.
        if (!signal.aborted) this.events.emit('index:merge-failed', { error });
      })
      .finally(() => {
        this.#merging = undefined;
      });
  }

  /** The space as it is now: it may have been deleted and begun again. */
  async #current(): Promise<{ readonly place: SpacePlace; readonly row: SpaceRow }> {
    const { place } = this.#source;
    const row = this.#check(await readSpace(this.#database, place.tables, place.name));
    return { place: { ...place, space: row.id }, row };
  }

  /** @throws IndexingError if the words of the space are those of another analyzer, or it is gone. */
  #check<T extends { readonly analyzer: string }>(state: T | undefined): T {
    if (!state) {
      throw new IndexingError(`${this.title} was deleted: open it again to begin a new one`);
    }
    const { analyzer } = state;
    if (analyzer === this.#analyzer.id) return state;
    throw new IndexingError(
      `${this.title} is now kept by another program with the analyser '${analyzer}', ` +
        `not '${this.#analyzer.id}': open it again, or under another name`,
      { context: { analyzer } },
    );
  }
}

function checkName(name: string): void {
  if (NAME.test(name)) return;
  throw new RagError(
    'invalid-input',
    `an index cannot be named '${name}': use small letters, digits and '_', a letter first`,
    { context: { name } },
  );
}
