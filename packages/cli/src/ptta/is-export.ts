import { open } from 'node:fs/promises';
import { jsonEncoding } from '@vizprompt/providers/internal';

/** Checks whether a file begins as an export of a memory does; a transcript of an agent does not. */
export async function isExport(path: string): Promise<boolean> {
  try {
    const file = await open(path);
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(512), 0, 512, 0);
      const bytes = buffer.subarray(0, bytesRead);
      const head = new TextDecoder(jsonEncoding(bytes)).decode(bytes);
      return /^\s*\{\s*"format"\s*:\s*"vizprompt-memory"/.test(head);
    } finally {
      await file.close();
    }
  } catch {
    // A folder, or nothing at all, which the import reports better.
    return false;
  }
}
