import {
  type FileStore,
  type Statement,
  StorageError,
  type StoredFile,
} from '@vizprompt/providers';
import { isJsonObject } from '@vizprompt/providers/internal';
import { formatTime } from '../format/ids-and-times.ts';
import { conflictSides } from '../format/merge-conflict.ts';
import { parseYamlValue, readYamlScalar, yamlScalar } from '../format/yaml.ts';
import type { NodeMetadata } from '../index/node-index.ts';
import type { Project } from '../project/project.ts';

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

/** The text of `tags.yaml`, but for the line that says when it was updated. */
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

/** The text of `index.yaml`, but for the line that says when it was updated. */
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

/** The keywords of each node in the text of `index.yaml`. */
export function readKeywords(text: string): ReadonlyMap<string, readonly string[]> {
  const sides = conflictSides(text);
  if (sides) return new Map([...readKeywords(sides.theirs), ...readKeywords(sides.ours)]);
  return scanKeywords(text) ?? parseKeywords(text);
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

function parseKeywords(text: string): Map<string, readonly string[]> {
  const root: unknown = parseYamlValue(text);
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
 * What the metadata files say of nodes, in the order of the files. In a project that is shared it is
 * the order of the ids, which is the same for everybody, so that a merge needs no second look.
 */
export async function metadataNodes({ index, config }: Project): Promise<NodeMetadata[]> {
  const nodes = await index.nodes.metadata();
  return config.settings.sharing === 'git' ? nodes.toSorted(byId) : nodes;
}

/** The text of a metadata file without its first line, which says when it was written. */
export function undated(text: string): string | undefined {
  return /^updated: .*\n([^]*)$/.exec(text)?.[1];
}

/** A file whose date alone is no reason to write it. */
async function writeDated(
  { files, clock, index, config }: Project,
  key: string,
  text: string,
): Promise<string[]> {
  const stored = await readDerived(files, key);
  if (!stored && /^\w+: \{\}\n$/.test(text) && config.settings.sharing === 'git') return [];
  const isRight = stored !== null && undated(stored.text) === text;
  const dated = `updated: ${formatTime(clock())}\n${text}`;
  const { version } = isRight ? stored : await files.write(key, dated);
  await index.database.batch([index.state.set(key, version)]);
  return isRight ? [] : [key];
}

/** The statements that remember the metadata files as they are; none where they are known. */
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
  try {
    return stored ? readKeywords(stored.text) : new Map();
  } catch {
    // A file that is derived and broken is written anew by the next build.
    return new Map();
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
