import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LLMError, type EmbeddingModel } from '@vizprompt/providers';
import { sqliteDatabase, type ClosableDatabase } from '@vizprompt/providers/node';
import { qdrantStore } from '@vizprompt/providers/qdrant';
import { quantizedVectors } from '@vizprompt/providers/quantized';
import { startFakeQdrant } from '@vizprompt/providers/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HybridBackend, type HybridBackendOptions } from '../../../src/backends/hybrid-backend.ts';
import { KeywordFlexBackend } from '../../../src/backends/keyword-flex-backend.ts';
import { VectorBackend } from '../../../src/backends/vector-backend.ts';
import { paragraphs, scriptAnalyzer } from '../../../src/testing/index.ts';
import { wordEmbeddings } from '../../support/word-embeddings.ts';

const analyzer = scriptAnalyzer();
const chunking = paragraphs;
const document = { novelId: '灯台', filePath: 'a.md', text: '灯台の朝\n\n嵐の夜\n\n島の猫' };

let folder: string;
let database: ClosableDatabase;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rag-outage-'));
  database = sqliteDatabase({ path: join(folder, 'v.db'), durability: 'normal' });
});
afterEach(async () => {
  await database.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Returns a model that counts what it is given, and can be away. */
function watchedModel(): { model: EmbeddingModel; texts: string[]; set(isAway: boolean): void } {
  const words = wordEmbeddings();
  const texts: string[] = [];
  let isAway = false;
  const model: EmbeddingModel = {
    ...words,
    async embed(request) {
      if (isAway) throw new LLMError('network', 'the model is away');
      texts.push(...request.values);
      return words.embed(request);
    },
  };
  return { model, texts, set: (away) => void (isAway = away) };
}

async function openHybrid(
  options: Pick<HybridBackendOptions, 'store' | 'embeddings'> & Partial<HybridBackendOptions>,
): Promise<HybridBackend> {
  const keyword = await KeywordFlexBackend.open({ analyzer, chunking });
  return HybridBackend.open({ keyword, database, chunking, minScore: 1e-4, ...options });
}

describe('a hybrid backend', () => {
  it('answers by words while Qdrant is away, says so, and finds by meaning when it is back', async () => {
    await using server = await startFakeQdrant();
    const { model, texts } = watchedModel();
    const store = qdrantStore({ url: server.url, collection: 'c', dimensions: 512 });
    await using backend = await openHybrid({ store, embeddings: model, retryAfterMs: 0 });
    const events: string[] = [];
    for (const name of ['search:degraded', 'vectors:queued', 'vectors:caught-up'] as const) {
      backend.events.on(name, () => void events.push(name));
    }
    server.set('down');
    await backend.updateFile(document);
    expect(events).toEqual(['vectors:queued']);
    const poor = await backend.search('嵐');
    expect([poor.hits.map(({ content }) => content), poor.degraded]).toEqual([['嵐の夜'], true]);
    expect(events).toEqual(['vectors:queued', 'search:degraded']);
    await expect(backend.catchUp()).rejects.toMatchObject({ code: 'unavailable' });

    server.set('up');
    expect(await backend.catchUp()).toBe(3);
    expect(events.at(-1)).toBe('vectors:caught-up');
    const good = await backend.search('嵐', { explain: true });
    expect(good.degraded).toBeUndefined();
    const parts = good.hits[0]?.explanation ?? [];
    expect(parts.map(({ name }) => name)).toEqual(['keyword', 'vector']);
    expect(parts.every(({ value }) => value > 0)).toBe(true);
    // Texts that were embedded before the outage was noticed are not paid for again.
    expect(texts.filter((text) => text === '嵐の夜')).toHaveLength(1);
  });

  it('continues where it was after a new start: the queue is in the database', async () => {
    const { model, set } = watchedModel();
    const store = quantizedVectors({ database, dimensions: 512 });
    const first = await openHybrid({ store, embeddings: model });
    set(true);
    await first.updateFile(document);
    await first.close();
    set(false);
    await using second = await openHybrid({ store, embeddings: model });
    await second.updateFile(document);
    await expect.poll(() => store.count()).toBe(3);
    await expect.poll(async () => (await second.search('嵐')).degraded).toBeUndefined();
  });

  it('fails instead on request, and changes nothing', async () => {
    const { model, set } = watchedModel();
    const store = quantizedVectors({ database, dimensions: 512 });
    await using backend = await openHybrid({ store, embeddings: model, onUnavailable: 'throw' });
    await backend.updateFile(document);
    set(true);
    await expect(backend.search('嵐')).rejects.toMatchObject({ code: 'search-failed' });
    const changed = backend.updateFile({ ...document, text: '凪の海' });
    await expect(changed).rejects.toMatchObject({ code: 'indexing-failed' });
    set(false);
    expect((await backend.search('凪')).total).toBe(0);
    expect((await backend.search('灯台')).total).toBe(1);
  });

  it('does not wait for vectors that hang, and leaves them alone for a while', async () => {
    await using server = await startFakeQdrant();
    const { model } = watchedModel();
    const store = qdrantStore({ url: server.url, collection: 'c', dimensions: 512 });
    await using backend = await openHybrid({ store, embeddings: model, vectorTimeoutMs: 150 });
    await backend.updateFile(document);
    server.set('hanging');
    expect((await backend.search('嵐')).degraded).toBe(true);
    const calls = server.calls.length;
    expect((await backend.search('嵐')).degraded).toBe(true);
    expect(server.calls.length).toBe(calls);
  });

  it('lets Qdrant fuse meaning and words of the same analysis', async () => {
    await using server = await startFakeQdrant();
    const { model } = watchedModel();
    const store = qdrantStore({ url: server.url, collection: 'c', dimensions: 512, sparse: true });
    await using backend = await openHybrid({
      store,
      embeddings: model,
      analyzer,
      fusion: { inStore: true },
    });
    await backend.updateFile({ ...document, tags: ['本編'] });
    await backend.updateFile({ ...document, filePath: 'b.md', text: '嵐の海' });
    const { hits } = await backend.search('嵐の夜', { filter: { tags: ['本編'] } });
    expect(hits[0]?.content).toBe('嵐の夜');
    expect(hits[0]?.match.highlights.length).toBeGreaterThan(0);
    expect(hits.every(({ payload, score }) => payload.file === 'a.md' && score <= 1)).toBe(true);
    const asked = server.calls.findLast(({ path }) => path.endsWith('/points/query'));
    expect(asked?.body['query']).toEqual({ rrf: { k: 61, weights: [1, 1] } });
    server.set('down');
    expect((await backend.search('嵐の夜')).degraded).toBe(true);
    await expect(
      openHybrid({
        store: quantizedVectors({ database, dimensions: 512 }),
        embeddings: model,
        fusion: { inStore: true },
        name: 'other',
      }),
    ).rejects.toThrow('queryFused');
  });

  it('asks a reranker for the best, keeps likenesses apart, and survives a reranker that fails', async () => {
    const { model } = watchedModel();
    const store = quantizedVectors({ database, dimensions: 512 });
    let isBroken = false;
    await using backend = await openHybrid({
      store,
      embeddings: model,
      rerank: {
        async score(_query, hits) {
          if (isBroken) throw new Error('no model');
          return hits.map(({ content }) => (content.includes('島') ? 2 : 1));
        },
      },
      mmr: { lambda: 0.5 },
    });
    const text = '島の嵐\n\n嵐の夜に灯台を見た\n\n嵐の夜に灯台を見る\n\n猫の嵐と海';
    await backend.updateFile({ ...document, text });
    const { hits } = await backend.search('嵐');
    expect(hits[0]?.content).toBe('島の嵐');
    const places = hits.map(({ content }) => content.includes('夜に灯台'));
    expect(places.lastIndexOf(true)).toBe(3);
    expect(hits.map(({ score }) => score)).toEqual(
      hits.map(({ score }) => score).toSorted((a, b) => b - a),
    );
    isBroken = true;
    expect(await backend.search('嵐')).toMatchObject({ degraded: true, total: 4 });
  });

  it('pages through the best of both and then what else the words find, each once', async () => {
    const { model } = watchedModel();
    const store = quantizedVectors({ database, dimensions: 512 });
    await using backend = await openHybrid({ store, embeddings: model, fusion: { depth: 10 } });
    const text = Array.from({ length: 35 }, (_, at) => `嵐の灯台${at}`).join('\n\n');
    await backend.updateFile({ ...document, text });
    const ids: string[] = [];
    const scores: number[] = [];
    for await (const { id, score } of backend.searchAll('嵐', { k: 8 })) {
      ids.push(id);
      scores.push(score);
    }
    expect(new Set(ids).size).toBe(35);
    expect(ids.length).toBe(35);
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
  });
});

describe('an index of vectors', () => {
  it('embeds what is new and nothing else, with its title and the line of a writer', async () => {
    const { model, texts } = watchedModel();
    const store = quantizedVectors({ database, dimensions: 512 });
    const written: string[] = [];
    const open = (): Promise<VectorBackend> =>
      VectorBackend.open({
        database,
        store,
        embeddings: model,
        chunking,
        context: {
          id: 'lines-1',
          async write(chunk) {
            written.push(chunk.own);
            return `${chunk.filePath} より`;
          },
        },
      });
    const first = await open();
    await first.updateFile(document);
    expect(texts).toEqual(['a.md より\n灯台の朝', 'a.md より\n嵐の夜', 'a.md より\n島の猫']);
    await first.updateFile({ ...document, text: `前書き\n\n${document.text}` });
    expect(texts.slice(3)).toEqual(['a.md より\n前書き']);
    const [hit] = (await first.search('嵐')).hits;
    expect(hit?.payload).toMatchObject({ start: 5, end: 5 });
    expect(hit?.content).toBe('嵐の夜');
    await first.removeByFile(document);
    expect((await first.search('嵐')).total).toBe(0);
    await first.close();
    await using second = await open();
    await second.updateFile(document);
    expect(texts.filter((text) => text.includes('嵐の夜'))).toHaveLength(1);
    expect(written).toHaveLength(4);
    await expect.poll(() => store.count()).toBe(3);
  });

  it('refuses another model, other dimensions, and a model that gives others than it says', async () => {
    const { model } = watchedModel();
    const store = quantizedVectors({ database, dimensions: 512 });
    const base = { database, store, chunking };
    await (await VectorBackend.open({ ...base, embeddings: model })).close();
    await expect(
      VectorBackend.open({ ...base, embeddings: { ...model, modelId: 'other' } }),
    ).rejects.toMatchObject({ code: 'model-mismatch' });
    await expect(VectorBackend.open({ ...base, embeddings: wordEmbeddings(64) })).rejects.toThrow(
      '64 dimensions',
    );
    const { dimensions: _, ...silent } = wordEmbeddings(64);
    await using liar = await VectorBackend.open({ ...base, embeddings: silent });
    await expect(liar.updateFile(document)).rejects.toThrow('vectors of 64 dimensions');
    expect((await liar.stats()).chunks).toBe(0);
  });

  it('reports progress, and stops when it is aborted with nothing changed', async () => {
    const { model } = watchedModel();
    const store = quantizedVectors({ database, dimensions: 512 });
    await using backend = await VectorBackend.open({
      database,
      store,
      embeddings: model,
      chunking,
    });
    const seen: (number | undefined)[][] = [];
    const stop = new AbortController();
    backend.events.on('vectors:progress', ({ done, total }) => {
      seen.push([done, total]);
      if (seen.length === 2) stop.abort(new Error('enough'));
    });
    const text = Array.from({ length: 400 }, (_, at) => `嵐の灯台${at}`).join('\n\n');
    const writing = backend.updateFile({ ...document, text }, { signal: stop.signal });
    await expect(writing).rejects.toThrow('enough');
    expect(seen).toEqual([
      [128, 400],
      [256, 400],
    ]);
    expect((await backend.stats()).chunks).toBe(0);
    expect(await store.count()).toBe(0);
  });

  it('removes from the store what a crash left there', async () => {
    const { model } = watchedModel();
    const store = quantizedVectors({ database, dimensions: 512 });
    const first = await VectorBackend.open({ database, store, embeddings: model, chunking });
    await first.updateFile(document);
    await first.close();
    // As a process does it that is killed between the vectors and the chunks.
    const vector = new Float32Array(512).fill(1);
    await database.execute("INSERT INTO rag_vectors_gone VALUES ('left-over', 1)");
    await store.upsert([{ id: 'left-over', vector }]);
    await using second = await VectorBackend.open({ database, store, embeddings: model, chunking });
    expect((await second.search('嵐')).total).toBeLessThanOrEqual(4);
    await second.compact();
    expect(await store.count()).toBe(3);
  });
});
