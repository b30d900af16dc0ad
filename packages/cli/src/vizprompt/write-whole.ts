import { randomUUID } from 'node:crypto';
import { rename, rm, writeFile } from 'node:fs/promises';

/** Writes a file as a whole or not at all; one that is there stays as it was until then. */
export async function writeWhole(file: string, text: string): Promise<void> {
  const draft = `${file}.${randomUUID().slice(0, 8)}.tmp`;
  try {
    await writeFile(draft, text, { flush: true });
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}
