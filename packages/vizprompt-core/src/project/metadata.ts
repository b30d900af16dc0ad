import { isJsonObject } from '@vizprompt/providers';
import { conflictSides } from './merge-conflict.ts';
import { parseYamlValue } from './parse-yaml.ts';
import { readYamlScalar, yamlScalar } from './yaml-scalar.ts';

/** The file that lists the nodes of each tag. */
export const TAGS_FILE = 'metadata/tags.yaml';
/** The file that holds keywords and summary of each node. */
export const INDEX_FILE = 'metadata/index.yaml';

/** What the metadata files say of a node. */
export interface NodeMetadata {
  readonly id: string;
  readonly timestamp: string;
  readonly tags: readonly string[];
  readonly keywords: readonly string[];
  readonly summary: string;
}

/** YAML readers need not look further than this for the end of a key on one line. */
const MAX_KEY = 1000;

/** Orders nodes by their ids. */
export function byId({ id: a }: NodeMetadata, { id: b }: NodeMetadata): number {
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
