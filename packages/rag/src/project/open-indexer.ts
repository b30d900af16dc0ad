import type { Logger, Storage, TypedEvents } from '@vizprompt/providers';
import type { Analyzer } from '../analyze/analyzer.ts';
import { AutoChunkingStrategy } from '../chunk/auto-chunking-strategy.ts';
import type { SearchBackend } from '../contract/search-backend.ts';
import { RagError } from '../errors.ts';
import type { Synonyms } from '../contract/synonyms.ts';
import { hasEvents, type NovelEvents } from '../events.ts';
import type { ProjectIndexerOptions } from '../indexing/project-indexer-options.ts';
import { ProjectIndexer } from '../indexing/project-indexer.ts';
import type { RefreshReport } from '../indexing/refresh-project.ts';
import { configuredBackend, indexNameOf, keywordBackend, vectorsOf } from './configured-backend.ts';
import type { NovelServiceOptions } from './novel-service-options.ts';

/** The parts that {@link openIndexer} works with. */
export interface OpenIndexerContext {
  readonly service: NovelServiceOptions;
  readonly analyzer: Analyzer;
  readonly thesaurus: Synonyms | undefined;
  readonly events: TypedEvents<NovelEvents>;
  /** Where indexes are that several machines share. */
  readonly storage: Storage | undefined;
  /** Ends the opening. */
  readonly signal: AbortSignal;
}

/** Opens the indexer of a project in a folder, and watches the project if the service does. */
export async function openIndexer(
  project: string,
  folder: string,
  { service, analyzer, thesaurus, events, storage, signal }: OpenIndexerContext,
): Promise<ProjectIndexer> {
  const chunking = new AutoChunkingStrategy(service.config.chunk);
  const { embeddings, indexFolder, usePolling, logger } = service;
  const { search, flex } = service.config;
  const { romaji } = search;
  const mayFork = flex.profile === 'memory' ? false : undefined;
  const vectors = vectorsOf(service.config);
  const openConfigured: NovelServiceOptions['openBackend'] =
    vectors || storage || thesaurus || romaji || mayFork === false
      ? (place, cutting) => {
          const index = { project, indexFolder: place, storage, mayFork, logger };
          return vectors
            ? configuredBackend(vectors, embeddings, index, cutting)
            : keywordBackend(index, cutting);
        }
      : undefined;
  const openBackend = service.openBackend ?? openConfigured;
  const options: ProjectIndexerOptions = {
    project,
    folder,
    analyzer,
    chunking,
    maxFileBytes: service.maxFileBytes,
    ...(storage && !service.openBackend ? { locks: storage.files } : {}),
    ...(indexFolder ? { indexFolder: indexFolder(project) } : {}),
    ...(vectors && !service.openBackend ? { indexName: indexNameOf(vectors) } : {}),
    ...(openBackend
      ? {
          openBackend: (place) =>
            openBackend(place, {
              analyzer,
              chunking,
              ...(thesaurus ? { thesaurus } : {}),
              ...(romaji === undefined ? {} : { romaji }),
            }),
        }
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
  forwardBackendEvents(project, indexer.backend, events);
  try {
    if (service.watch ?? true) await indexer.watch({ signal });
    return indexer;
  } catch (error) {
    if (!signal.aborted && (await answersAnyway(indexer, error))) {
      events.emit('index:failed', { novelId: project, error });
      return indexer;
    }
    await indexer.close();
    throw error;
  }
}

/**
 * Checks whether searches may continue with the index that is there though it could not be brought up to date: on a full or
 * read-only disk, an old answer that says so is better than none.
 */
export async function answersAnyway(indexer: ProjectIndexer, error: unknown): Promise<boolean> {
  const isLost =
    RagError.isInstance(error) &&
    ['project-not-found', 'index-corrupt', 'closed', 'invalid-input'].includes(error.code);
  return !isLost && (await indexer.hasDocuments().catch(() => false));
}

type IndexerListeners = NonNullable<ProjectIndexerOptions['on']>;

/** From the first file to the last; few files are one step, between its beginning and its end. */
function progressOf(novelId: string, events: TypedEvents<NovelEvents>): IndexerListeners {
  let total: number | undefined;
  const report = (done: number): void => {
    if (total !== undefined) events.emit('project:progress', { novelId, done, total });
  };
  return {
    'index:started': ({ files }) => {
      total = files;
      report(0);
    },
    'index:progress': ({ done }) => report(done),
    'index:finished': () => {
      report(total ?? 0);
      total = undefined;
    },
  };
}

/** Which files came into the index, and which went. */
function changesOf(novelId: string, events: TypedEvents<NovelEvents>): IndexerListeners {
  return {
    'file:indexed': ({ path }) => events.emit('file:indexed', { novelId, path }),
    'file:removed': ({ path }) => events.emit('file:removed', { novelId, path }),
  };
}

/** Lists the files of a project that cannot be searched. */
function failuresOf(
  novelId: string,
  events: TypedEvents<NovelEvents>,
  logger: Logger | undefined,
): IndexerListeners {
  return {
    'file:failed': ({ path, error }) => {
      logger?.warn(error.message, { project: novelId, path });
      events.emit('file:failed', { novelId, path, error });
    },
    'index:failed': ({ error }) => events.emit('index:failed', { novelId, error }),
  };
}

/** Forwards the events of a backend about its vectors, if it has any. */
function forwardBackendEvents(
  novelId: string,
  backend: SearchBackend,
  events: TypedEvents<NovelEvents>,
): void {
  if (!hasEvents(backend)) return;
  const names = [
    'search:degraded',
    'vectors:queued',
    'vectors:refused',
    'vectors:caught-up',
    'vectors:weak',
  ] as const;
  for (const name of names) {
    backend.events.on(name, (event) => events.emit(name, { novelId, ...event }));
  }
}

/**
 * Adds to the report of a refresh the other changes to the index of a project while it was waited for: a caller that
 * opens a project that is watched finds its index made already.
 */
export async function reportMeanwhile(
  events: TypedEvents<NovelEvents>,
  project: string,
  refresh: () => Promise<RefreshReport>,
): Promise<RefreshReport> {
  const changes = new Map<string, 'indexed' | 'removed'>();
  const ends = (['indexed', 'removed'] as const).map((change) =>
    events.on(`file:${change}`, ({ novelId, path }) => {
      if (novelId === project) changes.set(path, change);
    }),
  );
  try {
    const report = await refresh();
    const removed = [...changes.values()].filter((change) => change === 'removed').length;
    const indexed = changes.size - removed;
    return { ...report, indexed, removed, unchanged: report.indexed + report.unchanged - indexed };
  } finally {
    for (const end of ends) end();
  }
}
