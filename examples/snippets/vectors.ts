import { openStorage } from '@vizprompt/providers/node';
import { hashEmbeddings } from '@vizprompt/providers/testing';
import { SegmentBackend } from '@vizprompt/rag';

await using storage = await openStorage('./data');
/** A real one knows meanings: `ollamaEmbeddings({ model: 'bge-m3' })`. */
const embeddings = hashEmbeddings({ dimensions: 384 });
const text = '灯台の朝。\n\n嵐の夜、澪は灯を守った。';

// #region store
import { quantizedVectors } from '@vizprompt/providers/quantized';

const { vectors } = await embeddings.embed({ values: ['嵐の夜', '灯台の朝'] });
const notes = quantizedVectors({ database: storage.cache, dimensions: 384, name: 'notes' });
await notes.upsert(
  vectors.map((vector, at) => ({ id: `note ${at}`, vector, payload: { kind: 'note', at } })),
);
const question = await embeddings.embed({ values: ['嵐の夜に'], kind: 'query' });
const [nearest] = await notes.query(question.vectors[0] ?? new Float32Array(), {
  k: 1,
  filter: { kind: { anyOf: ['note', 'memo'] } },
});
console.log(nearest?.id, nearest?.score, nearest?.payload);
// #endregion store

// #region hybrid
import { HybridBackend } from '@vizprompt/rag';

const backend = await HybridBackend.open({
  keyword: await SegmentBackend.open({ folder: './index' }),
  database: storage.cache, // chunks, the queue, what was embedded
  store: quantizedVectors({ database: storage.cache, dimensions: 384 }),
  embeddings,
});
backend.events.on('search:degraded', ({ error }) => console.warn('words only:', error));
await backend.updateFile({ novelId: '灯台', filePath: 'contents/01.md', text });
const { hits, degraded } = await backend.search('嵐の夜に灯を守ったのは誰？');
console.log(hits[0]?.content, degraded ?? false);
// #endregion hybrid

// #region retriever
import { citationOf, retriever } from '@vizprompt/rag';

const passages = await retriever(backend, { expand: { before: 1, after: 1 } }).retrieve('灯', {
  k: 3,
  filter: { projects: '灯台' },
});
for (const passage of passages) console.log(citationOf(passage), passage.text);
// #endregion retriever

// #region evaluate
import { evaluate, formatEvaluation } from '@vizprompt/rag';

const evaluation = await evaluate(backend, [
  { question: '灯を守ったのは誰？', relevant: ['contents/01.md'] },
]);
console.log(formatEvaluation({ hybrid: evaluation }));
// #endregion evaluate
await backend.close();
