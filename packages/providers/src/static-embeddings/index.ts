/**
 * Embeddings of static models (Model2Vec, `StaticEmbedding` of sentence-transformers) in this process, without native code.
 * Needs `npm install @huggingface/tokenizers`.
 *
 * @module @vizprompt/providers/static-embeddings
 */
export { staticEmbeddings, type StaticEmbeddingsOptions } from './static-embeddings.ts';
export type { EmbeddingModel } from '../index.ts';
