import { omitUndefined as defined, isJsonObject } from '@vizprompt/providers/internal';
import { timeValue } from '../format/ids-and-times.ts';
import { parseYamlValue } from '../format/parse-yaml.ts';
import type { NodeMetadata } from '../index/node-index.ts';
import type { NodeSummary, VizNode } from '../node/node.ts';
import { readNodeXml } from '../node/parse-node-xml.ts';
import { writeNodeXml } from '../node/node-xml.ts';
import { INDEX_FILE, indexText, tagsText } from '../write/metadata-files.ts';
import { mergeKeys, type Sides } from './merge-flows.ts';

/** Fields that are merged as a whole: two different changes are a conflict. */
const FIELDS = [
  'timestamp',
  'prompt',
  'response',
  'model',
  'stats',
  'status',
  'speaker',
  'source',
  'promptParts',
  'responseParts',
  'unknown',
] as const satisfies readonly (keyof VizNode)[];

/**
 * Merges the texts of a node file by its fields, so that two who have built the same node, or tagged it,
 * are in no conflict: tags are those of both, and of two summaries the newer is taken.
 *
 * @returns `undefined` if both sides changed the same field, each in its own way.
 * @throws VizPromptError with the code `node-invalid` if one of them is not a node.
 */
export function mergeNodeFiles(file: string, texts: Sides<string>): string | undefined {
  const ours = readNodeXml(file, texts.ours);
  const theirs = readNodeXml(file, texts.theirs);
  const base = texts.base === undefined ? undefined : readNodeXml(file, texts.base);
  if (ours.id !== theirs.id || !base) return undefined;
  const fields: Record<string, unknown> = {};
  for (const name of FIELDS) {
    const [was, mine, other] = [base, ours, theirs].map((node) => JSON.stringify(node[name]));
    if (mine !== other && mine !== was && other !== was) return undefined;
    fields[name] = mine === was ? theirs[name] : ours[name];
  }
  const tags = mergeKeys({
    base: new Set(base.tags),
    ours: new Set(ours.tags),
    theirs: new Set(theirs.tags),
  });
  const isNew = ({ prompt, response }: VizNode): boolean =>
    prompt !== fields['prompt'] || response !== fields['response'];
  const summary = newerSummary({ base: base.summary, ours: ours.summary, theirs: theirs.summary });
  const side = summary === theirs.summary ? theirs : ours;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the fields are those of nodes
  const merged = { ...ours, ...(defined(fields) as Partial<VizNode>) };
  return writeNodeXml({
    ...merged,
    tags: [...tags],
    summary: isNew(side) ? { ...summary, isOutdated: true } : summary,
  });
}

function newerSummary({ base, ours, theirs }: Sides<NodeSummary>): NodeSummary {
  const [was, mine, other] = [base, ours, theirs].map((summary) => JSON.stringify(summary));
  if (mine === was) return theirs;
  if (other === was) return ours;
  return timeValue(theirs.lastBuilt ?? '') > timeValue(ours.lastBuilt ?? '') ? theirs : ours;
}

/**
 * Merges the texts of `tags.yaml` or `index.yaml`. There is never a conflict: they are derived, but for
 * the keywords, of which those of both sides are kept.
 * The order is that of the ids.
 *
 * @param file - Which of them it is, by the end of its path.
 * @throws Error if one of them is none.
 */
export function mergeMetadata(file: string, texts: Sides<string>): string {
  const isIndex = file.endsWith(INDEX_FILE);
  const read = isIndex ? readIndex : readTags;
  const sides = {
    base: texts.base === undefined ? undefined : read(parseYamlValue(texts.base)),
    ours: read(parseYamlValue(texts.ours)),
    theirs: read(parseYamlValue(texts.theirs)),
  };
  const ids = mergeKeys({
    base: sides.base && new Set(sides.base.keys()),
    ours: new Set(sides.ours.keys()),
    theirs: new Set(sides.theirs.keys()),
  });
  // In the order in which a project that is shared has them.
  const nodes = [...ids].toSorted().map((id): NodeMetadata => {
    const [base, ours, theirs] = [sides.base, sides.ours, sides.theirs].map((side) =>
      side?.get(id),
    );
    const only = ours ?? theirs;
    if (!only) throw new Error(`no side has the node ${id}`);
    if (!ours || !theirs) return only;
    const lists = (key: 'tags' | 'keywords'): string[] => [
      ...mergeKeys({
        base: base && new Set(base[key]),
        ours: new Set(ours[key]),
        theirs: new Set(theirs[key]),
      }),
    ];
    const rest = ours.summary === base?.summary ? theirs : ours;
    return { ...rest, tags: lists('tags'), keywords: lists('keywords') };
  });
  const updated = [texts.ours, texts.theirs].map(dateOf).toSorted().at(-1) ?? '';
  return `updated: ${updated}\n${isIndex ? indexText(nodes) : tagsText(nodes)}`;
}

function dateOf(text: string): string {
  return /^updated: (.*)$/m.exec(text)?.[1] ?? '';
}

function readIndex(root: unknown): Map<string, NodeMetadata> {
  const nodes = isJsonObject(root) && isJsonObject(root['nodes']) ? root['nodes'] : {};
  return new Map(
    Object.entries(nodes).map(([id, node]) => {
      const text = (key: string): string => {
        const value = isJsonObject(node) ? node[key] : undefined;
        return typeof value === 'string' ? value : '';
      };
      const keywords = text('keywords')
        .split(',')
        .filter((keyword) => keyword !== '');
      return [
        id,
        { id, timestamp: text('timestamp'), tags: [], keywords, summary: text('summary') },
      ];
    }),
  );
}

function readTags(root: unknown): Map<string, NodeMetadata> {
  const tags = isJsonObject(root) && isJsonObject(root['tags']) ? root['tags'] : {};
  const found = new Map<string, NodeMetadata & { readonly tags: string[] }>();
  for (const [tag, ids] of Object.entries(tags)) {
    for (const id of Array.isArray(ids) ? ids.map(String) : []) {
      const node = found.get(id) ?? { id, timestamp: '', tags: [], keywords: [], summary: '' };
      node.tags.push(tag);
      found.set(id, node);
    }
  }
  return found;
}
