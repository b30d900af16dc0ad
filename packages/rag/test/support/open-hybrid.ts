import { join } from 'node:path';
import type { EmbeddingModel } from '@vizprompt/providers';
import { sqliteDatabase } from '@vizprompt/providers/node';
import { quantizedVectors } from '@vizprompt/providers/quantized';
import { onTestFinished } from 'vitest';
import { HybridBackend, SegmentBackend } from '../../src/index.ts';
import type { Fusion } from '../../src/hybrid/fuse-hits.ts';
import { openCompact } from './compact-analyzer.ts';
import { QUERIES, type SmallQuery } from './relevance/queries.ts';
import { smallSetChunks, smallSetId } from './relevance/small-set.ts';
import { temporaryFolder } from './search-index.ts';

const chunks = smallSetChunks();
/** Questions of each kind of the small set. */
export const queries: readonly SmallQuery[] = Object.values(QUERIES).flatMap((all) =>
  all.slice(0, 3),
);
/** Questions in other words than the texts, and the chunk that each means. */
export const REWORDED = [
  ['断崖から大声を出すと動物が答える', 'gake'],
  ['宿泊客が持って来た故障した機械', 'yado'],
  ['死者を弔う夏の行事', 'matsuri'],
  ['話せない首領が部下に指示する手段', 'hanzo'],
  ['男装した姫の武器', 'tsubaki'],
  ['税金の減免の決まり', 'nengu'],
  ['ジョークが下手なロボット', 'gia'],
  ['検問の装置をだまして通過する', 'mon'],
  ['まずい食事を喜んで食べる', 'shokudo'],
  ['エンジンの故障した航空機', 'hikotei'],
] as const;

/** The small set by words, and by words and vectors. */
interface Opened {
  readonly words: SegmentBackend;
  readonly hybrid: HybridBackend;
}

/** Opens the small set with vectors of a model; closed when the test is over. */
export async function openHybrid(embeddings: EmbeddingModel, fusion: Fusion = {}): Promise<Opened> {
  const folder = temporaryFolder();
  const words = await SegmentBackend.open({
    folder: join(folder, 'index'),
    analyzer: await openCompact(),
  });
  const database = sqliteDatabase({ path: join(folder, 'v.db'), durability: 'normal' });
  const store = quantizedVectors({ database, dimensions: embeddings.dimensions ?? 0 });
  const hybrid = await HybridBackend.open({ keyword: words, database, store, embeddings, fusion });
  onTestFinished(async () => {
    await hybrid.close();
    await database.close();
  });
  await hybrid.add(chunks);
  return { words, hybrid };
}

/** Returns the chunk that a question or text means, for a model that knows all answers. */
export function meaningOf(text: string): string {
  const known = [...queries, ...REWORDED].find(([query]) => query === text)?.[1];
  const chunk = chunks.find(({ title, content }) => `${title}\n${content}` === text);
  return known ?? (chunk ? smallSetId({ payload: { file: chunk.filePath } }) : text);
}
