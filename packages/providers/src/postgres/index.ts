/**
 * Storage on a PostgreSQL server, by way of pg.
 *
 * @module @vizprompt/providers/postgres
 */
export { postgresStorage, type PostgresStorageOptions } from './postgres-storage.ts';
export type { Storage } from '../index.ts';
