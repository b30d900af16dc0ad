import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sqliteDatabase, type ClosableDatabase } from '@vizprompt/providers/node';
import { quantizedVectors } from '@vizprompt/providers/quantized';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { HybridBackend, type HybridBackendOptions } from '../../../src/backends/hybrid-backend.ts';
import { KeywordFlexBackend } from '../../../src/backends/keyword-flex-backend.ts';
import type { SearchBackend } from '../../../src/contract/search-backend.ts';
import { SegmentBackend } from '../../../src/backends/segment-backend.ts';
import { paragraphs, scriptAnalyzer } from '../../../src/testing/index.ts';
import { wordEmbeddings } from '../../support/word-embeddings.ts';

const analyzer = scriptAnalyzer();
const chunking = paragraphs;
const places = ['灯台', '島', '港', '岬', '崖', '浜'];
const things = ['嵐', '猫', '船', '朝', '夜', '風', '雨', '星'];
const text = places
  .flatMap((place) => things.map((thing) => `${place}の${thing}を見た。`))
  .join('\n\n');
const document = { novelId: '灯台', filePath: 'a.md', text };

let folder: string;
let database: ClosableDatabase;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rag-page-'));
  database = sqliteDatabase({ path: join(folder, 'v.db'), durability: 'normal' });
});
afterEach(async () => {
  await database.close();
  rmSync(folder, { recursive: true, force: true });
});

const kinds: Readonly<Record<string, () => Promise<SearchBackend>>> = {
  segments: () => SegmentBackend.open({ folder: join(folder, 'index'), analyzer, chunking }),
  flexsearch: () => KeywordFlexBackend.open({ analyzer, chunking }),
};

async function open(
  name: string,
  keyword: SearchBackend,
  options: Partial<HybridBackendOptions> = {},
): Promise<HybridBackend> {
  const embeddings = wordEmbeddings();
  const store = quantizedVectors({ database, name, dimensions: embeddings.dimensions ?? 0 });
  const parts = { keyword, embeddings, store, database, chunking, name };
  const backend = await HybridBackend.open({ ...parts, ...options });
  await backend.updateFile(document);
  return backend;
}

it.each(Object.entries(kinds))(
  'a hybrid search over %s makes hits of its page alone, as if all were made',
  async (_kind, make) => {
    const keyword = await make();
    await using some = await open('some', keyword);
    // A reranker looks at all hits. This one keeps their order.
    const score = (
      _query: string,
      hits: readonly { score: number }[],
    ): Promise<readonly number[]> => Promise.resolve(hits.map((hit) => hit.score));
    await using all = await open('every', keyword, { rerank: { score, depth: 100 } });
    expect((await some.search('島の嵐', { k: 5 })).hits).toHaveLength(5);
    for (const query of ['島の嵐', '夜に灯台を見た猫']) {
      for (const [offset, k] of [
        [0, 3],
        [3, 4],
        [0, 50],
        [40, 20],
        [500, 5],
      ] as const) {
        const options = { k, offset, explain: true, expand: { before: 1, after: 1 } };
        const results = await some.search(query, options);
        expect(results).toEqual(await all.search(query, options));
      }
    }
  },
);
