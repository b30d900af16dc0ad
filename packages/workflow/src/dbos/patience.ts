import { setTimeout as sleep } from 'node:timers/promises';
import { isUnreachable } from './dispatch.ts';

/** How long to wait before a database that cannot be reached is tried again, in milliseconds. */
const AGAIN_MS = 200;

/**
 * Does something with the database, however long that cannot be reached: a restart of PostgreSQL must not end runs.
 *
 * @param isOver - Nobody waits for it any more.
 */
export async function patiently<T>(work: () => Promise<T>, isOver: () => boolean): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isUnreachable(error) || isOver()) throw error;
      await sleep(AGAIN_MS);
    }
  }
}
