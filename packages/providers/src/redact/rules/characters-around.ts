import { codeAt } from '../code-at.ts';
import { hasAlternatives } from './keywords-of.ts';

/**
 * Which characters a pattern reads around the end of a keyword: most patterns that fail at a keyword fail there, and
 * asking a table is ten times as fast as asking the pattern.
 */

/** A set of characters as bits: those of ASCII, and one for all others and for the end of a text. */
type Characters = bigint;

const OTHERS = 128;
const ALL: Characters = (1n << BigInt(OTHERS + 1)) - 1n;

/** A state of an expression. Without characters it leads on without reading any. */
interface State {
  readonly reads: Characters;
  readonly next: State[];
}

/** A part of an expression: returns its first state from the one after it. */
type Part = (next: State) => State;

/** More repetitions are as many as one likes. */
const MOST_COPIES = 8;
/** The characters before a keyword that are asked for. */
const BEFORE = 3;
/** The last character of a keyword, and the next ones. */
const AFTER = 12;

/** The characters that a pattern allows around a keyword, each place on its own. */
export interface CharactersAround {
  /** For each character of ASCII, and last for all others and for the end of the text: a bit for each place. */
  readonly table: Uint32Array;
  /**
   * The places where some characters may not be, those with the fewest characters first, by their distance from the
   * last character of the keyword, or below zero from its first one. The place of an index has the bit of that index.
   */
  readonly places: Int8Array;
}

/**
 * Returns the characters that a pattern allows around a keyword that it begins with, whatever the case of it.
 *
 * @returns Nothing for a pattern whose syntax is not read, and for one with which all characters may be there.
 */
export function charactersAround(
  { source, flags }: RegExp,
  keyword: string,
): CharactersAround | undefined {
  if (/[uv]/.test(flags)) return undefined;
  const foldsCase = flags.includes('i');
  const part = new Reader(source, foldsCase).read();
  if (!part) return undefined;
  const end: State = { reads: 0n, next: [] };
  const sets: Characters[] = [];
  let states = closed([part(end)]);
  for (let at = 0; at < keyword.length + AFTER - 1; at++) {
    const asked = at < keyword.length ? bothCases(keyword.charAt(at)) : ALL;
    // Any character may follow a match.
    const isDone = states.has(end);
    if (at >= keyword.length - 1) sets.push(isDone ? asked : charactersOf(states, asked));
    if (!isDone) states = closed(nextOf(states, asked));
  }
  const before = charactersBefore(source, foldsCase);
  if ([...sets.slice(1), ...before].every((set) => set === ALL)) return undefined;
  const after = sets.map((set, place) => ({ set, place }));
  const asked = bothCases(keyword.slice(-1));
  const places = [...after, ...before.map((set, at) => ({ set, place: -1 - at }))]
    .filter(({ set, place }) => set !== (place === 0 ? asked : ALL))
    .toSorted((a, b) => sizeOf(a.set) - sizeOf(b.set));
  const table = Uint32Array.from({ length: OTHERS + 1 }, (_, code) =>
    places.reduce((bits, { set }, at) => bits | (Number((set >> BigInt(code)) & 1n) << at), 0),
  );
  return { table, places: Int8Array.from(places, ({ place }) => place) };
}

/** Counts the characters of a set. */
function sizeOf(set: Characters): number {
  let size = 0;
  for (let rest = set; rest > 0n; rest &= rest - 1n) size++;
  return size;
}

/** Returns what the lookbehind allows that a pattern begins with: the nearest character first. */
function charactersBefore(source: string, foldsCase: boolean): readonly Characters[] {
  const none = Array.from({ length: BEFORE }, () => ALL);
  if (!source.startsWith('(?<=') || hasAlternatives(source)) return none;
  const part = new Reader(source, foldsCase).readLookbehind();
  if (!part) return none;
  const end: State = { reads: 0n, next: [] };
  let states = closed([part(end)]);
  return none.map(() => {
    if (states.has(end)) return ALL;
    const set = charactersOf(states, ALL);
    states = closed(nextOf(states, ALL));
    return set;
  });
}

/** Checks whether a pattern may match at a keyword with these characters around it. */
export function mayBeAround(
  { table, places }: CharactersAround,
  text: string,
  start: number,
  end: number,
): boolean {
  for (let at = 0; at < places.length; at++) {
    const place = places[at] ?? 0;
    const code = codeAt(text, place < 0 ? start + place : end - 1 + place);
    if ((((table[code < OTHERS ? code : OTHERS] ?? 0) >>> at) & 1) === 0) return false;
  }
  return true;
}

function charactersOf(states: ReadonlySet<State>, asked: Characters): Characters {
  let all = 0n;
  for (const { reads } of states) all |= reads & asked;
  return all;
}

function nextOf(states: ReadonlySet<State>, asked: Characters): readonly State[] {
  return [...states].flatMap(({ reads, next }) => ((reads & asked) === 0n ? [] : next));
}

/** Returns states with all that follow them without a character. */
function closed(states: readonly State[]): ReadonlySet<State> {
  const all = new Set(states);
  // A set is read with what is added meanwhile.
  for (const { reads, next } of all) if (reads === 0n) for (const state of next) all.add(state);
  return all;
}

