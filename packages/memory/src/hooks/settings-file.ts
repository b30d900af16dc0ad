import { readFile, rm } from 'node:fs/promises';
import { messageOf } from '@vizprompt/providers';
import { isMissing, replaceFile } from '@vizprompt/providers/internal';
import { MemoryError } from '../errors.ts';
import { realPlace } from '../files/resolve-file.ts';

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Returns the text of a file; `undefined` if there is none.
 *
 * @throws MemoryError `invalid-input` if it cannot be read, or is not UTF-8, which would not come back as it was.
 */
export async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return decoder.decode(await readFile(path));
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw new MemoryError('invalid-input', `${path} cannot be read: ${messageOf(error)}`, {
      cause: error,
      context: { file: path },
    });
  }
}

/** Replaces the text of a file as a whole; a link stays a link, and the mode stays. */
export async function replaceSettings(path: string, text: string): Promise<void> {
  await replaceFile(await realPlace(path), text, { mode: 0o600 });
}

/** Deletes a file; a link that leads to it stays. */
export async function deleteFile(path: string): Promise<void> {
  await rm(await realPlace(path), { force: true });
}
