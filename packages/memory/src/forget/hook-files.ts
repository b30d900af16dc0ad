import { existsSync } from 'node:fs';
import { readdir, readFile, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Eraser, replaceFile } from '@vizprompt/providers/internal';

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
  const states = await hookStates(file);
  const logs = hookLogs(file);
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

/** Returns the paths of all states of hooks. */
export async function hookStates(file: string | undefined): Promise<readonly string[]> {
  const states: string[] = [];
  for (const folder of foldersOf(file)) {
    const names = await namesIn(join(folder, STATES));
    const own = names.filter((name) => /\.(?:json|tmp)$/u.test(name));
    states.push(...own.map((name) => join(folder, STATES, name)));
  }
  return states;
}

/** Returns the paths of the logs of hooks that exist. */
export function hookLogs(file: string | undefined): readonly string[] {
  return foldersOf(file)
    .flatMap((folder) => LOGS.map((name) => join(folder, name)))
    .filter(existsSync);
}

/** Hooks have their files in the home folder, and may have them next to the database. */
function foldersOf(file: string | undefined): readonly string[] {
  const home = join(homedir(), '.ptta');
  return [...new Set([home, ...(file === undefined ? [] : [dirname(file)])])];
}

/** Removes the lines of a log that hold erased words. Returns whether there were any. */
export async function cleanLog(
  path: string,
  eraser: Eraser,
  dryRun: boolean = false,
): Promise<boolean> {
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
