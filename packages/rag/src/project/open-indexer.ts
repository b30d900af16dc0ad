import { createHash } from 'node:crypto';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { EmbeddingModel, Logger, Storage, TypedEvents } from '@vizprompt/providers';
import type { Analyzer } from '../analyze/analyzer.ts';
import { HybridBackend } from '../backends/hybrid-backend.ts';
import { SegmentBackend } from '../backends/segment-backend.ts';
import { SqlBackend } from '../backends/sql-backend.ts';
import { AutoChunkingStrategy } from '../chunk/auto-chunking-strategy.ts';
import type { RagConfig, VectorConfig } from '../config/rag-config.ts';
import type { LanguageOptions } from '../contract/language-options.ts';
import type { SearchBackend } from '../contract/search-backend.ts';
import type { Synonyms } from '../contract/synonyms.ts';
import type { Cutting } from '../contract/backend-options.ts';
import { RagError } from '../errors.ts';
import { hasEvents, type NovelEvents } from '../events.ts';
import type { Fusion } from '../hybrid/fuse-hits.ts';
import type { ProjectIndexerOptions } from '../indexing/project-indexer-options.ts';
import { ProjectIndexer } from '../indexing/project-indexer.ts';
import type { RefreshReport } from '../indexing/refresh-project.ts';
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

/** Returns the part of the settings about vectors, if they are on. */
function vectorsOf({ vector }: RagConfig): VectorConfig | undefined {
  return vector !== 'none' && vector.enabled && vector.provider !== 'none' ? vector : undefined;
}

/** Another model or place of vectors is another index, which is rebuilt; one without vectors as well. */
function indexNameOf({ qdrant, embedding }: VectorConfig): string {
  const facts = [qdrant?.url, qdrant?.collection, embedding.model, embedding.dimensions];
  const hash = createHash('sha256').update(JSON.stringify(facts)).digest('hex');
  return `vectors-${hash.slice(0, 12)}`;
}

/** Which index of a project is opened. */
interface IndexOfProject {
  readonly project: string;
  /** A folder of its own. */
  readonly indexFolder: string;
  /** Shared by several machines. Absent: all is in the folder. */
  readonly storage: Storage | undefined;
  /** False if many documents are indexed in this process. */
  readonly mayFork: boolean | undefined;
  /** Receives the reason why an index is rebuilt. */
  readonly logger: Logger | undefined;
}

/** Opens the index of words of a project. */
function keywordBackend(
  { project, indexFolder, storage, mayFork, logger }: IndexOfProject,
  cutting: Cutting<LanguageOptions>,
): Promise<SegmentBackend | SqlBackend> {
  return storage
    ? SqlBackend.open({ database: storage.cache, space: project, ...cutting })
    : SegmentBackend.open({ folder: indexFolder, mayFork, logger, ...cutting });
}

/**
 * The index that the settings ask for: words as {@link keywordBackend} has them, vectors on Qdrant, and what belongs to
 * both in a SQLite file next to the words, or in the database that they share. All projects share the collection.
 *
 * @param embeddings - Default: `embedding.model` by its name, `ollama:bge-m3`, of a model registry.
 * @throws LLMError with the code `unsupported` or `not_found` for an unknown model.
 */
async function configuredBackend(
  { qdrant, embedding, fusion = {} }: VectorConfig,
  embeddings: EmbeddingModel | undefined,
  place: IndexOfProject,
  cutting: Cutting<LanguageOptions>,
): Promise<SearchBackend> {
  // Nothing of this is loaded where words are enough.
  const { qdrantStore } = await import('@vizprompt/providers/qdrant');
  const { sqliteDatabase } = await import('@vizprompt/providers/node');
  const model = embeddings ?? (await modelOf(embedding.model));
  const { project, indexFolder, storage } = place;
  const own = sqliteDatabase({
    path: join(indexFolder, 'vectors.db'),
    durability: 'normal',
    whenCorrupt: 'replace',
  });
  const catalog = storage
    ? { database: storage.cache, ...namesOf(project) }
    : { database: own, owner: ownerOf(indexFolder) };
  const store = qdrantStore({
    dimensions: embedding.dimensions,
    model: `${model.provider}:${model.modelId}`,
    collection: qdrant?.collection ?? 'dialogoi',
    ...(qdrant?.url === undefined ? {} : { url: qdrant.url }),
    ...(qdrant?.apiKey === undefined ? {} : { apiKey: qdrant.apiKey }),
  });
  const onClosed = async (): Promise<void> => {
    await store.close();
    // Nothing was made of it where it was not used.
    await own.close();
  };
  let keyword: SegmentBackend | SqlBackend | undefined;
  try {
    keyword = await keywordBackend(place, cutting);
    const { analyzer, chunking } = cutting;
    return await HybridBackend.open({
      analyzer,
      chunking,
      keyword,
      fusion: fusionOf(fusion),
      ...catalog,
      store,
      embeddings: model,
      onClosed,
    });
  } catch (error) {
    await keyword?.close();
    await onClosed();
    throw error;
  }
}

function fusionOf({ gate, weight }: NonNullable<VectorConfig['fusion']>): Fusion {
  return { gate, ...(weight === undefined ? {} : { weights: { keyword: 1, vector: weight } }) };
}

/** Returns the same for a process that makes this index again on this machine after its folder was deleted. */
function ownerOf(indexFolder: string): string {
  const place = JSON.stringify([hostname(), indexFolder]);
  return createHash('sha256').update(place).digest('base64url');
}

/** The same on all machines: the tables of the vectors of a project, and whose they are. */
function namesOf(project: string): { readonly name: string; readonly owner: string } {
  const hash = createHash('sha256').update(project).digest('hex');
  return { name: `vectors_${hash.slice(0, 12)}`, owner: `shared ${hash}` };
}

async function modelOf(name: string): Promise<EmbeddingModel> {
  const { createModelRegistry } = await import('@vizprompt/providers/registry');
  return createModelRegistry().embeddings(name);
}
