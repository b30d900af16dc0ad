import { join } from 'node:path';
import type { EmbeddingModel } from '@vizprompt/providers';
import { sqliteDatabase } from '@vizprompt/providers/node';
import { quantizedVectors } from '@vizprompt/providers/quantized';
import { HybridBackend, loadRagConfig, NovelService, SegmentBackend } from '@vizprompt/rag';

/** Opens a folder of projects, to be searched by words, and by meaning too where there is an embedding model. */
export async function openNovels(
  projectRoot: string,
  embeddings?: EmbeddingModel,
): Promise<NovelService> {
  const config = await loadRagConfig({ projectRoot });
  if (!embeddings) return NovelService.open({ config });

  const [sample] = (await embeddings.embed({ values: ['灯台'] })).vectors;
  const dimensions = sample?.length ?? 0;
  const name = `rag-${embeddings.modelId.replaceAll(/\W+/g, '-')}`;
  return NovelService.open({
    config,
    // An index for each model: vectors of two models cannot be compared.
    indexFolder: (project) => join(config.projectRoot, project, '.vizprompt', name),
    openBackend: async (folder, cutting) => {
      const database = sqliteDatabase({ path: join(folder, 'vectors.db') });
      return HybridBackend.open({
        ...cutting,
        keyword: await SegmentBackend.open({ folder, ...cutting }),
        database,
        store: quantizedVectors({ database, dimensions }),
        embeddings,
        onClosed: () => database.close(),
      });
    },
    on: { 'search:degraded': ({ error }) => console.error('words only:', error) },
  });
}
