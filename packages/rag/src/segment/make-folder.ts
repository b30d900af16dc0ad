import { mkdirSync } from 'node:fs';
import { messageOf } from '@vizprompt/providers';
import { IndexingError } from '../errors.ts';

/** Creates the folder of an index, unless it is there. */
export function makeFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true });
  } catch (cause) {
    const message = `no index can be made in ${path} (${messageOf(cause)}): name another folder`;
    throw new IndexingError(message, { cause, context: { folder: path } });
  }
}
