import { readFile, stat } from 'node:fs/promises';

/** Larger files are recorded without their text. */
const MAX_BYTES = 32 * 1024 * 1024;

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Returns the text of a file; `undefined` if there is none, or if it is too large or no text to be recorded. */
export async function textOfFile(path: string): Promise<string | undefined> {
  try {
    const { size } = await stat(path);
    return size > MAX_BYTES ? undefined : decoder.decode(await readFile(path));
  } catch {
    return undefined;
  }
}
