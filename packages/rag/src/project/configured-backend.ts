import { createHash } from 'node:crypto';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { EmbeddingModel } from '@vizprompt/providers';
import type { SearchBackend } from '../contract/search-backend.ts';
import { HybridBackend } from '../backends/hybrid-backend.ts';
import { SegmentBackend } from '../backends/segment-backend.ts';
import type { Cutting, CuttingOptions } from '../contract/with-defaults.ts';
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

/**
 * Returns the index that the settings ask for: words in `indexFolder`, vectors on Qdrant, and what belongs to
 * both in a SQLite file next to the words. All projects share the collection.
 *
 * @param embeddings - Default: `embedding.model` by its name, `ollama:bge-m3`, of a model registry.
 * @throws LLMError with the code `unsupported` or `not_found` for an unknown model.
 */
export async function configuredBackend(
  { qdrant, embedding }: VectorConfig,
  embeddings: EmbeddingModel | undefined,
  indexFolder: string,
  cutting: Cutting<CuttingOptions>,
): Promise<SearchBackend> {
  // Nothing of this is loaded where words are enough.
  const { qdrantStore } = await import('@vizprompt/providers/qdrant');
  const { sqliteDatabase } = await import('@vizprompt/providers/node');
  const model = embeddings ?? (await modelOf(embedding.model));
  const database = sqliteDatabase({
    path: join(indexFolder, 'vectors.db'),
    durability: 'normal',
    whenCorrupt: 'replace',
  });
  const store = qdrantStore({
    dimensions: embedding.dimensions,
    model: `${model.provider}:${model.modelId}`,
    collection: qdrant?.collection ?? 'dialogoi',
    ...(qdrant?.url === undefined ? {} : { url: qdrant.url }),
    ...(qdrant?.apiKey === undefined ? {} : { apiKey: qdrant.apiKey }),
  });
  const onClosed = async (): Promise<void> => {
    await store.close();
    await database.close();
  };
  let keyword: SegmentBackend | undefined;
  try {
    keyword = await SegmentBackend.open({ folder: indexFolder, ...cutting });
    return await HybridBackend.open({
      ...cutting,
      keyword,
      database,
      store,
      embeddings: model,
      owner: ownerOf(indexFolder),
      onClosed,
    });
  } catch (error) {
    await keyword?.close();
    await onClosed();
    throw error;
  }
}

/** Returns the same for a process that makes this index again on this machine after its folder was deleted. */
function ownerOf(indexFolder: string): string {
  const place = JSON.stringify([hostname(), indexFolder]);
  return createHash('sha256').update(place).digest('base64url');
}

async function modelOf(name: string): Promise<EmbeddingModel> {
  const { createModelRegistry } = await import('@vizprompt/providers/registry');
  return createModelRegistry().embeddings(name);
}
