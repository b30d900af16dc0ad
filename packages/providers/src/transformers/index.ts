/**
 * Embeddings of transformer models in this process, by ONNX Runtime. Needs `npm install @huggingface/transformers`.
 *
 * @module @vizprompt/providers/transformers
 */
export type { EmbeddingPrefixes, Pooling } from './pool.ts';
export type { DownloadProgress } from './load-engine.ts';
export {
  transformersEmbeddings,
  type TransformersEmbeddingsOptions,
} from './transformers-embeddings.ts';
export type { EmbeddingModel } from '../index.ts';
