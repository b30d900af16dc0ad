/**
 * Vectors in SQLite, compared one by one by the extension sqlite-vec.
 *
 * @module @vizprompt/providers/sqlite-vec
 */
export { sqliteVecStore } from './sqlite-vec-store.ts';
export type { SqlStoreOptions } from '../vector/sql-store-tables.ts';
export type { VectorStore } from '../index.ts';
