import {
  type Statement,
  type FileStore,
  StorageError,
  type StoredFile,
} from '@vizprompt/providers';
import { isJsonObject } from '@vizprompt/providers/internal';
import { formatTime } from '../format/ids-and-times.ts';
import { compareFiles, FLOW_MAP, NODE_MAP } from '../format/layout.ts';
import { conflictSides } from '../format/merge-conflict.ts';
import { readYamlScalar, yamlScalar } from '../format/yaml.ts';
import type { FlowMapEntry } from '../index/project-index.ts';
import type { NodeMapEntry, NodeMetadata } from '../index/node-index.ts';
import type { Project } from '../project/project.ts';

const NODE_HEADER = 'relpath\tuuid\ttimestamp\n';
const FLOW_HEADER = 'flow_id\tfolder\tfilename\n';

/** A line of the node map. */
type NodeMapLine = Omit<NodeMapEntry, 'isCurrent'>;

/** Returns a line of the node map. */
function nodeMapLine({ file, id, timestamp }: NodeMapLine): string {
  return `${file.slice('nodes/'.length)}\t${id}\t${timestamp}\n`;
}

/** Returns a line of the flow map. */
function flowMapLine({ file, id }: FlowMapEntry): string {
  const path = file.slice('flows/'.length);
  const slash = path.lastIndexOf('/');
  return `${id}\t${path.slice(0, Math.max(0, slash))}\t${path.slice(slash + 1)}\n`;
}

/**
 * Returns the whole node map in the order of the files. Files with the same id are together at the place of
 * the first of them, in the order of their precedence.
 *
 * @param entries - Those with the same id in the order of their precedence.
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
 * Checks whether a map has the same lines as another, in any order. In a project that is shared this is
 * enough: git merges lines in any order, and a file that is only sorted is a change that a user must commit.
 * Files with the same id must be in their order nevertheless.
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
  const versions = wanted.filter(isVersion).toSorted(byNodeId);
  return is
    .filter(isVersion)
    .toSorted(byNodeId)
    .every((line, at) => line === versions[at]);

  function byNodeId(a: string, b: string): number {
    const [first, second] = [idOf(a), idOf(b)];
    return first < second ? -1 : Number(first > second);
  }
}

/** Returns the whole flow map, in the order of the files. */
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

/** The file that lists the nodes of each tag. */
export const TAGS_FILE = 'metadata/tags.yaml';
/** The file that holds keywords and summary of each node. */
export const INDEX_FILE = 'metadata/index.yaml';

/** YAML readers need not look further than this for the end of a key on one line. */
const MAX_KEY = 1000;

/** Orders nodes by their ids. */
function byId({ id: a }: NodeMetadata, { id: b }: NodeMetadata): number {
  return a < b ? -1 : Number(a > b);
}

/** Returns the text of `tags.yaml`, but for the line that says when it was updated. */
export function tagsText(nodes: readonly NodeMetadata[]): string {
  const tags = new Map<string, string[]>();
  for (const { id, tags: list } of nodes) {
    for (const tag of new Set(list)) {
      const ids = tags.get(tag);
      if (ids) ids.push(id);
      else tags.set(tag, [id]);
    }
  }
  if (tags.size === 0) return 'tags: {}\n';
  const entries = [...tags].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const lines = entries.map(([tag, ids]) => {
    const key = yamlScalar(tag);
    const start = key.length > MAX_KEY ? `  ? ${key}\n  :\n` : `  ${key}:\n`;
    return start + ids.map((id) => `    - ${id}\n`).join('');
  });
  return `tags:\n${lines.join('')}`;
}

/** Returns the text of `index.yaml`, but for the line that says when it was updated. */
export function indexText(nodes: readonly NodeMetadata[]): string {
  const built = nodes.filter(({ keywords, summary }) => keywords.length > 0 || summary !== '');
  if (built.length === 0) return 'nodes: {}\n';
  const entries = built.map(
    ({ id, timestamp, keywords, summary }) =>
      `  ${id}:\n    timestamp: ${yamlScalar(timestamp)}\n` +
      `    keywords: ${yamlScalar(keywords.join(','))}\n    summary: ${yamlScalar(summary)}\n`,
  );
  return `nodes:\n${entries.join('')}`;
}

/** Returns the keywords of each node in the text of `index.yaml`. */
export async function readKeywords(text: string): Promise<ReadonlyMap<string, readonly string[]>> {
  return (await keywordsReader(text))();
}

type Keywords = ReadonlyMap<string, readonly string[]>;

/** Returns the function that reads keywords, with its parser loaded: it fails only for what is in the text. */
async function keywordsReader(text: string): Promise<() => Keywords> {
  const sides = conflictSides(text);
  if (sides) {
    const theirs = await keywordsReader(sides.theirs);
    const ours = await keywordsReader(sides.ours);
    return () => new Map([...theirs(), ...ours()]);
  }
  const scanned = scanKeywords(text);
  if (scanned) return () => scanned;
  const { parseYamlValue } = await import('../format/parse-yaml.ts');
  return () => keywordsIn(parseYamlValue(text));
}

