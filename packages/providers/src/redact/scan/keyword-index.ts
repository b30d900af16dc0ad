/** Finds all of many keywords in one pass, by Aho and Corasick (1975), whatever their case. */
export class KeywordIndex {
  /** The next state of a state and a class of characters. */
  readonly #next: Int16Array;
  readonly #classes: Uint8Array;
  readonly #width: number;
  /** What ends in a state: pairs of a keyword's length and its number. */
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

  /** Reports each keyword where it ends, from the first place on. */
  scan(text: string, found: (start: number, keyword: number) => void): void {
    const next = this.#next;
    const classes = this.#classes;
    const width = this.#width;
    const isEnd = this.#isEnd;
    let state = 0;
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      state = code < 128 ? (next[state * width + (classes[code] ?? 0)] ?? 0) : 0;
      if (isEnd[state] === 0) continue;
      const ends = this.#ends[state] ?? [];
      for (let pair = 0; pair < ends.length; pair += 2) {
        found(at + 1 - (ends[pair] ?? 0), ends[pair + 1] ?? 0);
      }
    }
  }
}

interface Automaton {
  readonly next: Int16Array;
  readonly ends: readonly (readonly number[] | undefined)[];
}

function build(keywords: readonly string[], classes: Uint8Array, width: number): Automaton {
  const states: Map<number, number>[] = [new Map()];
  const ends: (number[] | undefined)[] = [undefined];
  for (const [number, keyword] of keywords.entries()) {
    let state = 0;
    for (const character of keyword) {
      const code = classes[codeOf(character)] ?? 0;
      let to = states[state]?.get(code);
      if (to === undefined) {
        to = states.push(new Map()) - 1;
        ends.push(undefined);
        states[state]?.set(code, to);
      }
      state = to;
    }
    (ends[state] ??= []).push(keyword.length, number);
  }
  const next = new Int16Array(states.length * width);
  const fallback = new Int16Array(states.length);
  const queue = [...(states[0]?.values() ?? [])];
  for (const [code, to] of states[0] ?? []) next[code] = to;
  for (let at = 0; at < queue.length; at++) {
    const state = queue[at] ?? 0;
    const back = fallback[state] ?? 0;
    const inherited = ends[back];
    if (inherited) ends[state] = [...(ends[state] ?? []), ...inherited];
    for (let code = 0; code < width; code++) {
      const to = states[state]?.get(code);
      const other = next[back * width + code] ?? 0;
      next[state * width + code] = to ?? other;
      if (to === undefined) continue;
      fallback[to] = other;
      queue.push(to);
    }
  }
  return { next, ends };
}

function codeOf(character: string): number {
  const code = character.charCodeAt(0);
  if (code > 127) throw new RangeError(`keyword: expected ASCII, got ${JSON.stringify(character)}`);
  return code;
}
