// #region hybrid
import { openStorage } from '@vizprompt/providers/node';
import { quantizedVectors } from '@vizprompt/providers/quantized';
import { hashEmbeddings } from '@vizprompt/providers/testing';
import { HybridBackend, SegmentBackend } from '@vizprompt/rag';

await using storage = await openStorage('./data');
await using backend = await HybridBackend.open({
  keyword: await SegmentBackend.open({ folder: './hybrid-index' }),
  database: storage.cache, // chunks, the queue, what was embedded
  store: quantizedVectors({ database: storage.cache, dimensions: 384 }),
  // A stand-in. One that knows meanings: ollamaEmbeddings({ model: 'bge-m3' }) of /ollama
  embeddings: hashEmbeddings({ dimensions: 384 }),
});
backend.events.on('search:degraded', ({ error }) => console.warn('words only:', error));
const text = '灯台の朝。\n\n嵐の夜、澪は灯を守った。';
await backend.index([{ novelId: '灯台', filePath: 'contents/01.md', text }]);
const { hits, degraded } = await backend.search('嵐の夜に灯を守ったのは誰？');
console.log(hits[0]?.content, degraded ?? false);
// #endregion hybrid
