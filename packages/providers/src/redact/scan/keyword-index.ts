/** Finds all of many keywords in one pass, by Aho and Corasick (1975), whatever their case. */
export class KeywordIndex {
  /** The next state of a state and a class of characters. */
  readonly #next: Int16Array;
  readonly #classes: Uint8Array;
  readonly #width: number;
  /** The keywords that end in a state: pairs of a keyword's length and its number. */
  readonly #ends: readonly (readonly number[] | undefined)[];
  readonly #isEnd: Uint8Array;

  constructor(keywords: readonly string[]) {
    const folded = keywords.map((keyword) => keyword.toLowerCase());
    const alphabet = new Set(folded.join(''));
    this.#classes = new Uint8Array(128);
    let width = 1;
    for (const character of alphabet) {
      this.#classes[codeOf(character)] = width;
      this.#classes[codeOf(character.toUpperCase())] = width;
      width++;
    }
    this.#width = width;
    const { next, ends } = build(folded, this.#classes, width);
    this.#next = next;
    this.#ends = ends;
    this.#isEnd = Uint8Array.from(ends, (end) => (end ? 1 : 0));
  }

  /** Returns a cursor over the keywords of a text, in the order of their ends. */
  in(text: string): KeywordCursor {
    return new KeywordCursor(text, this.#next, this.#classes, this.#width, this.#isEnd, this.#ends);
  }
}

/** Goes from keyword to keyword: a loop over it is twice as fast as a function that is called for each. */
export class KeywordCursor {
  /** Where the keyword begins. */
  start = 0;
  keyword = 0;
  readonly #text: string;
  readonly #next: Int16Array;
  readonly #classes: Uint8Array;
  readonly #width: number;
  readonly #isEnd: Uint8Array;
  readonly #ends: readonly (readonly number[] | undefined)[];
  #at = 0;
  #state = 0;
  #found: readonly number[] = [];
  #pair = 0;

  constructor(
    text: string,
    next: Int16Array,
    classes: Uint8Array,
    width: number,
    isEnd: Uint8Array,
    ends: readonly (readonly number[] | undefined)[],
  ) {
    this.#text = text;
    this.#next = next;
    this.#classes = classes;
    this.#width = width;
    this.#isEnd = isEnd;
    this.#ends = ends;
  }

  /** The place after the keyword. */
  get end(): number {
    return this.#at;
  }

  /** Continues at a later place, if it is one. */
  jump(place: number): void {
    if (place <= this.#at) return;
    this.#at = place;
    this.#state = 0;
    this.#pair = this.#found.length;
  }

  /** Goes to the next keyword; returns whether there is one. */
  advance(): boolean {
    if (this.#pair >= this.#found.length && !this.#search()) return false;
    this.start = this.#at - (this.#found[this.#pair] ?? 0);
    this.keyword = this.#found[this.#pair + 1] ?? 0;
    this.#pair += 2;
    return true;
  }

  #search(): boolean {
    const text = this.#text;
    const next = this.#next;
    const classes = this.#classes;
    const width = this.#width;
    const isEnd = this.#isEnd;
    let state = this.#state;
    for (let at = this.#at; at < text.length; at++) {
      const code = text.charCodeAt(at);
      state = code < 128 ? (next[state * width + (classes[code] ?? 0)] ?? 0) : 0;
      if (isEnd[state] === 0) continue;
      this.#found = this.#ends[state] ?? [];
      this.#pair = 0;
      this.#state = state;
      this.#at = at + 1;
      return true;
    }
    this.#at = text.length;
    return false;
  }
}

interface Automaton {
  readonly next: Int16Array;
  readonly ends: readonly (readonly number[] | undefined)[];
}

function build(keywords: readonly string[], classes: Uint8Array, width: number): Automaton {
  const root: Node = { children: new Map(), ends: [], number: 0 };
  for (const [number, keyword] of keywords.entries()) {
    let node = root;
    for (const character of keyword) {
      const code = classes[codeOf(character)] ?? 0;
      let child = node.children.get(code);
      if (!child) {
        child = { children: new Map(), ends: [], number: 0 };
        node.children.set(code, child);
      }
      node = child;
    }
    node.ends.push(keyword.length, number);
  }
  // The states near the root, where most texts are most of the time, are next to each other in memory.
  const nodes = [root];
  for (const node of nodes) {
    for (const child of node.children.values()) child.number = nodes.push(child) - 1;
  }
  const next = new Int16Array(nodes.length * width);
  const fallback = new Int16Array(nodes.length);
  const ends: (readonly number[] | undefined)[] = [];
  for (const { children, ends: own, number } of nodes) {
    const back = fallback[number] ?? 0;
    const all = number === 0 ? own : [...own, ...(ends[back] ?? [])];
    ends.push(all.length > 0 ? all : undefined);
    const row = number * width;
    // Where no child follows, the longest other beginning continues; the root's row is still all zeros.
    if (number > 0) next.copyWithin(row, back * width, (back + 1) * width);
    for (const [code, { number: to }] of children) {
      fallback[to] = next[row + code] ?? 0;
      next[row + code] = to;
    }
  }
  return { next, ends };
}

/** A state before it has its transitions. */
interface Node {
  readonly children: Map<number, Node>;
  /** Pairs of the length and the number of a keyword that ends here. */
  readonly ends: number[];
  number: number;
}

function codeOf(character: string): number {
  const code = character.charCodeAt(0);
  if (code > 127) throw new RangeError(`keyword: expected ASCII, got ${JSON.stringify(character)}`);
  return code;
}
