import { rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { EmbeddingModel } from '@vizprompt/providers';
import { sqliteDatabase } from '@vizprompt/providers/node';
import { qdrantStore } from '@vizprompt/providers/qdrant';
import { quantizedVectors } from '@vizprompt/providers/quantized';
import { startFakeQdrant } from '@vizprompt/providers/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  HybridBackend,
  KeywordFlexBackend,
  loadRagConfig,
  NovelService,
  SegmentBackend,
  VectorBackend,
  type SearchBackend,
  type SourceDocument,
} from '../../../src/index.ts';
import { paragraphs, scriptAnalyzer } from '../../../src/testing/index.ts';
import { NOVEL, writeProjects } from '../../support/novel-service.ts';
import { temporaryFolder } from '../../support/search-index.ts';
import { wordEmbeddings } from '../../support/word-embeddings.ts';

const analyzer = scriptAnalyzer();
const chunking = paragraphs;

const documents: readonly SourceDocument[] = Array.from({ length: 100 }, (_, at) => ({
  novelId: '灯台',
  filePath: `contents/${at}.md`,
  text: `灯台${at}の朝\n\n嵐の猫が第${at}の鍵を見た`,
}));

/** Returns a model that counts its calls, and their texts. */
function countedModel(): { readonly model: EmbeddingModel; readonly calls: number[] } {
  const words = wordEmbeddings();
  const calls: number[] = [];
  const embed: EmbeddingModel['embed'] = (request) => {
    if (request.kind !== 'query') calls.push(request.values.length);
    return words.embed(request);
  };
  return { model: { ...words, embed }, calls };
}

async function openHybrid(
  folder: string,
  embeddings: EmbeddingModel,
  keyword?: SearchBackend,
): Promise<HybridBackend> {
  const database = sqliteDatabase({ path: join(folder, 'v.db'), durability: 'normal' });
  const words =
    keyword ?? (await SegmentBackend.open({ folder: join(folder, 'words'), analyzer, chunking }));
  const backend = await HybridBackend.open({
    keyword: words,
    chunking,
    database,
    store: quantizedVectors({ database, dimensions: 512 }),
    embeddings,
    onClosed: () => database.close(),
  });
  onTestFinished(() => backend.close());
  return backend;
}

describe('many documents on both sides', () => {
  it('are indexed some dozens at a time, and those that are as they were cost nothing', async () => {
    const folder = temporaryFolder();
    const { model, calls } = countedModel();
    const backend = await openHybrid(folder, model);
    const done: number[] = [];
    let commits = 0;
    backend.events.on('index:progress', (progress) => done.push(progress.done));
    backend.events.on('index:committed', () => commits++);
    expect(await backend.index(documents)).toEqual({ indexed: 100, unchanged: 0 });
    expect(done.at(-1)).toBe(100);
    expect(commits).toBeLessThanOrEqual(4);
    // Texts that many documents share would be embedded once; these differ.
    expect(calls.reduce((sum, count) => sum + count, 0)).toBe(200);
    expect(calls.length).toBeLessThanOrEqual(6);
    const [hit] = (await backend.search('第7の鍵', { k: 1 })).hits;
    expect(hit?.payload.file).toBe('contents/7.md');

    const edited = documents.map((one, at) => (at === 3 ? { ...one, text: '島の朝' } : one));
    expect(await backend.index(edited)).toEqual({ indexed: 1, unchanged: 99 });
    expect(calls.reduce((sum, count) => sum + count, 0)).toBe(201);
    expect((await backend.documents()).length).toBe(100);
    expect(await backend.updateFiles([], [{ novelId: '灯台', filePath: 'contents/3.md' }])).toEqual(
      {
        added: 0,
        removed: 1,
        kept: 0,
      },
    );
    expect((await backend.documents()).length).toBe(99);
  });

  it('stops when it is aborted, keeps what is done, and continues from there', async () => {
    const backend = await openHybrid(temporaryFolder(), wordEmbeddings());
    const controller = new AbortController();
    const reason = new Error('enough');
    backend.events.once('index:progress', () => controller.abort(reason));
    const { signal } = controller;
    await expect(backend.index(documents, { signal })).rejects.toBe(reason);
    const { length } = await backend.documents();
    expect(length).toBeGreaterThan(0);
    expect(length).toBeLessThan(100);
    expect(await backend.index(documents)).toEqual({ indexed: 100 - length, unchanged: length });
  });

  it('that one side has lost are indexed again', async () => {
    const folder = temporaryFolder();
    const first = await openHybrid(folder, wordEmbeddings());
    await first.index(documents);
    await first.close();
    rmSync(join(folder, 'words'), { recursive: true });
    const second = await openHybrid(folder, wordEmbeddings());
    expect(await second.documents()).toEqual([]);
    expect(await second.index(documents)).toEqual({ indexed: 100, unchanged: 0 });
    expect((await second.search('"第7の鍵"')).total).toBe(1);
    await second.close();
    const memory = await KeywordFlexBackend.open({ analyzer, chunking });
    const third = await openHybrid(folder, wordEmbeddings(), memory);
    expect(await third.documents()).toEqual([]);
    await third.index(documents);
    expect((await third.search('"第7の鍵"')).total).toBe(1);
  });

  it('are indexed by meaning alone too, and of two versions the later one stays', async () => {
    const database = sqliteDatabase({ path: ':memory:' });
    onTestFinished(() => database.close());
    const store = quantizedVectors({ database, dimensions: 512 });
    const parts = { database, store, embeddings: wordEmbeddings(), chunking };
    const backend = await VectorBackend.open(parts);
    onTestFinished(() => backend.close());
    const twice = [...documents.slice(0, 3), { ...documents[0], text: '島の朝' } as SourceDocument];
    expect(await backend.index(twice)).toEqual({ indexed: 4, unchanged: 0 });
    expect((await backend.documents()).length).toBe(3);
    expect((await backend.stats()).chunks).toBe(5);
  });
});

