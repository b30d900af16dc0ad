import { TypedEvents, type Listener } from '@vizprompt/providers';
import {
  AMOUNT,
  FLAG,
  having,
  type Kind,
  type Kinds,
  NUMBER,
  oneOf,
  optional,
  TEXT,
} from '@vizprompt/providers/config';
import type { LongOptions, SearchResults } from '../contract/search-backend.ts';
import {
  ANALYZER,
  LISTENERS,
  LONG_KINDS,
  OPTIONAL_FUNCTION,
  OPTIONAL_LOGGER,
  OPTIONAL_TEXT,
} from '../contract/option-kinds.ts';
import { checkArgument, checkOptions } from '../check-options.ts';
import type { RagConfig } from '../config/rag-config.ts';
import { RagError } from '../errors.ts';
import type { NovelEvents } from '../events.ts';
import { FILE_AREAS, type FileArea } from '../files/file-area.ts';
import {
  FileOperationsService,
  type WriteFileOptions,
  type WrittenFile,
} from '../files/file-operations-service.ts';
import type { RefreshReport } from '../indexing/refresh-project.ts';
import type { Place } from './file-in-area.ts';
import { FileSystemNovelRepository } from './file-system-novel-repository.ts';
import type { NovelFileList, NovelProject, Page } from './novel-project.ts';
import type { NovelRepository } from './novel-repository.ts';
import type { NovelServiceOptions } from './novel-service-options.ts';
import { ProjectIndexes } from './project-indexes.ts';
import { listPlace, readTexts, type NovelTexts, type TextRequest } from './read-texts.ts';
import { checkNovelSearch, SearchService, type NovelSearchOptions } from './search-service.ts';

const KINDS: Kinds<NovelServiceOptions> = {
  config: having(
    'the settings that loadRagConfig() gives',
    'projectRoot',
    'chunk',
    'search',
    'vector',
  ),
  analyzer: optional(ANALYZER),
  openBackend: OPTIONAL_FUNCTION,
  embeddings: optional(having('an EmbeddingModel', 'embed', 'modelId', 'provider')),
  indexFolder: OPTIONAL_FUNCTION,
  watch: optional(FLAG),
  usePolling: optional(FLAG),
  idleMs: optional(AMOUNT),
  on: LISTENERS,
  logger: OPTIONAL_LOGGER,
};
const PAGE_KINDS: Kinds<Page> = { offset: optional(NUMBER), limit: optional(NUMBER) };
const TEXT_KINDS: Kinds<TextRequest> = {
  ...PAGE_KINDS,
  file: OPTIONAL_TEXT,
  startLine: optional(NUMBER),
  endLine: optional(NUMBER),
  startColumn: optional(NUMBER),
  maxCharacters: optional(AMOUNT),
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
  readonly #indexes: ProjectIndexes;
  readonly #search: SearchService;
  #isClosed = false;

  private constructor(
    repository: NovelRepository,
    indexes: ProjectIndexes,
    { config }: NovelServiceOptions,
    events: TypedEvents<NovelEvents>,
  ) {
    this.repository = repository;
    this.events = events;
    this.#indexes = indexes;
    this.searchLimits = config.search;
    this.#search = new SearchService({ indexers: indexes, ...config.search });
  }

  /**
   * Opens the folder of the projects, which must be there. No index is opened before it is searched.
   *
   * @throws RagError with the code `file-not-found` if there is no `projectRoot`, `path-invalid` if it is
   * no folder, or `invalid-input`.
   */
  static async open(options: NovelServiceOptions): Promise<NovelService> {
    checkOptions('NovelService.open', options, KINDS);
    const { config, logger, on = {} } = options;
    const events = new TypedEvents<NovelEvents>(logger ? { logger } : {});
    for (const [name, listener] of Object.entries(on)) {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of the type above
      if (listener) events.on(name as keyof NovelEvents, listener as Listener<unknown>);
    }
    const files = await FileOperationsService.open({ root: config.projectRoot });
    const folderOf = (id: string): Promise<string> => files.projectFolder(id);
    const indexes = new ProjectIndexes({ service: options, folderOf, events });
    return new NovelService(new FileSystemNovelRepository(files), indexes, options, events);
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

  /** A page of the files of an area, or the instructions, with previews. */
  async list(projectId: string, place: Place, page: Page = {}): Promise<NovelFileList> {
    this.#assertOpen();
    checkPlace(projectId, place, PLACE);
    checkOptions('list', page, PAGE_KINDS);
    return listPlace(this.repository, projectId, place, page);
  }

  /**
   * The text of a file, or lines of it; without a file, that of as many files as come to 60,000
   * characters.
   *
   * @throws RagError with the code `file-not-found`, `path-invalid`, `file-invalid` or, for lines that
   * are not there, `invalid-input`.
   */
  async read(projectId: string, place: Place, request: TextRequest = {}): Promise<NovelTexts> {
    this.#assertOpen();
    checkPlace(projectId, place, PLACE);
    checkOptions('read', request, TEXT_KINDS);
    return readTexts(this.repository, projectId, place, request);
  }

  /**
   * Searches in a project; the first search makes its index, and `project:progress` tells how far it
   * has come. What {@link add} has written is found.
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
    const { id } = await this.repository.getProject(projectId);
    return this.#search.search(id, query, options);
  }

  /**
   * Makes the index of a project what its files are, before anybody searches. `project:progress` tells how far
   * it has come, `file:failed` what cannot be indexed.
   *
   * @returns What was done since the call; all files are `unchanged` where the index follows them already (`watch`).
   */
  async index(projectId: string, options: LongOptions = {}): Promise<RefreshReport> {
    const id = await this.#known(projectId, 'index', options);
    return this.#indexes.refresh(id, options.signal);
  }

  /**
   * Makes the index of a project what its files are, and keeps it so: `file:indexed` and `file:removed` tell of
   * each change. Resolves when the signal is aborted, or the service closed.
   *
   * @throws The reason of the signal, if it is aborted before the index is as the files are.
   */
  async watch(projectId: string, options: LongOptions = {}): Promise<void> {
    const id = await this.#known(projectId, 'watch', options);
    await this.#indexes.watch(id, options.signal);
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
    checkOptions('add', options, { overwrite: optional(FLAG) });
    const { id } = await this.repository.getProject(projectId);
    const written = await this.repository.writeText(id, area, file, content, options);
    this.#indexes.expectChange(id);
    const { path, created } = written;
    this.events.emit('file:written', { novelId: id, path, created });
    return written;
  }

  /** Closes the indexes that are open. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await this.#indexes.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
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
