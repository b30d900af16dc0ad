import { isJsonObject } from '@vizprompt/providers/internal';
import { parseYamlValue } from '../format/yaml.ts';
import type { NodeMetadata } from '../index/node-index.ts';
import { INDEX_FILE, indexText, tagsText } from '../write/metadata-files.ts';
import { mergeKeys, type Sides } from './three-way.ts';

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
