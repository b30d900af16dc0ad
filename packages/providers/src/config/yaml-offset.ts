import { checkArgument } from '../input/check-input.ts';
import { ARRAY, having } from '../input/kinds.ts';

/** The part of a YAML node that is used, as the package `yaml` makes them. */
interface YamlNode {
  readonly range?: readonly number[] | null;
  readonly items?: readonly unknown[];
  readonly key?: unknown;
  readonly value?: unknown;
  /** Present on an alias. */
  readonly resolve?: (document: never) => unknown;
}

/** A document of the package `yaml`. */
export interface YamlDocument {
  readonly contents: unknown;
}

const DOCUMENT = having('a document of the package yaml', 'contents');

/**
 * Where a key or value is in a YAML document, in UTF-16 code units; where it is missing, what it is missing
 * from. Aliases are followed to their anchors.
 *
 * @param document - The result of `parseDocument` of the package `yaml`.
 * @param isKey - True if the key itself is meant, and not its value.
 */
export function yamlOffset(
  document: YamlDocument,
  path: readonly PropertyKey[],
  isKey = false,
): number {
  checkArgument('the document of yamlOffset', document, DOCUMENT);
  checkArgument('the path of yamlOffset', path, ARRAY);
  let node = resolved(document, document.contents);
  let offset = node?.range?.[0] ?? 0;
  let place: YamlNode | undefined;
  for (const step of path) {
    const found = below(node, step);
    place = asNode(found && isPair(found) ? found.key : found);
    if (!found || !place) return offset;
    offset = place.range?.[0] ?? offset;
    node = resolved(document, isPair(found) ? found.value : found);
  }
  // The value itself is meant where there is one.
  const isScalar = node !== undefined && !node.items && 'value' in node;
  return !isKey && isScalar && node?.range ? (node.range[0] ?? offset) : offset;
}

function below(node: YamlNode | undefined, step: PropertyKey): YamlNode | undefined {
  const items = node?.items ?? [];
  if (node === undefined || !isPair(asNode(items[0]))) return asNode(items[Number(step)]);
  const pairs = pairsByKey.get(node) ?? namedPairs(items);
  pairsByKey.set(node, pairs);
  return pairs.get(String(step));
}

/** The pairs of maps that were looked into: there may be as many findings as keys. */
const pairsByKey = new WeakMap<YamlNode, ReadonlyMap<string, YamlNode | undefined>>();

function namedPairs(items: readonly unknown[]): ReadonlyMap<string, YamlNode | undefined> {
  const pairs = new Map<string, YamlNode | undefined>();
  for (const pair of items.map(asNode)) {
    const name = String(asNode(pair?.key)?.value);
    // The first one counts.
    if (!pairs.has(name)) pairs.set(name, pair);
  }
  return pairs;
}

function isPair(node: YamlNode | undefined): boolean {
  return node !== undefined && 'key' in node;
}

function resolved(document: YamlDocument, value: unknown): YamlNode | undefined {
  const node = asNode(value);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the document that the alias is of
  return node?.resolve ? asNode(node.resolve(document as never)) : node;
}

function asNode(value: unknown): YamlNode | undefined {
  return typeof value === 'object' && value !== null ? value : undefined;
}
