import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Cli } from '../frame/cli.ts';
import { standardInput } from '../frame/read-input.ts';

/** A file that is gone when it is disposed of. */
export interface SavedInput extends AsyncDisposable {
  readonly path: string;
}

/** Standard input as a file: an export may be larger than memory, and its reader takes files. */
export async function saveInput<Messages>(cli: Cli<Messages>): Promise<SavedInput> {
  const folder = await mkdtemp(join(tmpdir(), 'vizprompt-'));
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true });
  const path = join(folder, 'standard-input');
  try {
    await pipeline(standardInput(cli), createWriteStream(path), { signal: cli.signal });
  } catch (error) {
    await remove();
    throw error;
  }
  return { path, [Symbol.asyncDispose]: remove };
}
