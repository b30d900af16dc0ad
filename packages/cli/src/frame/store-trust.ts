import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import type { TrustRequest } from '@vizprompt/providers/trust';
import { isTrackedByGit, pathUses } from '@vizprompt/providers/trust/internal';

/** The file of a memory in its folder. */
export const MEMORY_FILE = 'ptta.db';

/** Returns what a folder with a memory asks its user to consent to. */
export function memoryTrust(folder: string): TrustRequest & { readonly place: string } {
  const text = 'what is said here is stored in it, and its contents are sent to models';
  return { place: folder, uses: [{ kind: 'memory', text, source: MEMORY_FILE }] };
}

/** The reason why a memory must not be used, even with consent. */
export type MemoryProblem = 'link' | 'owner' | 'tracked';

/**
 * Returns why a memory must not be used: what is written to it would be written elsewhere, another user
 * made it, or git would publish it.
 */
export function memoryProblem(folder: string): MemoryProblem | undefined {
  const [own, file] = [lstatSync(folder), lstatSync(join(folder, MEMORY_FILE))];
  if (!own.isDirectory() || !file.isFile()) return 'link';
  const uid = process.getuid?.();
  if (uid !== undefined && file.uid !== uid) return 'owner';
  return isTrackedByGit(join(folder, MEMORY_FILE)) ? 'tracked' : undefined;
}

/** The log of talks in a folder. */
export const TALK_LOG: string = join('logs', 'conversation.db');

/**
 * Returns what a log of talks asks its user to consent to. One that came with a folder would store what
 * is said, and would send its author's words to models.
 *
 * @param folders - The folders that it may be in, links followed.
 */
export function logTrust(
  path: string,
  folders: readonly string[],
): TrustRequest & { readonly place: string } {
  const source = 'log of talks';
  const text = 'what is said in talks is stored in it, and its contents are sent to models';
  const elsewhere = pathUses({ path, folders, what: 'the log of the talk is written to', source });
  return { place: path, uses: [{ kind: 'memory', text, source }, ...elsewhere] };
}
