import { StorageError } from '@vizprompt/providers';
import { VizPromptError } from '../errors.ts';
import { problemOf } from '../index/problem-of.ts';
import type { Project } from '../project/project.ts';
import type { StoredNode } from './node.ts';
import { readStoredNode } from './read-stored-node.ts';

/** Reads a node where one broken file must not spoil the rest: then it is reported and left out. */
export async function readHealthyNode(
  { files, events }: Project,
  file: string,
): Promise<StoredNode | undefined> {
  try {
    return await readStoredNode(files, file);
  } catch (error) {
    if (!VizPromptError.isInstance(error) && !isUnreadable(error)) throw error;
    events.emit('problem:found', problemOf(file, error));
    return undefined;
  }
}

/** Whether the storage could not give a file, or one that is too large, which says nothing about the other files. */
export function isUnreadable(error: unknown): error is Error {
  if (StorageError.isInstance(error)) return error.code === 'io' || error.code === 'too-large';
  if (!VizPromptError.isInstance(error)) return false;
  return error.code === 'node-invalid' || error.code === 'flow-invalid';
}
