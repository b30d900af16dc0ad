import { rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { makeFolders } from '@vizprompt/providers/node';
import { temporaryBeside } from './dictionary-file.ts';

/** A compiled dictionary is smaller. */
const ROOM = 14_000_000;

/**
 * Makes the folder of a file and sees whether a dictionary can be written there, which is compiled for
 * seconds before it is.
 *
 * @throws What the file system says, or Error for a folder of the same name.
 */
export async function checkPlace(path: string): Promise<void> {
  makeFolders(dirname(path));
  const before = await stat(path).catch(() => undefined);
  if (before?.isDirectory()) throw new Error('there is a folder in its place');
  const probe = temporaryBeside(path);
  try {
    await writeFile(probe, Buffer.alloc(ROOM), { flag: 'wx' });
  } finally {
    await rm(probe, { force: true });
  }
}
