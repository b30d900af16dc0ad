import { untilAborted, type TypedEvents } from '@vizprompt/providers';
import type { LongOptions } from '../contract/search-backend.ts';
import type { Analyzer } from '../analyze/analyzer.ts';
import { compactAnalyzer } from '../analyze/compact-analyzer.ts';
import { AutoChunkingStrategy } from '../chunk/auto-chunking-strategy.ts';
import { RagError } from '../errors.ts';
import type { NovelEvents } from '../events.ts';
import { MAX_FILE_BYTES } from '../files/file-area.ts';
import { IndexerManager } from '../indexing/indexer-manager.ts';
import { ProjectIndexer } from '../indexing/project-indexer.ts';
import type { RefreshReport } from '../indexing/refresh-project.ts';
import type { ProjectIndexerOptions } from '../indexing/project-indexer-options.ts';
import { changesOf, failuresOf, progressOf, tellOfBackend } from './project-events.ts';
import { configuredBackend, indexNameOf, vectorsOf } from './configured-backend.ts';
import type { NovelServiceOptions } from './novel-service-options.ts';
import { reportMeanwhile } from './report-meanwhile.ts';
import type { ProjectIndexers, SearchableProject } from './search-service.ts';

/** What {@link ProjectIndexes} are made of. */
interface ProjectIndexesOptions {
  readonly service: NovelServiceOptions;
  /** Where a project lies. */
  readonly folderOf: (projectId: string) => Promise<string>;
  readonly events: TypedEvents<NovelEvents>;
}

/** The indexes of all projects, each opened when it is first searched. */
export class ProjectIndexes implements ProjectIndexers {
  readonly #options: ProjectIndexesOptions;
  readonly #manager: IndexerManager;
  /** Projects whose files were changed by way of the service, and not looked at since. */
  readonly #changed = new Set<string>();
  #analyzer: Promise<Analyzer> | undefined;
  readonly #closing = new AbortController();

  constructor(options: ProjectIndexesOptions) {
    this.#options = options;
    const { idleMs, logger } = options.service;
    this.#manager = new IndexerManager({
      open: (project, { signal }) => this.#open(project, signal),
      ...(idleMs === undefined ? {} : { idleMs }),
      ...(logger ? { logger } : {}),
    });
  }

  /** A file of the project was written: the next search must know of it, whatever the watcher says. */
  expectChange(projectId: string): void {
    this.#changed.add(projectId);
  }

  use<T>(
    projectId: string,
    task: (indexer: SearchableProject) => Promise<T>,
    { signal }: LongOptions = {},
  ): Promise<T> {
    const use = this.#manager.use(projectId, async (indexer) => {
      signal?.throwIfAborted();
      await this.#catchUp(projectId, indexer);
      return task(indexer);
    });
    // Others may need it too, and it goes on for them.
    return untilAborted(use, signal);
  }

  /** Makes the index of a project what the project is. */
  refresh(projectId: string, signal: AbortSignal | undefined): Promise<RefreshReport> {
    const ends = this.#endingWith(signal);
    return reportMeanwhile(this.#options.events, projectId, () =>
      this.#manager.use(projectId, async (indexer) => {
        const report = await indexer.refresh({ signal: ends });
        this.#changed.delete(projectId);
        return report;
      }),
    );
  }

  /** Keeps the index of a project open, and as the project is, until the signal says so. */
  watch(projectId: string, signal: AbortSignal | undefined): Promise<void> {
    const ends = this.#endingWith(signal);
    return this.#manager.use(projectId, async (indexer) => {
      await indexer.watch({ signal: ends });
      if (ends.aborted) return;
      await new Promise<void>((resolve) => {
        ends.addEventListener('abort', () => resolve(), { once: true });
      });
    });
  }

  /** Nobody waits for a first index that takes minutes: the next opening goes on with it. */
  close(): Promise<void> {
    this.#closing.abort(new RagError('closed', 'the novel service is closed'));
    return this.#manager.close();
  }

  #endingWith(signal: AbortSignal | undefined): AbortSignal {
    const { signal: closing } = this.#closing;
    return signal ? AbortSignal.any([signal, closing]) : closing;
  }

  async #catchUp(projectId: string, indexer: ProjectIndexer): Promise<void> {
    const isWatched = this.#options.service.watch ?? true;
    const isChanged = this.#changed.delete(projectId);
    if (isWatched && !isChanged) return;
    try {
      await indexer.refresh({ signal: this.#closing.signal });
    } catch (error) {
      if (isChanged) this.#changed.add(projectId);
      throw error;
    }
  }

  async #open(project: string, signal: AbortSignal): Promise<ProjectIndexer> {
    const { service, folderOf, events } = this.#options;
    const analyzer = await this.#openAnalyzer(signal);
    signal.throwIfAborted();
    const chunking = new AutoChunkingStrategy(service.config.chunk);
    const { embeddings, indexFolder, usePolling, logger } = service;
    const vectors = vectorsOf(service.config);
    const openConfigured: NovelServiceOptions['openBackend'] = vectors
      ? (folder, cutting) => configuredBackend(vectors, embeddings, folder, cutting)
      : undefined;
    const openBackend = service.openBackend ?? openConfigured;
    const options: ProjectIndexerOptions = {
      project,
      folder: await folderOf(project),
      analyzer,
      chunking,
      maxFileBytes: MAX_FILE_BYTES,
      ...(indexFolder ? { indexFolder: indexFolder(project) } : {}),
      ...(vectors && !service.openBackend ? { indexName: indexNameOf(vectors) } : {}),
      ...(openBackend
        ? { openBackend: (folder) => openBackend(folder, { analyzer, chunking }) }
        : {}),
      ...(usePolling === undefined ? {} : { usePolling }),
      ...(logger ? { logger } : {}),
      on: {
        ...progressOf(project, events),
        ...changesOf(project, events),
        ...failuresOf(project, events, logger),
      },
    };
    const indexer = await ProjectIndexer.open(options);
    tellOfBackend(project, indexer.backend, events);
    try {
      if (service.watch ?? true) await indexer.watch({ signal });
      return indexer;
    } catch (error) {
      await indexer.close();
      throw error;
    }
  }

  /** One for all projects: a dictionary takes 30 MB. */
  async #openAnalyzer(signal: AbortSignal): Promise<Analyzer> {
    const { analyzer } = this.#options.service;
    if (analyzer) return analyzer;
    this.#analyzer ??= compactAnalyzer({ signal });
    try {
      return await this.#analyzer;
    } catch (error) {
      this.#analyzer = undefined;
      throw error;
    }
  }
}
