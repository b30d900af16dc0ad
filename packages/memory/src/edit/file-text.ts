import { mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { MemoryError } from '../errors.ts';
import { codeOf, isMissing } from './resolve-file.ts';

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * The text of a file, or `undefined` if there is none.
 *
 * @throws MemoryError `invalid-text` if it is not UTF-8, `edit-conflict` if it is a folder.
 */
export async function readText(path: string): Promise<string | undefined> {
  let bytes: Uint8Array;
  try {
    bytes = await readFile(path);
  } catch (error) {
    if (isMissing(error)) return undefined;
    if (codeOf(error) === 'EISDIR') {
      throw new MemoryError('edit-conflict', `cannot edit ${path}: it is a folder`, {
        context: { path },
      });
    }
    throw error;
  }
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

/** Replaces a file as a whole: whoever reads it sees the old text or the new one, also after a crash. */
export async function writeText(path: string, text: string): Promise<void> {
  const folder = dirname(path);
  await mkdir(folder, { recursive: true });
  const mode = await stat(path).then(
    (stats) => stats.mode & 0o7777,
    () => undefined,
  );
  const temporary = join(
    folder,
    `.${basename(path).slice(0, 100)}.${randomUUID().slice(0, 8)}.tmp`,
  );
  try {
    const file = await open(temporary, 'wx', mode ?? 0o666);
    try {
      await file.writeFile(text);
      if (mode !== undefined) await file.chmod(mode);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await syncFolder(folder);
}

/** Makes a rename or a deletion durable, where the system can. */
export async function syncFolder(folder: string): Promise<void> {
  try {
    const handle = await open(folder, 'r');
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch {
    // Windows cannot open folders.
  }
}
