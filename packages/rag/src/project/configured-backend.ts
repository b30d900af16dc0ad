import { createHash } from 'node:crypto';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { EmbeddingModel, Logger, Storage } from '@vizprompt/providers';
import type { SearchBackend } from '../contract/search-backend.ts';
import type { Fusion } from '../hybrid/fuse-hits.ts';
import { HybridBackend } from '../backends/hybrid-backend.ts';
import { SegmentBackend } from '../backends/segment-backend.ts';
import { SqlBackend } from '../backends/sql-backend.ts';
import type { LanguageOptions } from '../contract/language-options.ts';
import type { Cutting } from '../contract/with-defaults.ts';
import type { RagConfig, VectorConfig } from '../config/rag-config.ts';

/** Returns the part of the settings about vectors, if they are on. */
export function vectorsOf({ vector }: RagConfig): VectorConfig | undefined {
  return vector !== 'none' && vector.enabled && vector.provider !== 'none' ? vector : undefined;
}

/** Another model or place of vectors is another index, which is rebuilt; one without vectors as well. */
export function indexNameOf({ qdrant, embedding }: VectorConfig): string {
  const facts = [qdrant?.url, qdrant?.collection, embedding.model, embedding.dimensions];
  const hash = createHash('sha256').update(JSON.stringify(facts)).digest('hex');
  return `vectors-${hash.slice(0, 12)}`;
}

/** Which index of a project is opened. */
export interface IndexOfProject {
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
export function keywordBackend(
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
export async function configuredBackend(
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
