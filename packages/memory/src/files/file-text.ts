import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { StorageError, type HeldLock } from '@vizprompt/providers';
import { readPlainFile, replaceFile } from '@vizprompt/providers/internal';
import { MemoryError } from '../errors.ts';
import type { MemoryContext } from '../store/memory-context.ts';

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Returns the text of a file, or `undefined` if there is none.
 *
 * @throws MemoryError `invalid-text` if it is not UTF-8, `edit-conflict` if it is a folder.
 */
export async function readText(path: string): Promise<string | undefined> {
  const stats = await stat(path).catch(() => undefined);
  if (stats && !stats.isFile()) {
    const what = stats.isDirectory() ? 'it is a folder' : 'it is no plain file';
    throw new MemoryError('edit-conflict', `cannot edit ${path}: ${what}`, { context: { path } });
  }
  const bytes = readPlainFile(path);
  if (!bytes) return undefined;
  try {
    return decoder.decode(bytes);
  } catch (cause) {
    throw new MemoryError(
      'invalid-text',
      `${path} is not UTF-8 text, so its edits cannot be kept`,
      {
        cause,
        context: { path },
      },
    );
  }
}

/**
 * Refuses to continue if a file is no longer what it was. It does not wait, so that what follows at once finds
 * the same file.
 *
 * @throws MemoryError `edit-conflict`.
 */
export function assertUnchanged(path: string, before: string | undefined): void {
  const now = readPlainFile(path);
  const isSame =
    before === undefined || now === undefined
      ? before === now
      : now.equals(Buffer.from(before, 'utf8'));
  if (isSame) return;
  throw new MemoryError(
    'edit-conflict',
    `cannot edit ${path}: another process has changed it in the meantime; edit it again`,
    { context: { path } },
  );
}

/**
 * Replaces a file as a whole: a reader sees the old text or the new one, also after a crash.
 *
 * @param before - The text that it must hold until then.
 * @throws MemoryError `edit-conflict` if it holds something else.
 */
export async function writeText(
  path: string,
  before: string | undefined,
  text: string,
): Promise<void> {
  await replaceFile(path, text, { beforeMove: () => assertUnchanged(path, before) });
}

/** Files share so few locks that each may keep a file of its own for ever. */
const LOCKS = 64;
const TIMEOUT_MS = 10_000;

/**
 * Keeps other processes that share the memory from editing a file until the lock is released.
 *
 * @throws MemoryError `edit-conflict` if another one holds it too long.
 */
export async function lockFile({ lock }: MemoryContext, path: string): Promise<HeldLock> {
  // Paths are those of one machine, and a server may serve many.
  const hash = createHash('sha256').update(`${hostname()}\0${path}`).digest();
  try {
    return await lock(`memory-edit-${hash.readUInt32BE() % LOCKS}`, { timeoutMs: TIMEOUT_MS });
  } catch (error) {
    if (!StorageError.isInstance(error) || error.code !== 'lock-timeout') throw error;
    throw new MemoryError(
      'edit-conflict',
      `cannot edit ${path}: another process has been editing for more than ${TIMEOUT_MS} ms; try again`,
      { cause: error, context: { path } },
    );
  }
}

/** The last task of each name. */
const last = new Map<string, Promise<unknown>>();

/** Runs a task after all earlier ones of the same name in this process have succeeded or failed. */
export async function oneAfterAnother<T>(name: string, task: () => Promise<T>): Promise<T> {
  const before = last.get(name) ?? Promise.resolve();
  const turn = before.then(task);
  const end = turn.catch(() => undefined);
  last.set(name, end);
  try {
    return await turn;
  } finally {
    if (last.get(name) === end) last.delete(name);
  }
}
