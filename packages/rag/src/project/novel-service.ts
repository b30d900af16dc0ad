import { TypedEvents, type Storage } from '@vizprompt/providers';
import { untilAborted } from '@vizprompt/providers/internal';
import {
  AMOUNT,
  FLAG,
  having,
  type Kind,
  type Kinds,
  oneOf,
  optional,
  TEXT,
  EMBEDDING_MODEL,
  STORAGE,
} from '@vizprompt/providers/config/internal';
import type { LongOptions, SearchHit, SearchResults } from '../contract/search-backend.ts';
import { pagesOf } from '../contract/search-cursor.ts';
import {
  ANALYZER,
  LISTENERS,
  LONG_KINDS,
  OPTIONAL_FUNCTION,
  OPTIONAL_LOGGER,
  SYNONYMS,
} from '../contract/backend-options.ts';
import type { Synonyms } from '../contract/synonyms.ts';
import { openThesaurus } from '../thesaurus/open-thesaurus.ts';
import type { Analyzer } from '../analyze/analyzer.ts';
import { compactAnalyzer } from '../analyze/compact-analyzer.ts';
import { HybridBackend } from '../backends/hybrid-backend.ts';
import { assertOpened, checkArgument, checkOptions } from '../check-options.ts';
import type { RagConfig } from '../config/rag-config.ts';
import { RagError } from '../errors.ts';
import { addListeners, checkNovelListener, type NovelEvents } from '../events.ts';
import {
  EVALUATE_OPTIONS,
  type EvaluateOptions,
  type EvaluationQuestion,
} from '../retrieval/evaluate.ts';
import { proposeFusion, type FusionProposal } from '../retrieval/propose-fusion.ts';
import { FILE_AREAS, type FileArea } from '../files/file-area.ts';
import {
  FileOperationsService,
  WRITE_FILE_OPTIONS,
  type WriteFileOptions,
  type WrittenFile,
} from '../files/file-operations-service.ts';
import { IndexerManager } from '../indexing/indexer-manager.ts';
import type { ProjectIndexer } from '../indexing/project-indexer.ts';
import type { RefreshReport } from '../indexing/refresh-project.ts';
import type { Place } from './file-in-area.ts';
import { FileSystemNovelRepository } from './file-system-novel-repository.ts';
import {
  type NovelFileList,
  type NovelProject,
  PAGE,
  type Page,
  type NovelRepository,
} from './novel-repository.ts';
import type { NovelServiceOptions } from './novel-service-options.ts';
import { answersAnyway, openIndexer, reportMeanwhile } from './open-indexer.ts';
import {
  listPlace,
  readTexts,
  type NovelTexts,
  TEXT_REQUEST,
  type TextRequest,
} from './read-texts.ts';
import {
  checkNovelSearch,
  searchProject,
  type NovelSearchOptions,
  type SearchableProject,
} from './search-project.ts';

const KINDS: Kinds<NovelServiceOptions> = {
  config: having(
    'the settings that loadRagConfig() gives',
    'projectRoot',
    'chunk',
    'search',
    'vector',
  ),
  analyzer: optional(ANALYZER),
  thesaurus: optional(SYNONYMS),
  openBackend: OPTIONAL_FUNCTION,
  storage: optional(STORAGE),
  embeddings: optional(EMBEDDING_MODEL),
  indexFolder: OPTIONAL_FUNCTION,
  maxFileBytes: optional(AMOUNT),
  watch: optional(FLAG),
  usePolling: optional(FLAG),
  idleMs: optional(AMOUNT),
  on: LISTENERS,
  logger: OPTIONAL_LOGGER,
};
const AREA = oneOf(...FILE_AREAS);
const PLACE = oneOf(...FILE_AREAS, 'instructions');

function checkPlace(projectId: unknown, place: unknown, kind: Kind): void {
  checkArgument('the project id', projectId, TEXT);
  checkArgument('the area', place, kind);
}

