import type { Project } from '../project/project.ts';

/** A file of a node, in the version in which it may be deleted. */
export interface NodeFile {
  readonly id: string;
  readonly file: string;
  readonly version: string;
}

/**
 * The files of those nodes that are in no other flow. A flow file that cannot be understood may name
 * any of them, so what it mentions stays.
 *
 * @param flowFile - The flow that they are taken out of.
 */
export async function unsharedFiles(
  { index, files }: Project,
  ids: readonly string[],
  flowFile: string,
): Promise<NodeFile[]> {
  const broken: string[] = [];
  for (const file of await index.flows.broken()) {
    const stored = await files.read(file);
    broken.push(stored ? Buffer.from(stored.data).toString('latin1') : '');
  }
  const found: NodeFile[] = [];
  for (const id of ids) {
    const others = (await index.flows.filesWith(id)).filter((file) => file !== flowFile);
    if (others.length > 0 || broken.some((text) => text.includes(id))) continue;
    for (const file of await index.nodes.filesOf(id)) {
      const stored = await files.read(file);
      if (stored) found.push({ id, file, version: stored.version });
    }
  }
  return found;
}
