import { AscendingTable } from './dictionary.ts';

/** Words as pieces of one text, which they are read from without a string of each. */
export interface WordList {
  readonly text: string;
  /** Where each word begins and ends. */
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
}

/** A trie over UTF-16 units, and the order in which it numbers the words. */
interface BuiltTrie {
  /** The unit that leads to a node. Node 0 is the root; nodes are numbered level by level. */
  readonly units: Uint16Array;
  /** The first child of each node; its last one is the one before the next node's first. */
  readonly children: AscendingTable;
  /** The first entry of each node; as with children, the next node's first ends them. */
  readonly entries: AscendingTable;
  /** The words by the order of their nodes; equal ones in the order of the list. */
  readonly order: Int32Array;
}

/** Fewer words are sorted by insertion. */
const FEW = 24;
/** The unit of a word that has ended. */
const ENDED = 0;

/** Builds the trie of some words, one for each entry: level by level, words are parted by their next unit. */
export function buildTrie(words: WordList): BuiltTrie {
  const parts = new WordParts(words);
  const size = words.starts.length;
  const order = new Int32Array(size);
  // No more nodes than characters.
  const most = words.ends.reduce((sum, end, at) => sum + end - (words.starts[at] ?? 0), 2);
  const units = new Uint16Array(most);
  const children = new Uint32Array(most + 1);
  const entries = new Uint32Array(most + 1);
  let nodes = 1;
  let numbered = 0;
  let entryCount = 0;
  let level = Uint32Array.of(0, size);
  let next = new Uint32Array(2 * size);
  for (let [depth, length] = [0, 2]; length > 0; depth++) {
    let nextLength = 0;
    for (let place = 0; place < length; place += 2) {
      const to = level[place + 1] ?? 0;
      let at = level[place] ?? 0;
      children[numbered] = nodes;
      entries[numbered++] = entryCount;
      parts.part(at, to, depth);
      for (; at < to && parts.units[at] === ENDED; at++) order[entryCount++] = parts.words[at] ?? 0;
      while (at < to) {
        const unit = parts.units[at] ?? 0;
        let end = at + 1;
        while (end < to && parts.units[end] === unit) end++;
        units[nodes++] = unit - 1;
        next[nextLength++] = at;
        next[nextLength++] = end;
        at = end;
      }
    }
    length = nextLength;
    [level, next] = [next, level.length < 2 * size ? new Uint32Array(2 * size) : level];
  }
  children[numbered] = nodes;
  entries[numbered] = entryCount;
  return {
    units: units.slice(0, nodes),
    children: AscendingTable.from(children.subarray(0, numbered + 1)),
    entries: AscendingTable.from(entries.subarray(0, numbered + 1)),
    order,
  };
}

/** Words in an order that is made step by step. */
class WordParts {
  readonly words: Int32Array;
  /** For each word at its place: its next unit + 1, or `ENDED`, where it was parted last. */
  readonly units: Int32Array;
  readonly #list: WordList;
  readonly #scratch: Int32Array;
  readonly #counts: Int32Array = new Int32Array(0x1_00_02);

  constructor(list: WordList) {
    const { length } = list.starts;
    this.#list = list;
    this.words = Int32Array.from({ length }, (_, at) => at);
    this.units = new Int32Array(length);
    this.#scratch = new Int32Array(length);
  }

  /** Sorts a range by the units at a depth; equal ones keep their order. */
  part(from: number, to: number, depth: number): void {
    const { text, starts, ends } = this.#list;
    const { words, units } = this;
    for (let at = from; at < to; at++) {
      const word = words[at] ?? 0;
      const place = (starts[word] ?? 0) + depth;
      units[at] = place < (ends[word] ?? 0) ? text.charCodeAt(place) + 1 : ENDED;
    }
    if (to - from <= FEW) this.#insert(from, to);
    else this.#distribute(from, to);
  }

  #insert(from: number, to: number): void {
    const { words, units } = this;
    for (let at = from + 1; at < to; at++) {
      const unit = units[at] ?? 0;
      const word = words[at] ?? 0;
      let place = at;
      for (; place > from && (units[place - 1] ?? 0) > unit; place--) {
        units[place] = units[place - 1] ?? 0;
        words[place] = words[place - 1] ?? 0;
      }
      units[place] = unit;
      words[place] = word;
    }
  }

  #distribute(from: number, to: number): void {
    const counts = this.#counts;
    const { words, units } = this;
    const met: number[] = [];
    for (let at = from; at < to; at++) {
      const unit = units[at] ?? 0;
      if (counts[unit] === 0) met.push(unit);
      counts[unit] = (counts[unit] ?? 0) + 1;
    }
    met.sort((a, b) => a - b);
    let start = from;
    for (const unit of met) {
      const count = counts[unit] ?? 0;
      counts[unit] = start;
      start += count;
    }
    const scratch = this.#scratch;
    for (let at = from; at < to; at++) {
      const unit = units[at] ?? 0;
      const place = counts[unit] ?? 0;
      scratch[place] = words[at] ?? 0;
      counts[unit] = place + 1;
    }
    for (let at = from; at < to; at++) words[at] = scratch[at] ?? 0;
    let at = from;
    for (const unit of met) {
      units.fill(unit, at, counts[unit]);
      at = counts[unit] ?? 0;
      counts[unit] = 0;
    }
  }
}
