import { join } from 'node:path';
import { LLMError } from '@vizprompt/providers';
import { sqliteDatabase } from '@vizprompt/providers/node';
import { quantizedVectors } from '@vizprompt/providers/quantized';
import { expect, it, onTestFinished } from 'vitest';
import {
  bigramAnalyzer,
  HybridBackend,
  KeywordFlexBackend,
  SearchCache,
  SegmentBackend,
  type Analyzer,
  type ProjectIndexer,
} from '../../../src/index.ts';
import { paragraphs, scriptAnalyzer, temporaryFolder } from '../../support/search-index.ts';
import { wordEmbeddings } from '../../support/word-embeddings.ts';
import { makeProject, openIndexer, put } from '../../support/indexed-project.ts';

it('what is found while an index is analysed again is not kept', async () => {
  const count = 100;
  const files = Object.fromEntries(
    Array.from({ length: count }, (_, at) => [`contents/${at}.md`, `嵐の夜 ${at}`]),
  );
  const folder = makeProject(files);
  const first = await openIndexer(folder);
  await first.refresh();
  expect((await first.search('嵐の夜')).total).toBe(count);
  await first.close();

  const cache = new SearchCache();
  const again = await openIndexer(folder, { analyzer: bigramAnalyzer(), cache });
  expect((await again.search('嵐の夜')).total).toBeLessThan(count);
  if (!(again.backend instanceof SegmentBackend)) throw new Error('it is another backend');
  await again.backend.ready;
  expect(await again.search('嵐の夜')).toMatchObject({ total: count, incomplete: true });
  // No file has changed, so no event would have reported it.
  await again.refresh();
  const whole = await again.search('嵐の夜');
  expect(whole.total).toBe(count);
  expect(await again.search('嵐の夜')).toBe(whole);
});

it('what is found before the files were looked at is incomplete, says so, and is not kept', async () => {
  const folder = makeProject({ 'contents/1.md': '嵐の夜' });
  const first = await openIndexer(folder);
  await first.refresh();
  await first.close();
  put(folder, 'contents/2.md', '嵐の朝');
  const indexer = await openIndexer(folder, { cache: new SearchCache() });
  expect(await indexer.search('嵐')).toMatchObject({ total: 1, incomplete: true });
  await indexer.refresh();
  const whole = await indexer.search('嵐');
  expect(whole.total).toBe(2);
  expect(whole).not.toHaveProperty('incomplete');
  expect(await indexer.search('嵐')).toBe(whole);
});

it('what is found while the model is away is not kept', async () => {
  const database = sqliteDatabase({ path: join(temporaryFolder(), 'v.db'), durability: 'normal' });
  const words = wordEmbeddings();
  let isAway = false;
  const folder = makeProject({ 'contents/1.md': '嵐の夜' });
  const indexer = await openIndexer(folder, {
    cache: new SearchCache(),
    openBackend: async () =>
      HybridBackend.open({
        keyword: await KeywordFlexBackend.open({
          analyzer: scriptAnalyzer(),
          chunking: paragraphs,
        }),
        chunking: paragraphs,
        database,
        store: quantizedVectors({ database, dimensions: 512 }),
        embeddings: {
          ...words,
          async embed(request) {
            if (isAway) throw new LLMError('network', 'the model is away');
            return words.embed(request);
          },
        },
        retryAfterMs: 0,
        onClosed: () => database.close(),
      }),
  });
  await indexer.refresh();
  isAway = true;
  expect((await indexer.search('嵐')).degraded).toBe(true);
  isAway = false;
  const whole = await indexer.search('嵐');
  expect(whole.degraded).toBeUndefined();
  expect(await indexer.search('嵐')).toBe(whole);
  // Vectors that come later may find more.
  isAway = true;
  put(folder, 'contents/2.md', '嵐の朝');
  await indexer.refresh();
  isAway = false;
  const before = await indexer.search('嵐の夜');
  if (!(indexer.backend instanceof HybridBackend)) throw new Error('it is another backend');
  await indexer.backend.catchUp();
  const after = await indexer.search('嵐の夜');
  expect(after).not.toBe(before);
  expect(await indexer.search('嵐の夜')).toBe(after);
});

it('a project with vectors is up to date when its words are analysed again', async () => {
  const count = 100;
  const files = Object.fromEntries(
    Array.from({ length: count }, (_, at) => [`contents/${at}.md`, `嵐の夜 ${at}`]),
  );
  const project = makeProject(files);
  const folder = temporaryFolder();
  const database = sqliteDatabase({ path: join(folder, 'v.db'), durability: 'normal' });
  onTestFinished(() => database.close());
  const open = (analyzer: Analyzer): Promise<ProjectIndexer> =>
    openIndexer(project, {
      cache: new SearchCache(),
      openBackend: async () =>
        HybridBackend.open({
          keyword: await SegmentBackend.open({ folder, analyzer, chunking: paragraphs }),
          chunking: paragraphs,
          database,
          store: quantizedVectors({ database, dimensions: 512 }),
          embeddings: wordEmbeddings(),
        }),
    });
  const first = await open(scriptAnalyzer());
  await first.refresh();
  await first.close();
  const again = await open(bigramAnalyzer());
  await again.search('"嵐の夜"');
  await again.refresh();
  expect((await again.search('"嵐の夜"')).total).toBe(count);
  await again.close();
});
