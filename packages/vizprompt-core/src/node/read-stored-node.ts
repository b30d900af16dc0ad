import type { FileStore } from '@vizprompt/providers';
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
