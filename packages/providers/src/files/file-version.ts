import { type BigIntStats, statSync } from 'node:fs';
import { isMissing } from '../storage/file-error.ts';

/**
 * Returns the version of a file from its `stat`: time of change, inode and size. Every write of the store
 * makes a new inode and sets a time of its own, so the version changes with each of them; editors
 * change at least the time.
 */
export function versionOf(stats: BigIntStats): string {
  return [stats.mtimeNs, stats.ino, stats.size].map((value) => value.toString(36)).join('-');
}

let latest = 0;

/**
 * Returns the time of change to give to a file that is written now: seconds since 1970 with microseconds,
 * later than any this process gave before. The kernel's own stamps do not change for up to 4 ms.
 */
export function nextChangeTime(): number {
  const now = Math.floor((performance.timeOrigin + performance.now()) * 1000);
  latest = Math.max(now, latest + 1);
  return latest / 1_000_000;
}

/** Returns the state of a path, links followed; `undefined` if there is nothing, or a file above it. */
export function statOf(path: string): BigIntStats | undefined {
  try {
    return statSync(path, { bigint: true, throwIfNoEntry: false });
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}
