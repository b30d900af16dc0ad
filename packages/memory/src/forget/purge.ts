import { existsSync } from 'node:fs';
import { readdir, readFile, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { StorageError } from '@vizprompt/providers';
import { type Eraser, replaceFile } from '@vizprompt/providers/internal';
import { sweepLeftBlobs } from '../store/blobs.ts';
import type { MemoryContext } from '../store/memory-context.ts';

/**
 * Leaves no byte of what was deleted, forgotten or replaced, also by a call that was interrupted: in the database, its
 * text index, its free pages, its write-ahead log and backups of migrations, and in vectors. The files that hooks keep:
 * see `cleanHookFiles`.
 *
 * @throws StorageError `busy` if another process reads all the time.
 */
export async function purge(context: MemoryContext): Promise<void> {
  const { database, vectors } = context;
  if (!database.purge) {
    throw new StorageError(
      'unsupported',
      "cannot purge the database of the memory: no method 'purge'. The data is deleted, but its bytes may remain",
    );
  }
  await sweepLeftBlobs(context);
  await database.purge();
  await vectors?.purge();
}

/** Folder of the hooks' read positions in transcripts, and their error logs. */
const STATES = 'hooks';
const LOGS = ['hooks.log', 'hooks.log.1'];

/**
 * Erases words from the files of hooks. A state that holds some of them is deleted: the transcript is read again, and
 * what was forgotten stays forgotten. A log loses its lines only.
 *
 * @param file - The database, if it is a file: hooks may have their files next to it.
 * @param makeEraser - Knows the words; asked only if there are such files.
 * @returns How many files held some of them.
 */
export async function cleanHookFiles(
  file: string | undefined,
  makeEraser: () => Eraser | Promise<Eraser>,
  { dryRun = false }: { readonly dryRun?: boolean } = {},
): Promise<number> {
  const states: string[] = [];
  const logs: string[] = [];
  const folders = new Set([
    join(homedir(), '.ptta'),
    ...(file === undefined ? [] : [dirname(file)]),
  ]);
  for (const folder of folders) {
    const names = (await namesIn(join(folder, STATES))).filter((name) =>
      /\.(?:json|tmp)$/u.test(name),
    );
    states.push(...names.map((name) => join(folder, STATES, name)));
    logs.push(...LOGS.map((name) => join(folder, name)).filter(existsSync));
  }
  if (states.length + logs.length === 0) return 0;
  const eraser = await makeEraser();
  let found = 0;
  for (const path of states) {
    if (!(await holdsAny(path, eraser))) continue;
    found++;
    if (!dryRun) await rm(path, { force: true });
  }
  for (const path of logs) if (await cleanLog(path, eraser, dryRun)) found++;
  return found;
}

async function cleanLog(path: string, eraser: Eraser, dryRun: boolean): Promise<boolean> {
  const text = await textAt(path);
  const kept = text.split('\n').filter((line) => eraser.clean(line) === line);
  const cleaned = kept.join('\n');
  if (cleaned === text) return false;
  if (dryRun) return true;
  await replaceFile(path, cleaned, { mode: 0o600 });
  return true;
}

async function holdsAny(path: string, eraser: Eraser): Promise<boolean> {
  const text = await textAt(path);
  return eraser.clean(text) !== text;
}

async function namesIn(folder: string): Promise<readonly string[]> {
  return readdir(folder).catch(() => []);
}

/** Returns the text of a file; the empty one where there is none. */
async function textAt(path: string): Promise<string> {
  return readFile(path, 'utf8').catch(() => '');
}
