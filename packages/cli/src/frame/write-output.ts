import { open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { Cli } from './cli.ts';
import { isError } from '@vizprompt/providers/internal';

/**
 * Writes text in pieces to a file, or to standard output for `-` or none. A file is replaced as a whole:
 * whatever goes wrong leaves the old one.
 *
 * @returns The absolute path, or `undefined` for standard output.
 */
export async function writeOutput<Messages>(
  cli: Cli<Messages>,
  output: string | undefined,
  pieces: AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>,
): Promise<string | undefined> {
  if (output === undefined || output === '-') {
    for await (const piece of pieces) await cli.out.write(piece);
    return undefined;
  }
  const path = resolve(cli.cwd, output);
  const draft = join(dirname(path), `.${basename(path).slice(0, 100)}.${crypto.randomUUID()}.tmp`);
  try {
    const file = await open(draft, 'wx');
    try {
      for await (const piece of pieces) {
        cli.signal.throwIfAborted();
        await file.writeFile(piece);
      }
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    // The caller does not know the draft.
    if (isError(error)) {
      error.message = error.message.replaceAll(draft, path);
      if ('path' in error) error.path = path;
    }
    throw error;
  }
  return path;
}
