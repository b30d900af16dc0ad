import { METADATA_LAGS } from '../project/keep-metadata.ts';
import { writeMaps } from '../project/keep-maps.ts';
import { FLOW_MAP, NODE_MAP } from '../project/maps.ts';
import type { Project } from '../project/project.ts';
import type { Flow } from '../flow/flow.ts';
import type { IndexedFlow } from './flow-index.ts';
import type { IndexedFile } from './node-index.ts';
import { putNodes, settleCollisions } from './put-nodes.ts';
import { parseNode } from './refresh.ts';

/** A flow file that was written; without a flow it was deleted. */
export interface WrittenFlow {
  readonly file: string;
  readonly id: string;
  readonly version: string;
  readonly entry?: Omit<IndexedFlow, 'version'>;
  /** Whether there was no such file. */
  readonly isNew: boolean;
  /** The flow as the index has it, if that is known. */
  readonly before?: Flow;
}

/** A node file that was written, or deleted where the text is `null`. */
export interface WrittenNode {
  readonly file: string;
  readonly id: string;
  readonly text: string | null;
  readonly version: string;
  readonly keywords: readonly string[];
}

/** Puts files that were written as they are into the index, and brings the maps up to date. */
export async function putFiles(
  project: Project,
  flows: readonly WrittenFlow[],
  nodes: readonly WrittenNode[],
): Promise<void> {
  const { index } = project;
  const touched = new Set<string>();
  const rows = await index.nodes.filed(
    nodes.flatMap(({ file, text }) => (text === null ? [file] : [])),
  );
  for (const { id } of rows) if (id !== null) touched.add(id);
  const entries = nodes.flatMap(({ file, text, version, keywords }): IndexedFile[] => {
    return text === null ? [] : [{ ...parseNode(file, { text, version }), keywords }];
  });
  if (entries.length > 0) await putNodes(index, entries, touched);
  const statements = [
    ...index.nodes.remove(rows.map((row) => row.row_id)),
    ...flows.flatMap(({ file, version, entry, before }) =>
      entry ? index.flows.put({ ...entry, version }, before) : index.flows.remove(file),
    ),
  ];
  const hasOthers = nodes.length > 0 || flows.some(({ entry, isNew }) => !entry || isNew);
  if (nodes.length > 0) statements.push(index.state.set(METADATA_LAGS, 'yes'));
  if (hasOthers) statements.push(index.state.mapLags(NODE_MAP), index.state.mapLags(FLOW_MAP));
  if (statements.length > 0) await index.database.batch(statements);
  await settleCollisions(index, [...touched]);
  if (hasOthers) await writeMaps(project);
}