/**
 * Projects, their files and what is found in them: the one object that apps and the MCP server use.
 *
 * All methods that take a project throw `ProjectNotFoundError` if there is none of this id.
 *
 * @example
 * ```ts
 * await using novels = await NovelService.open({ config: await loadRagConfig() });
 * await novels.add('灯台', 'settings', '人物.md', '# 灯\n灯台守の娘。');
 * const { hits } = await novels.search('灯台', '灯台守の娘は誰？', { area: 'settings' });
 * ```
 */
export class NovelService implements AsyncDisposable {
  readonly events: TypedEvents<NovelEvents>;
  /** The same projects and files, without search. */
  readonly repository: NovelRepository;
  /** How many hits searches give, and at most. */
  readonly searchLimits: RagConfig['search'];
  readonly #options: NovelServiceOptions;
  readonly #files: FileOperationsService;
  readonly #indexers: IndexerManager;
  /** Projects with files that were written by way of the service since their last refresh. */
  readonly #changed = new Set<string>();
  readonly #closing = new AbortController();
  #analyzer: Promise<Analyzer> | undefined;
  #storage: Promise<Storage> | undefined;
  #thesaurus: Synonyms | undefined;
  #isClosed = false;

  private constructor(options: NovelServiceOptions, files: FileOperationsService) {
    assertOpened(files, 'root', 'NovelService.open({ config })');
    const { config, logger, idleMs, on = {} } = options;
    this.#options = options;
    this.#files = files;
    this.repository = new FileSystemNovelRepository(files);
    this.searchLimits = config.search;
    this.events = new TypedEvents<NovelEvents>({ logger, check: checkNovelListener });
    addListeners(this.events, on);
    this.#indexers = new IndexerManager({
      open: (project, { signal }) => this.#open(project, signal),
      ...(idleMs === undefined ? {} : { idleMs }),
      ...(logger ? { logger } : {}),
    });
  }

  /**
   * Opens the folder of the projects, which must be there. No index is opened before it is searched.
   *
   * @throws RagError with the code `file-not-found` if there is no `projectRoot`, `path-invalid` if it is
   * no folder, or `invalid-input`.
   */
  static async open(options: NovelServiceOptions): Promise<NovelService> {
    checkOptions('NovelService.open', options, KINDS);
    const { config, maxFileBytes } = options;
    const files = await FileOperationsService.open({ root: config.projectRoot, maxFileBytes });
    return new NovelService(options, files);
  }

  /** All projects, in the order of their ids. */
  async listProjects(): Promise<readonly NovelProject[]> {
    this.#assertOpen();
    return this.repository.listProjects();
  }

  async getProject(projectId: string): Promise<NovelProject> {
    this.#assertOpen();
    checkArgument('the project id', projectId, TEXT);
    return this.repository.getProject(projectId);
  }

  /** Returns a page of the files of an area, or the instructions, with previews. */
  async list(projectId: string, place: Place, page: Page = {}): Promise<NovelFileList> {
    this.#assertOpen();
    checkPlace(projectId, place, PLACE);
    checkOptions('list', page, PAGE);
    return listPlace(this.repository, projectId, place, page);
  }

  /**
   * Returns the text of a file, or lines of it; without a file, that of as many files as come to 60,000
   * characters.
   *
   * @throws RagError with the code `file-not-found`, `path-invalid`, `file-invalid` or, for lines that
   * are not there, `invalid-input`.
   */
  async read(projectId: string, place: Place, request: TextRequest = {}): Promise<NovelTexts> {
    this.#assertOpen();
    checkPlace(projectId, place, PLACE);
    checkOptions('read', request, TEXT_REQUEST);
    return readTexts(this.repository, projectId, place, request);
  }

  /**
   * Searches in a project; the first search makes its index, and `project:progress` reports how far it
   * has come. Files that {@link add} has written are found.
   *
   * @throws SearchError for a query that cannot be understood.
   */
  async search(
    projectId: string,
    query: string,
    options: NovelSearchOptions = {},
  ): Promise<SearchResults> {
    this.#assertOpen();
    checkNovelSearch(projectId, query, options);
    return this.#search(this.searchLimits, projectId, query, options);
  }

  /**
   * Returns all hits of a search, best first, as long as they are asked for. They are made page by page, and a page is as
   * the project is when it is made.
   *
   * @param options - `limit` is the size of the first page; with more hits taken, the next are larger.
   */
  searchAll(
    projectId: string,
    query: string,
    options: NovelSearchOptions = {},
  ): AsyncIterable<SearchHit> {
    this.#assertOpen();
    checkNovelSearch(projectId, query, options);
    const { defaultK } = this.searchLimits;
    const limits = { defaultK, maxK: Number.POSITIVE_INFINITY };
    const { limit = defaultK, k = limit } = options;
    return pagesOf((page) => this.#search(limits, projectId, query, { ...options, ...page }), {
      limit: k,
      k,
      offset: options.offset,
      signal: options.signal,
    });
  }

  /**
   * Tries how much vectors should count next to words in a project, see `proposeFusion`.
   *
   * @returns Nothing where the project has no vectors.
   */
  async proposeFusion(
    projectId: string,
    questions: readonly EvaluationQuestion[],
    options: Omit<EvaluateOptions, 'filter'> = {},
  ): Promise<FusionProposal | undefined> {
    this.#assertOpen();
    checkArgument('the project id', projectId, TEXT);
    checkOptions<EvaluateOptions>('proposeFusion', options, EVALUATE_OPTIONS);
    const { id } = await this.repository.getProject(projectId);
    const signal = this.#endingWith(options.signal);
    const use = this.#indexers.use(id, async ({ backend }) => {
      if (!(backend instanceof HybridBackend)) return undefined;
      return proposeFusion(backend, questions, { ...options, filter: { projects: [id] }, signal });
    });
    return untilAborted(use, signal);
  }

  /**
   * Brings the index of a project up to date, before the first search. `project:progress` reports how far
   * it has come, `file:failed` what cannot be indexed.
   *
   * @returns The changes since the call; all files are `unchanged` where the index follows them already (`watch`).
   */
  async index(projectId: string, options: LongOptions = {}): Promise<RefreshReport> {
    const id = await this.#known(projectId, 'index', options);
    const signal = this.#endingWith(options.signal);
    return reportMeanwhile(this.events, id, () =>
      this.#indexers.use(id, async (indexer) => {
        const report = await indexer.refresh({ signal });
        this.#changed.delete(id);
        return report;
      }),
    );
  }

  /**
   * Brings the index of a project up to date, and keeps it so: `file:indexed` and `file:removed` report
   * each change. Resolves when the signal is aborted, or the service closed.
   *
   * @throws The reason of the signal, if it is aborted before the index is as the files are.
   */
  async watch(projectId: string, options: LongOptions = {}): Promise<void> {
    const id = await this.#known(projectId, 'watch', options);
    const signal = this.#endingWith(options.signal);
    await this.#indexers.use(id, async (indexer) => {
      await indexer.watch({ signal });
      if (signal.aborted) return;
      await new Promise<void>((resolve) => {
        signal.addEventListener('abort', () => resolve(), { once: true });
      });
    });
  }

  /**
   * Writes a file into an area.
   *
   * @throws RagError with the code `file-exists` without `overwrite`; `path-invalid`, `file-invalid`
   * (too large, or half a character), `file-failed`.
   */
  async add(
    projectId: string,
    area: FileArea,
    file: string,
    content: string,
    options: WriteFileOptions = {},
  ): Promise<WrittenFile> {
    this.#assertOpen();
    checkPlace(projectId, area, AREA);
    checkArgument('the file', file, TEXT);
    checkArgument('the content', content, TEXT);
    checkOptions('add', options, WRITE_FILE_OPTIONS);
    const { id } = await this.repository.getProject(projectId);
    const written = await this.repository.writeText(id, area, file, content, options);
    // The next search must find it, whether the watcher has seen it or not.
    this.#changed.add(id);
    const { path, created } = written;
    this.events.emit('file:written', { novelId: id, path, created });
    return written;
  }

  /** Closes the indexes that are open. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    // A first index may take minutes: the next opening continues with it.
    this.#closing.abort(new RagError('closed', 'the novel service is closed'));
    await this.#indexers.close();
    await (await this.#storage?.catch(() => undefined))?.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #search(
    limits: RagConfig['search'],
    projectId: string,
    query: string,
    options: NovelSearchOptions,
  ): Promise<SearchResults> {
    this.#assertOpen();
    const { id } = await this.repository.getProject(projectId);
    const use = <T>(
      project: string,
      task: (indexer: SearchableProject) => Promise<T>,
    ): Promise<T> => this.#useFresh(project, task, options.signal);
    return searchProject({ use }, limits, id, query, options);
  }

  /** Uses the index of a project in a state that has all changes; others may still need it when the signal ends. */
  #useFresh<T>(
    project: string,
    task: (indexer: SearchableProject) => Promise<T>,
    signal: AbortSignal | undefined,
  ): Promise<T> {
    const use = this.#indexers.use(project, async (indexer) => {
      signal?.throwIfAborted();
      await this.#catchUp(project, indexer);
      return task(indexer);
    });
    return untilAborted(use, signal);
  }

  async #catchUp(project: string, indexer: ProjectIndexer): Promise<void> {
    const isWatched = this.#options.watch ?? true;
    const isChanged = this.#changed.delete(project);
    const { signal } = this.#closing;
    try {
      if (isWatched) await indexer.watch({ signal });
      if (isChanged) await indexer.refresh({ signal });
      else await indexer.catchUp({ signal });
    } catch (error) {
      if (isChanged) this.#changed.add(project);
      if (signal.aborted || !(await answersAnyway(indexer, error))) throw error;
      this.events.emit('index:failed', { novelId: project, error });
    }
  }

  async #open(project: string, signal: AbortSignal): Promise<ProjectIndexer> {
    const analyzer = await this.#openAnalyzer(signal);
    signal.throwIfAborted();
    const folder = await this.#files.projectFolder(project);
    const storage = await this.#openStorage();
    const thesaurus = this.#openThesaurus(analyzer);
    const { events } = this;
    const context = { service: this.#options, analyzer, thesaurus, events, storage, signal };
    return openIndexer(project, folder, context);
  }

  /** One analyzer serves all projects: a dictionary takes 30 MB. */
  async #openAnalyzer(signal: AbortSignal): Promise<Analyzer> {
    if (this.#options.analyzer) return this.#options.analyzer;
    this.#analyzer ??= compactAnalyzer({
      signal,
      onProgress: (share) => {
        const done = Math.round(100 * share);
        this.events.emit('dictionary:progress', { done, total: 100 });
      },
    });
    try {
      return await this.#analyzer;
    } catch (error) {
      this.#analyzer = undefined;
      throw error;
    }
  }

  /** Opens the file that the settings name, once. */
  #openThesaurus(analyzer: Analyzer): Synonyms | undefined {
    const { thesaurus, config } = this.#options;
    if (thesaurus || config.thesaurus === undefined) return thesaurus;
    return (this.#thesaurus ??= openThesaurus({ path: config.thesaurus, analyzer }));
  }

  /** Opens what the settings name, for all projects and once. */
  async #openStorage(): Promise<Storage | undefined> {
    const { storage, config } = this.#options;
    if (storage || config.backend !== 'postgres') return storage;
    const { database: connectionString } = config;
    if (connectionString === undefined) {
      throw new RagError('config-invalid', "'database' is missing: 'backend' is 'postgres'");
    }
    this.#storage ??= import('@vizprompt/providers/postgres').then(({ postgresStorage }) =>
      postgresStorage({ connectionString, namespace: 'dialogoi' }),
    );
    try {
      return await this.#storage;
    } catch (error) {
      this.#storage = undefined;
      throw error;
    }
  }

  #endingWith(signal: AbortSignal | undefined): AbortSignal {
    const { signal: closing } = this.#closing;
    return signal ? AbortSignal.any([signal, closing]) : closing;
  }

  async #known(projectId: string, call: string, options: LongOptions): Promise<string> {
    this.#assertOpen();
    checkArgument('the project id', projectId, TEXT);
    checkOptions(call, options, LONG_KINDS);
    return (await this.repository.getProject(projectId)).id;
  }

  #assertOpen(): void {
    if (this.#isClosed) throw new RagError('closed', 'the novel service is closed');
  }
}
