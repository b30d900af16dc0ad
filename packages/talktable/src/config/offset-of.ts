import { isMap, isNode, isPair, isScalar, isSeq, type Document } from 'yaml';

/** Where a key or value stands in a document; where it is missing, what it is missing from. */
export function offsetOf(document: Document, path: readonly PropertyKey[]): number {
  let node: unknown = document.contents;
  let offset = isNode(node) ? (node.range?.[0] ?? 0) : 0;
  for (const step of path) {
    const found = isSeq(node) ? node.items[Number(step)] : pairOf(node, String(step));
    const place = isPair(found) ? found.key : found;
    if (!isNode(place)) break;
    offset = place.range?.[0] ?? offset;
    node = isPair(found) ? found.value : found;
  }
  // The value itself is meant where there is one.
  return isScalar(node) && node.range ? node.range[0] : offset;
}

function pairOf(node: unknown, key: string): unknown {
  if (!isMap(node)) return undefined;
  return node.items.find((pair) => isScalar(pair.key) && String(pair.key.value) === key);
}
