import { isAlias, isMap, isNode, isPair, isScalar, isSeq, visit, type Document } from 'yaml';

/** Where a key or value stands in a document; where it is missing, what it is missing from. */
export function offsetOf(document: Document, path: readonly PropertyKey[], isKey = false): number {
  let node: unknown = document.contents;
  let offset = isNode(node) ? (node.range?.[0] ?? 0) : 0;
  for (const step of path) {
    // What an alias stands for is wrong where it is written.
    if (isAlias(node)) node = node.resolve(document);
    const found = isSeq(node) ? node.items[Number(step)] : pairOf(node, String(step));
    const place = isPair(found) ? found.key : found;
    if (!isNode(place)) break;
    offset = place.range?.[0] ?? offset;
    node = isPair(found) ? found.value : found;
  }
  // The value itself is meant where there is one.
  return !isKey && isScalar(node) && node.range ? node.range[0] : offset;
}

function pairOf(node: unknown, key: string): unknown {
  if (!isMap(node)) return undefined;
  return node.items.find((pair) => isScalar(pair.key) && String(pair.key.value) === key);
}

/** Where the first alias stands whose anchor is missing, or else the first one. */
export function firstAlias(document: Document): number {
  let first: number | undefined;
  let missing: number | undefined;
  visit(document, {
    Alias(_, alias) {
      const [offset] = alias.range ?? [0];
      first ??= offset;
      if (missing === undefined && alias.resolve(document) === undefined) missing = offset;
    },
  });
  return missing ?? first ?? 0;
}
