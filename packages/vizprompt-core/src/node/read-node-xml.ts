import type { FileStore } from '@vizprompt/providers';
import { isUnreadable, problemOf, type ProjectProblem, VizPromptError } from '../errors.ts';
import type { StoredNode, VizNode } from './node.ts';
import { scanNodeXml } from './node-xml.ts';

/**
 * Reads the text of a node file, and loads the XML parser only for one that was not written by this package.
 *
 * @param file - The name of the file, for errors.
 * @throws VizPromptError with the code `node-invalid`.
 */
export async function readNode(file: string, xml: string): Promise<VizNode> {
  return (await nodeReader(file, xml))();
}

/** Returns the function that reads a node file, with its parser loaded: it fails only for what is in the file. */
export async function nodeReader(file: string, xml: string): Promise<() => VizNode> {
  const scanned = scanNodeXml(xml);
  if (scanned) return () => scanned;
  const { parseNodeXml } = await import('./parse-node-xml.ts');
  return () => parseNodeXml(file, xml);
}

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
  return { ...(await readNode(file, stored.text)), file, version: stored.version };
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
