import { VizPromptError } from '../errors.ts';
import { parseList } from '../index/node-index.ts';
import type { VizNode } from '../node/node.ts';
import { readStoredNode } from '../node/read-node.ts';
import type { Project } from '../project/project.ts';

/** Nodes under new ids, with all that they hold. */
export interface CopiedNodes {
  readonly nodes: readonly VizNode[];
  /** The new id of each old one. */
  readonly ids: ReadonlyMap<string, string>;
  /** By the new ids. */
  readonly keywords: ReadonlyMap<string, readonly string[]>;
}

/**
 * Copies nodes.
 *
 * @throws VizPromptError with the code `node-not-found` if one of them is in no file.
 */
export async function copyNodes(
  { index, files, createId }: Project,
  originals: readonly string[],
): Promise<CopiedNodes> {
  const rows = new Map((await index.nodes.rowsOf(originals)).map((row) => [row.id, row]));
  const nodes: VizNode[] = [];
  const ids = new Map<string, string>();
  const keywords = new Map<string, readonly string[]>();
  for (const original of originals) {
    const row = rows.get(original);
    const stored = row && (await readStoredNode(files, row.file));
    if (!stored) {
      throw new VizPromptError('node-not-found', `there is no node ${original} to copy`, {
        context: { node: original },
      });
    }
    const { file: _file, version: _version, ...node } = stored;
    const id = createId();
    ids.set(original, id);
    keywords.set(id, parseList(row.keywords));
    nodes.push({ ...node, id });
  }
  return { nodes, ids, keywords };
}
