/**
 * Vectors in PostgreSQL, by the extension pgvector.
 *
 * @module @vizprompt/providers/pgvector
 */
export { pgvectorStore, type PgvectorStoreOptions } from './pgvector-store.ts';
export type { VectorStore } from '../index.ts';
