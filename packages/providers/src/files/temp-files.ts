import { isError } from '../errors.ts';
import { statSync, unlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/** FNV-1a. Loading `node:crypto` would take a tenth of the time of a hook. */
function shortHash(text: string): string {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, '0');
}

const HOST = shortHash(hostname());
const PATTERN = /^\.vp-([0-9a-f]{8})-(\d+)-[0-9a-f]+\.tmp$/;
const MAX_AGE_MS = 3_600_000;

/** Differs between threads of one process. A temporary file is opened only where there is no such file. */
const OWN = Math.random().toString(16).slice(2);
let count = 0;

/** Returns a new name for a temporary file, which says whose it is. */
export function tempName(): string {
  return `.vp-${HOST}-${process.pid}-${OWN}${(count++).toString(16)}.tmp`;
}

/** Checks whether a file name is one that {@link tempName} gave, in this process or another. */
export function isTempName(name: string): boolean {
  return PATTERN.test(name);
}

/**
 * Deletes a temporary file if its writer is dead: a process of this host that is gone, or any writer
 * that has not finished within an hour.
 */
export function sweepTemp(path: string, name: string): void {
  const [, host, pid] = PATTERN.exec(name) ?? [];
  try {
    const isAbandoned =
      (host === HOST && !isAlive(Number(pid))) || Date.now() - statSync(path).mtimeMs > MAX_AGE_MS;
    if (isAbandoned) unlinkSync(path);
  } catch {
    // Another process finished or swept it.
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return isError(error) && 'code' in error && error.code === 'EPERM';
  }
}
