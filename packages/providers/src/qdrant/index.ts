/**
 * Vectors on a Qdrant server, with words beside them if wanted.
 *
 * @module @vizprompt/providers/qdrant
 */
export { qdrantStore, type QdrantStoreOptions } from './qdrant-store.ts';