describe('vectors on a server, whose index folder is deleted', () => {
  it('are removed by the next index, and those of others stay and are not seen', async () => {
    await using server = await startFakeQdrant();
    const folder = temporaryFolder();
    await writeProjects(join(folder, 'novels'), { 灯台: NOVEL, 第2作: NOVEL });
    const qdrant = { url: server.url };
    const embedding = { model: 'test:words', dimensions: 512 };
    await writeFile(join(folder, 'c.json'), JSON.stringify({ vector: { qdrant, embedding } }));
    const config = await loadRagConfig({ cwd: folder, env: {}, file: 'c.json' });
    const open = (): Promise<NovelService> =>
      NovelService.open({ config, analyzer, embeddings: wordEmbeddings(), watch: false });
    const store = qdrantStore({ url: server.url, collection: 'dialogoi', dimensions: 512 });
    onTestFinished(() => store.close());

    const first = await open();
    await first.search('灯台', '箱');
    const one = await store.count();
    expect(one).toBeGreaterThan(3);
    await first.search('第2作', '箱');
    expect(await store.count()).toBe(2 * one);
    // Deleted while it is open, and found out by the search.
    rmSync(join(folder, 'novels/灯台/.vizprompt'), { recursive: true });
    expect((await first.search('灯台', '箱')).total).toBeGreaterThan(0);
    await first.close();

    rmSync(join(folder, 'novels/灯台/.vizprompt'), { recursive: true });
    await using second = await open();
    const found = await second.search('灯台', '祖父の箱', { explain: true });
    expect(found.degraded).toBeUndefined();
    expect(found.hits[0]?.explanation?.map(({ name }) => name)).toContain('vector');
    await expect.poll(() => store.count()).toBe(2 * one);
    const other = await second.search('第2作', '祖父の箱', { explain: true });
    expect(other.hits[0]?.explanation?.map(({ name }) => name)).toContain('vector');
  });

  it('are removed later if the server is away when the index is made again', async () => {
    await using server = await startFakeQdrant();
    const store = qdrantStore({ url: server.url, collection: 'c', dimensions: 512 });
    onTestFinished(() => store.close());
    const open = async (owner: string): Promise<VectorBackend> => {
      const database = sqliteDatabase({ path: ':memory:' });
      const parts = { database, store, embeddings: wordEmbeddings(), chunking, owner };
      const backend = await VectorBackend.open(parts);
      onTestFinished(async () => {
        await backend.close();
        await database.close();
      });
      return backend;
    };
    await (await open('a')).index(documents);
    const others = await open('b');
    await others.index(documents.slice(0, 20));
    expect(await store.count()).toBe(240);
    server.set('down');
    const again = await open('a');
    await again.index(documents.slice(0, 10));
    server.set('up');
    await again.catchUp();
    expect(await store.count()).toBe(60);
    // The nearest of its own are not crowded out by those of others.
    const { hits, total } = await again.search('灯台の朝', { k: 50 });
    expect([hits.length, total]).toEqual([20, 20]);
    expect((await others.search('灯台の朝', { k: 50 })).total).toBe(40);
  });
});
