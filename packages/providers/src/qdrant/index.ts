/**
 * Vectors on a Qdrant server, with words next to them if wanted.
 *
 * @module @vizprompt/providers/qdrant
 */
export { qdrantStore, type QdrantStoreOptions } from './qdrant-store.ts';
export type { VectorStore } from '../index.ts';
