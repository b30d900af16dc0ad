import { METADATA_LAGS } from '../project/keep-metadata.ts';
import { writeMaps } from '../project/keep-maps.ts';
import { FLOW_MAP, NODE_MAP } from '../project/maps.ts';
import type { Project } from '../project/project.ts';
import type { IndexedFile } from './node-index.ts';
import { putNodes, settleCollisions } from './put-nodes.ts';
import { parseFlow, parseNode } from './refresh.ts';

/** A file that was written, or deleted where the text is `null`. */
export interface WrittenFile {
  readonly file: string;
  readonly text: string | null;
  /** What it was; `null`: it was not there. */
  readonly before: string | null;
  readonly version: string;
  /** Of a node. */
  readonly keywords?: readonly string[];
}

/** Puts files that were written as they are into the index, and brings the maps up to date. */
export async function putFiles(
  project: Project,
  flows: readonly WrittenFile[],
  nodes: readonly WrittenFile[],
): Promise<void> {
  const { index } = project;
  const touched = new Set<string>();
  const rows = await index.nodes.filed(
    nodes.flatMap(({ file, text }) => (text === null ? [file] : [])),
  );
  for (const { id } of rows) if (id !== null) touched.add(id);
  const entries = nodes.flatMap(({ file, text, version, keywords = [] }): IndexedFile[] => {
    return text === null ? [] : [{ ...parseNode(file, { text, version }), keywords }];
  });
  if (entries.length > 0) await putNodes(index, entries, touched);
  const statements = [
    ...index.nodes.remove(rows.map((row) => row.row_id)),
    ...flows.flatMap(({ file, text, version }) =>
      text === null
        ? index.flows.remove(file)
        : index.flows.put(parseFlow(file, { text, version })),
    ),
  ];
  const all = [...flows, ...nodes];
  const hasOthers = all.some(({ text, before }) => text === null || before === null);
  if (nodes.length > 0) statements.push(index.state.set(METADATA_LAGS, 'yes'));
  if (hasOthers) statements.push(index.state.mapLags(NODE_MAP), index.state.mapLags(FLOW_MAP));
  if (statements.length > 0) await index.database.batch(statements);
  await settleCollisions(index, [...touched]);
  if (hasOthers) await writeMaps(project);
}
