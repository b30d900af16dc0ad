import { loadSqlite } from '../../src/sqlite/load-sqlite.ts';
import type { SqliteDriver } from '../../src/sqlite/sqlite-driver.ts';

/** The driver of all databases of this run. A second library on a file that is open would drop its locks. */
export const ownSqlite: SqliteDriver = await loadSqlite();
