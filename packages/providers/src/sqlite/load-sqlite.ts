import type BetterSqlite3 from 'better-sqlite3';
import { importPeer } from '../peer.ts';

/** The class of better-sqlite3. */
export type SqliteClass = typeof BetterSqlite3;

/**
 * Loads better-sqlite3 when it is first needed.
 *
 * @throws PeerError if it is not installed.
 */
export async function loadSqlite(): Promise<SqliteClass> {
  const module = await importPeer('better-sqlite3', () => import('better-sqlite3'));
  return module.default;
}