/** Reads the form that {@link indexText} writes, line by line; `undefined` for any other. */
function scanKeywords(text: string): Map<string, readonly string[]> | undefined {
  const found = new Map<string, readonly string[]>();
  let id: string | undefined;
  for (const line of text.split('\n').slice(2, -1)) {
    const [, newId] = /^ {2}([0-9a-f-]{36}):$/i.exec(line) ?? [];
    if (newId !== undefined) id = newId;
    else if (!/^ {4}(?:timestamp|keywords|summary): /.test(line)) return undefined;
    if (!line.startsWith('    keywords: ')) continue;
    const keywords = readYamlScalar(line.slice('    keywords: '.length));
    if (keywords === undefined || id === undefined) return undefined;
    found.set(id, splitKeywords(keywords));
  }
  return found;
}

function keywordsIn(root: unknown): Keywords {
  const nodes = isJsonObject(root) && isJsonObject(root['nodes']) ? root['nodes'] : {};
  return new Map(
    Object.entries(nodes).map(([id, node]) => {
      const keywords = isJsonObject(node) ? node['keywords'] : undefined;
      return [id, typeof keywords === 'string' ? splitKeywords(keywords) : []];
    }),
  );
}

function splitKeywords(text: string): string[] {
  return text
    .split(',')
    .map((keyword) => keyword.trim())
    .filter((keyword) => keyword !== '');
}

/** The name under which the index remembers that the metadata files lag behind. */
export const METADATA_LAGS = 'metadata-lags';

/** Writes `tags.yaml` and `index.yaml`, where they are not what they should be. */
export async function writeMetadata(project: Project): Promise<void> {
  await project.write(() => writeMetadataLocked(project));
}

/**
 * Does what {@link writeMetadata} does, for a caller that holds the project lock.
 *
 * @returns The files that were written.
 */
export async function writeMetadataLocked(project: Project): Promise<readonly string[]> {
  const { index } = project;
  const nodes = await metadataNodes(project);
  const written = [
    ...(await writeDated(project, TAGS_FILE, tagsText(nodes))),
    ...(await writeDated(project, INDEX_FILE, indexText(nodes))),
  ];
  await index.database.batch([index.state.set(METADATA_LAGS, '')]);
  return written;
}

/**
 * Reads the metadata files about nodes, in the order of the files. In a project that is shared it is
 * the order of the ids, which is the same in every clone, so that a merge needs no second look.
 */
export async function metadataNodes({ index, config }: Project): Promise<NodeMetadata[]> {
  const nodes = await index.nodes.metadata();
  return config.settings.sharing === 'git' ? nodes.toSorted(byId) : nodes;
}

/** Returns the text of a metadata file without its first line, which says when it was written. */
export function undated(text: string): string | undefined {
  return /^updated: .*\n([^]*)$/.exec(text)?.[1];
}

/** Writes a file unless only its date differs. */
async function writeDated(
  { files, clock, index, config }: Project,
  key: string,
  text: string,
): Promise<string[]> {
  const stored = await readDerived(files, key);
  if (!stored && /^\w+: \{\}\n$/.test(text) && config.settings.sharing === 'git') return [];
  const isRight = stored !== null && undated(Buffer.from(stored.data).toString()) === text;
  const dated = `updated: ${formatTime(clock())}\n${text}`;
  const { version } = isRight ? stored : await files.write(key, dated);
  await index.database.batch([index.state.set(key, version)]);
  return isRight ? [] : [key];
}

/** Returns the statements that remember the metadata files as they are; none where they are known. */
export async function unseenMetadata({ files, index }: Project): Promise<readonly Statement[]> {
  const versions = new Map<string, string>();
  for await (const { key, version } of files.list('metadata/')) versions.set(key, version);
  const statements: Statement[] = [];
  for (const key of [TAGS_FILE, INDEX_FILE]) {
    const version = versions.get(key) ?? '';
    if (version !== ((await index.state.get(key)) ?? ''))
      statements.push(index.state.set(key, version));
  }
  return statements;
}

/** Keywords as `index.yaml` has them: they are nowhere else when the cache is gone. */
export async function loadKeywords({
  files,
}: Project): Promise<ReadonlyMap<string, readonly string[]>> {
  const stored = await readDerived(files, INDEX_FILE);
  // A file that is derived and broken is written again by the next build.
  const text = quietly(() => stored?.text) ?? '';
  const read = await keywordsReader(text);
  return quietly(read) ?? new Map();
}

function quietly<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** Takes over the keywords of `index.yaml`, unless those that the index has are on their way there. */
export async function adoptKeywords(project: Project): Promise<void> {
  const { nodes, database, state } = project.index;
  const isLagging = Boolean(await state.get(METADATA_LAGS));
  const keywords = await loadKeywords(project);
  if (keywords.size === 0) return;
  const rows = await nodes.rowsOf([...keywords.keys()]);
  const statements = rows
    .filter(({ id, keywords: known }) =>
      isLagging ? known === '[]' : known !== JSON.stringify(keywords.get(id) ?? []),
    )
    .flatMap((row) => nodes.setKeywords(row.row_id, keywords.get(row.id) ?? []));
  if (statements.length > 0) await database.batch(statements);
}

/**
 * Reads a file that can be derived from the others again.
 *
 * @returns `null` if it is missing, or too large to be what it should be.
 */
export async function readDerived(files: FileStore, key: string): Promise<StoredFile | null> {
  try {
    return await files.read(key);
  } catch (error) {
    if (StorageError.isInstance(error) && error.code === 'too-large') return null;
    throw error;
  }
}
