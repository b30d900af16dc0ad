import type { Statement } from '@vizprompt/providers';
import { compareFiles, FLOW_MAP, NODE_MAP } from '../format/layout.ts';
import type { FlowMapEntry } from '../index/flow-index.ts';
import type { NodeMapEntry } from '../index/node-index.ts';
import type { Project } from '../project/project.ts';
import { readDerived } from './metadata-files.ts';

const NODE_HEADER = 'relpath\tuuid\ttimestamp\n';
const FLOW_HEADER = 'flow_id\tfolder\tfilename\n';

/** A line of the node map. */
export type NodeMapLine = Omit<NodeMapEntry, 'isCurrent'>;

/** A line of the node map. */
function nodeMapLine({ file, id, timestamp }: NodeMapLine): string {
  return `${file.slice('nodes/'.length)}\t${id}\t${timestamp}\n`;
}

/** A line of the flow map. */
function flowMapLine({ file, id }: FlowMapEntry): string {
  const path = file.slice('flows/'.length);
  const slash = path.lastIndexOf('/');
  return `${id}\t${path.slice(0, Math.max(0, slash))}\t${path.slice(slash + 1)}\n`;
}

/**
 * The whole node map: in the order of the files, but the files that carry one id stand together,
 * where the first of them stands, in the order of their precedence.
 *
 * @param entries - Those that carry one id in the order of their precedence.
 */
export function nodeMapText(entries: readonly NodeMapEntry[]): string {
  const groups = new Map<string, NodeMapEntry[]>();
  for (const entry of entries) {
    const group = groups.get(entry.id);
    if (group) group.push(entry);
    else groups.set(entry.id, [entry]);
  }
  const first = (group: readonly NodeMapEntry[]): string =>
    group.map(({ file }) => file).toSorted(compareFiles)[0] ?? '';
  const sorted = [...groups.values()]
    .map((group) => ({ group, file: group.length > 1 ? first(group) : (group[0]?.file ?? '') }))
    .toSorted((a, b) => compareFiles(a.file, b.file));
  return NODE_HEADER + sorted.flatMap(({ group }) => group.map(nodeMapLine)).join('');
}

/**
 * Whether a map says the same as another, in whatever order. In a project that is shared this is
 * enough: git puts lines together as they come, and a file that is only put in order is a change that
 * somebody must commit. Files that carry one id stand in their order nevertheless.
 */
export function hasSameLines(text: string, expected: string): boolean {
  const [is, wanted] = [text, expected].map((map) => map.split('\n'));
  if (!is || !wanted || is.length !== wanted.length || is[0] !== wanted[0]) return false;
  const sorted = wanted.toSorted();
  if (is.toSorted().some((line, at) => line !== sorted[at])) return false;
  const counts = new Map<string, number>();
  const idOf = (line: string): string => /[0-9a-f-]{36}/i.exec(line)?.[0] ?? '';
  for (const line of wanted) counts.set(idOf(line), (counts.get(idOf(line)) ?? 0) + 1);
  const isVersion = (line: string): boolean => line !== '' && (counts.get(idOf(line)) ?? 0) > 1;
  const versions = wanted.filter(isVersion).toSorted(byId);
  return is
    .filter(isVersion)
    .toSorted(byId)
    .every((line, at) => line === versions[at]);

  function byId(a: string, b: string): number {
    const [first, second] = [idOf(a), idOf(b)];
    return first < second ? -1 : Number(first > second);
  }
}

/** The whole flow map, in the order of the files. */
export function flowMapText(entries: readonly FlowMapEntry[]): string {
  const sorted = entries.toSorted((a, b) => compareFiles(a.file, b.file));
  return FLOW_HEADER + sorted.map(flowMapLine).join('');
}

/** Appends new files to the maps, and returns the statements that store the versions of the maps in the index. */
export async function appendToMaps(
  { files, index }: Project,
  nodes: readonly NodeMapLine[],
  flows: readonly FlowMapEntry[],
): Promise<Statement[]> {
  const lines = [
    [NODE_MAP, nodes.map(nodeMapLine).join('')],
    [FLOW_MAP, flows.map(flowMapLine).join('')],
  ] as const;
  const statements: Statement[] = [];
  for (const [map, text] of lines) {
    if (text === '') continue;
    const { version } = await files.append(map, text, { durable: false });
    statements.push(index.state.set(map, version));
  }
  return statements;
}

/** Rewrites those of the two maps that differ from the index. */
export async function writeMaps(project: Project): Promise<readonly string[]> {
  const { files, index } = project;
  const texts: Record<string, string> = {
    [NODE_MAP]: nodeMapText(await index.nodes.mapEntries()),
    [FLOW_MAP]: flowMapText(await index.flows.mapEntries()),
  };
  const written: string[] = [];
  for (const [map, text] of Object.entries(texts)) {
    const stored = await readDerived(files, map);
    const isRight = stored !== null && isSameMap(stored.data, text, project);
    const { version } = isRight ? stored : await files.write(map, text);
    await index.database.batch([index.state.set(map, version)]);
    if (!isRight) written.push(map);
  }
  return written;
}

function isSameMap(data: Uint8Array, text: string, { config }: Project): boolean {
  if (Buffer.compare(data, Buffer.from(text)) === 0) return true;
  return config.settings.sharing === 'git' && hasSameLines(Buffer.from(data).toString(), text);
}

/** Checks whether the maps are in the versions that were written last. */
export async function areMapsKnown({ files, index }: Project): Promise<boolean> {
  const versions = new Map<string, string>();
  for await (const { key, version } of files.list('metadata/')) versions.set(key, version);
  for (const map of [NODE_MAP, FLOW_MAP]) {
    if (versions.get(map) !== (await index.state.get(map))) return false;
  }
  return versions.has(NODE_MAP) && versions.has(FLOW_MAP);
}
