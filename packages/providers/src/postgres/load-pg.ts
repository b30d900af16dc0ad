import type Pg from 'pg';
import { importPeer } from '../peer.ts';

/** The module `pg`. */
export type PgModule = typeof Pg;

/**
 * Loads pg when it is first needed.
 *
 * @throws PeerError if it is not installed.
 */
export async function loadPg(): Promise<PgModule> {
  const module = await importPeer('pg', () => import('pg'));
  return module.default;
}
