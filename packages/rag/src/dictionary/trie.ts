import type { AscendingTable } from './ascending-table.ts';

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
