import { openStorage } from '@vizprompt/providers/node';
import { hashEmbeddings } from '@vizprompt/providers/testing';

await using storage = await openStorage('./data');
/** A real one knows meanings: `ollamaEmbeddings({ model: 'bge-m3' })`. */
const embeddings = hashEmbeddings({ dimensions: 384 });

// #region store
import { quantizedVectors } from '@vizprompt/providers/quantized';

const { vectors } = await embeddings.embed({ values: ['嵐の夜', '灯台の朝'] });
const notes = quantizedVectors({ database: storage.cache, dimensions: 384, name: 'notes' });
await notes.upsert(
  vectors.map((vector, at) => ({ id: `note ${at}`, vector, payload: { kind: 'note', at } })),
);
const question = await embeddings.embed({ values: ['嵐の夜に'], kind: 'query' });
const [nearest] = await notes.query(question.vectors[0] ?? new Float32Array(), {
  limit: 1,
  filter: { kind: { anyOf: ['note', 'memo'] } },
});
console.log(nearest?.id, nearest?.score, nearest?.payload);
// #endregion store
