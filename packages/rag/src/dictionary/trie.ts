import { AscendingTable } from './ascending-table.ts';

/** Up to here a line of children is looked through one by one. */
const FEW = 8;

/** Walks a trie that `buildTrie` made. */
export class Trie {
  /** The first entry of each node; the next node's first ends them. */
  readonly entries: AscendingTable;
  readonly #units: Uint16Array;
  readonly #children: AscendingTable;
  /** The children of the root, which has thousands, by their unit. */
  readonly #roots: Int32Array = new Int32Array(0x10000);

  constructor(units: Uint16Array, children: AscendingTable, entries: AscendingTable) {
    this.#units = units;
    this.#children = children;
    this.entries = entries;
    const end = children.at(1);
    for (let node = children.at(0); node < end; node++) this.#roots[units[node] ?? 0] = node;
  }

  /** The node that a unit leads to, or 0 if there is none. */
  step(node: number, unit: number): number {
    if (node === 0) return this.#roots[unit] ?? 0;
    const units = this.#units;
    let low = this.#children.at(node);
    let high = this.#children.at(node + 1);
    while (high - low > FEW) {
      const middle = (low + high) >> 1;
      if ((units[middle] ?? 0) <= unit) low = middle;
      else high = middle;
    }
    for (; low < high; low++) if (units[low] === unit) return low;
    return 0;
  }

  /** The node of a word, or 0 if no word begins so. */
  find(word: string): number {
    let node = 0;
    for (let at = 0; at < word.length; at++) {
      node = this.step(node, word.charCodeAt(at));
      if (node === 0) return 0;
    }
    return node;
  }
}

/** A trie over UTF-16 units, and the order in which it numbers the words. */
interface BuiltTrie {
  /** The unit that leads to a node. Node 0 is the root; nodes are numbered level by level. */
  readonly units: Uint16Array;
  /** The first child of each node; its last one is the one before the next node's first. */
  readonly children: AscendingTable;
  /** The first entry of each node; as with children, the next node's first ends them. */
  readonly entries: AscendingTable;
  /** The words by the order of their nodes, which is the order of their entries. */
  readonly order: readonly string[];
}

/** A node whose words are `sorted[from..to)`: all that begin with the same `depth` units. */
interface Range {
  readonly from: number;
  readonly to: number;
}

/**
 * Builds the trie of some words.
 *
 * @param entryCounts - How many entries each word has.
 */
export function buildTrie(entryCounts: ReadonlyMap<string, number>): BuiltTrie {
  // The default order is that of UTF-16 units, as children must be.
  const sorted = [...entryCounts.keys()].toSorted();
  const units: number[] = [0];
  const children: number[] = [];
  const entries: number[] = [];
  const order: string[] = [];
  let entryCount = 0;
  let nodeCount = 1;
  let level: Range[] = [{ from: 0, to: sorted.length }];
  for (let depth = 0; level.length > 0; depth++) {
    const next: Range[] = [];
    for (const { from, to } of level) {
      children.push(nodeCount);
      entries.push(entryCount);
      let at = from;
      const first = sorted[from];
      if (first?.length === depth && depth > 0) {
        order.push(first);
        entryCount += entryCounts.get(first) ?? 0;
        at++;
      }
      while (at < to) {
        const unit = unitAt(sorted, at, depth);
        let end = at + 1;
        while (end < to && unitAt(sorted, end, depth) === unit) end++;
        units.push(unit);
        next.push({ from: at, to: end });
        nodeCount++;
        at = end;
      }
    }
    level = next;
  }
  children.push(nodeCount);
  entries.push(entryCount);
  return {
    units: Uint16Array.from(units),
    children: AscendingTable.from(children),
    entries: AscendingTable.from(entries),
    order,
  };
}

function unitAt(sorted: readonly string[], index: number, depth: number): number {
  return sorted[index]?.charCodeAt(depth) ?? 0;
}
