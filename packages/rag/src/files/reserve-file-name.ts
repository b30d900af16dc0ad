import { createHash, randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { open, readFile, stat, unlink } from 'node:fs/promises';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { RagError } from '../errors.ts';
import { hasCode } from '@vizprompt/providers/internal';
import { fileFailure } from './file-failure.ts';
import { foldName, type DirectoryHandle } from './directory-handle.ts';

const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;
/** A waiting process looks this often, in milliseconds. */
const LOOK_MS = 10;
/** No file takes this long to write: the process that claimed its name died on another machine. */
const LONGEST_MS = 60_000;

/** The holder of a claim. */
interface Holder {
  readonly token: string;
  readonly host: string;
  readonly pid: number;
}

/**
 * Does something with a name in a folder while no other caller does, in this process or another. Names that
 * are one file on some systems (`Kap.md` and `kap.md`) are one name here, so that what is looked up is
 * still so when the file is written.
 *
 * @throws RagError with the code `file-failed` if another process holds the name for a minute.
 */
export async function withReservedName<T>(
  folder: DirectoryHandle,
  name: string,
  work: () => Promise<T>,
): Promise<T> {
  const hash = createHash('sha256').update(foldName(name)).digest('hex').slice(0, 16);
  const claim = `.dialogoi-${hash}.claim`;
  const holder: Holder = { token: randomUUID(), host: hostname(), pid: process.pid };
  const end = performance.now() + LONGEST_MS;
  try {
    while (!(await isClaimed(folder, claim, holder))) {
      if (performance.now() > end) throw busy(folder.titleOf(name));
      if (!(await dropIfDead(folder, claim))) await sleep(LOOK_MS);
    }
  } catch (error) {
    throw fileFailure(error, folder.titleOf(name));
  }
  try {
    return await work();
  } finally {
    await unlink(folder.at(claim)).catch(() => undefined);
  }
}

/** @returns `true` if the name is ours now. */
async function isClaimed(folder: DirectoryHandle, claim: string, holder: Holder): Promise<boolean> {
  folder.assertUnmoved();
  let file;
  try {
    file = await open(folder.at(claim), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW);
  } catch (error) {
    // Windows says so of a file that is about to be gone.
    const isTaken = hasCode(error, 'EEXIST');
    if (isTaken || (process.platform === 'win32' && hasCode(error, 'EPERM'))) return false;
    throw error;
  }
  try {
    await file.writeFile(JSON.stringify(holder));
    return true;
  } catch (error) {
    await unlink(folder.at(claim)).catch(() => undefined);
    throw error;
  } finally {
    await file.close();
  }
}

/** Takes away the claim of a process that died. */
async function dropIfDead(folder: DirectoryHandle, claim: string): Promise<boolean> {
  const path = folder.at(claim);
  try {
    const before = await readFile(path, 'utf8');
    const { mtimeMs } = await stat(path);
    if (!isDead(before) && Date.now() - mtimeMs < LONGEST_MS) return false;
    // Another process may have done so, and have claimed it since.
    if ((await readFile(path, 'utf8')) !== before) return true;
    await unlink(path);
    return true;
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return true;
    throw error;
  }
}

/** Checks whether a claim is one of this machine whose process is gone. It is empty at its first moment. */
function isDead(text: string): boolean {
  let holder: unknown;
  try {
    holder = JSON.parse(text);
  } catch {
    return false;
  }
  if (typeof holder !== 'object' || holder === null) return false;
  if (!('host' in holder) || holder.host !== hostname()) return false;
  if (!('pid' in holder) || typeof holder.pid !== 'number') return false;
  try {
    process.kill(holder.pid, 0);
    return false;
  } catch (error) {
    return hasCode(error, 'ESRCH');
  }
}

function busy(path: string): RagError {
  const message = `${path} is being written by another process: try again later`;
  return new RagError('file-failed', message, { context: { path } });
}
