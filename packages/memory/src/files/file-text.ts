import { stat } from 'node:fs/promises';
import { readPlainFile, replaceFile } from '@vizprompt/providers/internal';
import { MemoryError } from '../errors.ts';

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * The text of a file, or `undefined` if there is none.
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
 * Refuses to go on if a file is no longer what it was. It does not wait, so that what follows at once finds
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
    `cannot edit ${path}: somebody else has changed it in the meantime; edit it again`,
    { context: { path } },
  );
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