function bothCases(character: string): Characters {
  return characterOf(character.toLowerCase()) | characterOf(character.toUpperCase());
}

function characterOf(character: string): Characters {
  return 1n << BigInt(Math.min(character.charCodeAt(0), OTHERS));
}

const TOKEN =
  /\\k<[^>]*>|\\[1-9]\d*|\\u[\da-f]{4}|\\x[\da-f]{2}|\\c[a-z]|\\[^]|\[(?:\\[^]|[^\\\]])*\]|\((?:\?(?:<?[=!]|:|<[^>=!]+>))?|(?:[*+?]|\{\d+(?:,\d*)?\})\??|[^]/gi;
const QUANTIFIER = /^(?:\*|\+|\?|\{(\d+)(,?)(\d*)\})\??$/;

/** Reads an expression; conditions such as lookarounds and `\b` are taken to hold. */
class Reader {
  readonly #tokens: readonly string[];
  readonly #foldsCase: boolean;
  #at = 0;
  #isReversed = false;

  constructor(source: string, foldsCase: boolean) {
    this.#tokens = source.match(TOKEN) ?? [];
    this.#foldsCase = foldsCase;
  }

  /** Returns the whole expression, or nothing if its syntax is not read. */
  read(): Part | undefined {
    const part = this.#alternatives();
    return this.#at === this.#tokens.length ? part : undefined;
  }

  /** Returns the lookbehind that the expression begins with, from its end. */
  readLookbehind(): Part | undefined {
    this.#at = 1;
    this.#isReversed = true;
    const part = this.#alternatives();
    return this.#tokens[this.#at] === ')' ? part : undefined;
  }

  #alternatives(): Part | undefined {
    const parts: Part[] = [];
    do {
      const part = this.#sequence();
      if (!part) return undefined;
      parts.push(part);
    } while (this.#tokens[this.#at] === '|' && ++this.#at > 0);
    return (next) => ({ reads: 0n, next: parts.map((part) => part(next)) });
  }

  #sequence(): Part | undefined {
    const parts: Part[] = [];
    for (let token = this.#tokens[this.#at]; token !== undefined; token = this.#tokens[this.#at]) {
      if (token === '|' || token === ')') break;
      this.#at++;
      const part = this.#piece(token);
      if (!part) return undefined;
      parts.push(this.#repeated(part));
    }
    if (!this.#isReversed) parts.reverse();
    return (next) => parts.reduce((after, part) => part(after), next);
  }

  #piece(token: string): Part | undefined {
    if (QUANTIFIER.test(token)) return undefined;
    if (token.startsWith('(')) {
      const part = this.#alternatives();
      if (this.#tokens[this.#at++] !== ')') return undefined;
      return /^\(\?<?[=!]/.test(token) ? nothing : part;
    }
    if (/^(?:\^|\$|\\[bB])$/.test(token)) return nothing;
    // The text of a group is any text.
    if (/^\\(?:k|[1-9])/.test(token)) return anyNumberOf((next) => ({ reads: ALL, next: [next] }));
    const reads = charactersIn(token, this.#foldsCase);
    return (next) => ({ reads, next: [next] });
  }

  #repeated(part: Part): Part {
    const match = QUANTIFIER.exec(this.#tokens[this.#at] ?? '');
    if (!match) return part;
    this.#at++;
    const { 0: quantifier, 1: digits, 2: comma, 3: limit } = match;
    const least = digits === undefined ? (quantifier.startsWith('+') ? 1 : 0) : Number(digits);
    const isOnce = quantifier.startsWith('?') || (least === 0 && limit === '1');
    if (isOnce) return (next) => ({ reads: 0n, next: [part(next), next] });
    const copies = Math.min(least, MOST_COPIES);
    const isExact = digits !== undefined && comma === '' && copies === least;
    const rest = isExact ? nothing : anyNumberOf(part);
    return (next) => {
      let state = rest(next);
      for (let copy = 0; copy < copies; copy++) state = part(state);
      return state;
    };
  }
}

function nothing(next: State): State {
  return next;
}

function anyNumberOf(part: Part): Part {
  return (next) => {
    const loop: State = { reads: 0n, next: [next] };
    loop.next.push(part(loop));
    return loop;
  };
}

/** Sets by their sources: hundreds of patterns share a few. */
const sets = new Map<string, Characters>();

function charactersIn(source: string, foldsCase: boolean): Characters {
  if (/^[\w ]$/.test(source)) return foldsCase ? bothCases(source) : characterOf(source);
  const key = foldsCase ? `i${source}` : `-${source}`;
  let set = sets.get(key);
  if (set === undefined) {
    set = /^\[\^|^\.$|\\[sSWDpPux]|[^ -~]/.test(source) ? characterOf('\u0080') : 0n;
    const found = ASCII.match(new RegExp(source, foldsCase ? 'gis' : 'gs')) ?? [];
    for (const character of found) set |= characterOf(character);
    sets.set(key, set);
  }
  return set;
}

const ASCII = String.fromCharCode(...Array.from({ length: OTHERS }, (_, code) => code));
