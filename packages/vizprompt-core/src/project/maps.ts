import { compareFiles } from './layout.ts';

/** The file that maps nodes to their files. */
export const NODE_MAP = 'metadata/node_map.tsv';
/** The file that maps flows to their files. */
export const FLOW_MAP = 'metadata/flow_map.tsv';

const NODE_HEADER = 'relpath\tuuid\ttimestamp\n';
const FLOW_HEADER = 'flow_id\tfolder\tfilename\n';

/** What the node map says of a file. */
export interface NodeMapEntry {
  /** The key of the file, such as `nodes/00/00.xml`. */
  readonly file: string;
  readonly id: string;
  readonly timestamp: string;
  /** It is the newest of the files that carry its id. */
  readonly isCurrent: boolean;
}

/** What the flow map says of a file. */
export interface FlowMapEntry {
  /** The key of the file, such as `flows/00/00.yaml`. */
  readonly file: string;
  readonly id: string;
}

/** What a line of the node map says. */
export type NodeMapLine = Omit<NodeMapEntry, 'isCurrent'>;

/** A line of the node map. */
export function nodeMapLine({ file, id, timestamp }: NodeMapLine): string {
  return `${file.slice('nodes/'.length)}\t${id}\t${timestamp}\n`;
}

/** A line of the flow map. */
export function flowMapLine({ file, id }: FlowMapEntry): string {
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
