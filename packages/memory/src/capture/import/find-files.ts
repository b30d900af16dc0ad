import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf } from '@vizprompt/providers';
import { checkArgument, STORABLE } from '../../check-values.ts';
import { MemoryError } from '../../errors.ts';

/** A file to read. */
export interface FoundFile {
  readonly path: string;
  readonly bytes: number;
  readonly modifiedMs: number;
}

/**
 * The file, or all `.jsonl` and `.json` files below the folder, sorted: a session comes before the
 * folder of its subagents.
 *
 * @throws MemoryError `invalid-input` if there is neither.
 */
export async function findFiles(path: string): Promise<readonly FoundFile[]> {
  checkArgument('the path of transcripts', path, STORABLE);
  const facts = await stat(path).catch((cause: unknown) => {
    throw new MemoryError('invalid-input', `${path} cannot be read: ${messageOf(cause)}`, {
      cause,
      context: { path },
    });
  });
  if (!facts.isDirectory()) return [{ path, bytes: facts.size, modifiedMs: facts.mtimeMs }];
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile() && /\.jsonl?$/i.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted((a, b) => (a < b ? -1 : 1));
  const found: FoundFile[] = [];
  for (const file of paths) {
    const { size, mtimeMs } = await stat(file);
    found.push({ path: file, bytes: size, modifiedMs: mtimeMs });
  }
  return found;
}
