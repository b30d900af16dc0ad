import { messageOf, type Logger } from '@vizprompt/providers';
import { silentLogger } from '@vizprompt/providers/internal';
import { AMOUNT, FUNCTION, type Kinds, optional, TEXT } from '@vizprompt/providers/config/internal';
import { OPTIONAL_LOGGER } from '../contract/backend-options.ts';
import { checkArgument, checkOptions } from '../check-options.ts';
import { RagError } from '../errors.ts';
import type { ProjectIndexer } from './project-indexer.ts';

/** Options of {@link IndexerManager}. */
export interface IndexerManagerOptions {
  /**
   * Makes the indexer of a project, and `watch`es or `refresh`es it if that is wanted. The signal ends
   * this when the manager is closed.
   */
  readonly open: (
    project: string,
    options: { readonly signal: AbortSignal },
  ) => Promise<ProjectIndexer>;
  /** After how much time without use an indexer is closed, in milliseconds. Default: 300,000. */
  readonly idleMs?: number | undefined;
  /** Receives an indexer that could not be closed. Default: none. */
  readonly logger?: Logger | undefined;
}

const KINDS: Kinds<IndexerManagerOptions> = {
  open: FUNCTION,
  idleMs: optional(AMOUNT),
  logger: OPTIONAL_LOGGER,
};

interface Managed {
  readonly indexer: Promise<ProjectIndexer>;
  users: number;
  idle?: NodeJS.Timeout;
}

/**
 * One indexer for each project, made when it is used first and closed when it was unused for a while.
 *
 * @example
 * ```ts
 * const manager = new IndexerManager({
 *   async open(project, { signal }) {
 *     const indexer = await ProjectIndexer.open({ project, folder: `novels/${project}` });
 *     await indexer.watch({ signal });
 *     return indexer;
 *   },
 * });
 * const { hits } = await manager.use('灯台', (indexer) => indexer.search('鍵はどこ？'));
 * ```
 */
export class IndexerManager {
  readonly #open: IndexerManagerOptions['open'];
  readonly #ending = new AbortController();
  readonly #idleMs: number;
  readonly #logger: Logger;
  readonly #managed = new Map<string, Managed>();
  /** The indexers that are being closed, by project: they are not opened again before. */
  readonly #closing = new Map<string, Promise<void>>();
  readonly #uses = new Set<Promise<unknown>>();
  #closed: Promise<void> | undefined;

  constructor(options: IndexerManagerOptions) {
    checkOptions('IndexerManager', options, KINDS);
    const { open, idleMs = 300_000, logger = silentLogger } = options;
    this.#open = open;
    this.#idleMs = idleMs;
    this.#logger = logger;
  }

  /** The projects whose indexers are open, or about to be. */
  get projects(): readonly string[] {
    return [...this.#managed.keys()];
  }

  /**
   * Does something with the indexer of a project, which stays open meanwhile. Those that come first at
   * the same time share it. If it could not be opened, the next use tries again.
   *
   * @throws the errors of `open` and `work`; RagError with the code `closed`.
   */
  async use<T>(project: string, work: (indexer: ProjectIndexer) => Promise<T>): Promise<T> {
    if (this.#closed) throw closedError();
    checkArgument('the project of use', project, TEXT);
    checkArgument('the work of use', work, FUNCTION);
    const use = this.#use(project, work);
    this.#uses.add(use);
    try {
      return await use;
    } finally {
      this.#uses.delete(use);
    }
  }

  /** Stops what is being opened, waits for what is in progress, and closes all indexers. */
  close(): Promise<void> {
    this.#closed ??= this.#closeAll();
    return this.#closed;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #use<T>(project: string, work: (indexer: ProjectIndexer) => Promise<T>): Promise<T> {
    const managed = this.#managed.get(project) ?? this.#manage(project);
    managed.users++;
    clearTimeout(managed.idle);
    try {
      return await work(await managed.indexer);
    } finally {
      managed.users--;
      if (managed.users === 0 && this.#managed.get(project) === managed) {
        managed.idle = setTimeout(() => this.#retire(project, managed), this.#idleMs).unref();
      }
    }
  }

  #manage(project: string): Managed {
    const before = this.#closing.get(project) ?? Promise.resolve();
    const { signal } = this.#ending;
    const open = async (): Promise<ProjectIndexer> => {
      await before;
      signal.throwIfAborted();
      return this.#open(project, { signal });
    };
    const managed = { indexer: open(), users: 0 };
    this.#managed.set(project, managed);
    managed.indexer.catch(() => {
      if (this.#managed.get(project) === managed) this.#managed.delete(project);
    });
    return managed;
  }

  #retire(project: string, { indexer }: Managed): void {
    this.#managed.delete(project);
    const closing = this.#close(project, indexer).finally(() => this.#closing.delete(project));
    this.#closing.set(project, closing);
  }

  async #close(project: string, indexer: Promise<ProjectIndexer>): Promise<void> {
    try {
      await (await indexer).close();
    } catch (error) {
      this.#logger.error(`the indexer of ${project} could not be closed: ${messageOf(error)}`);
    }
  }

  async #closeAll(): Promise<void> {
    this.#ending.abort(closedError());
    await Promise.allSettled(this.#uses);
    for (const { idle } of this.#managed.values()) clearTimeout(idle);
    const open = [...this.#managed].map(([project, { indexer }]) => this.#close(project, indexer));
    await Promise.all([...open, ...this.#closing.values()]);
    this.#managed.clear();
  }
}

function closedError(): RagError {
  return new RagError('closed', 'the manager of the indexers is closed');
}
