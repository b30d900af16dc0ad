import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { replaceFile } from '@vizprompt/providers/internal';
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

/**
 * Refuses to go on if a file is no longer what it was. It does not wait, so that what follows at once finds
 * the same file.
 *
 * @throws MemoryError `edit-conflict`.
 */
export function assertUnchanged(path: string, before: string | undefined): void {
  const now = readBytes(path);
  const isSame =
    before === undefined || now === undefined
      ? before === now
      : now.equals(Buffer.from(before, 'utf8'));
  if (isSame) return;
  throw new MemoryError(
    'edit-conflict',
    `cannot edit ${path}: somebody else has changed it in the meantime; edit it again`,
    { context: { path } },
  );
}

function readBytes(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/**
 * Replaces a file as a whole: whoever reads it sees the old text or the new one, also after a crash.
 *
 * @param before - What it must hold until then.
 * @throws MemoryError `edit-conflict` if it holds something else.
 */
export async function writeText(
  path: string,
  before: string | undefined,
  text: string,
): Promise<void> {
  await replaceFile(path, text, { beforeMove: () => assertUnchanged(path, before) });
}
