import type { FileStore } from '@vizprompt/providers';
import { isUnreadable, problemOf, type ProjectProblem, VizPromptError } from '../errors.ts';
import type { StoredNode } from './node.ts';
import { readNodeXml } from './read-node-xml.ts';

/**
 * Reads a node file; `undefined` if there is none.
 *
 * @throws VizPromptError with the code `node-invalid`.
 */
export async function readStoredNode(
  files: FileStore,
  file: string,
): Promise<StoredNode | undefined> {
  const stored = await files.read(file);
  if (!stored) return undefined;
  return { ...readNodeXml(file, stored.text), file, version: stored.version };
}

/** The parts of a project that nodes are read with where problems are only reported. */
interface HealthyContext {
  readonly files: FileStore;
  readonly events: { emit(name: 'problem:found', problem: ProjectProblem): unknown };
}

/** Reads a node where one broken file must not spoil the rest: then it is reported and left out. */
export async function readHealthyNode(
  { files, events }: HealthyContext,
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
