// #region embeddings
import type { EmbeddingModel } from '@vizprompt/providers';

/** Texts are near each other here by the characters that they share. */
const embeddings: EmbeddingModel = {
  specVersion: 1,
  provider: 'mine', // with `modelId` the name of the vectors: another one is another index
  modelId: 'characters',
  maxBatch: 64, // how many texts your service takes at once
  dimensions: 512, // that of the vector store
  // `kind` is 'query' for questions, for models that distinguish them from documents.
  async embed({ values, kind: _kind, signal }) {
    signal?.throwIfAborted();
    const vectors = values.map((value) => {
      const vector = new Float32Array(512);
      for (const character of value) {
        const place = (character.codePointAt(0) ?? 0) % 512;
        vector[place] = (vector[place] ?? 0) + 1;
      }
      return vector; // one for each text, in order
    });
    return { vectors, usage: {} };
  },
};
const { vectors } = await embeddings.embed({ values: ['嵐の夜', '灯台の朝'] });
console.log(vectors.length, vectors[0]?.length); // 2 512
// #endregion embeddings
