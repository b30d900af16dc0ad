/** A regular expression as far as it says which characters may be where. */
type Piece =
  | { readonly kind: 'set'; readonly table: Uint8Array }
  | { readonly kind: 'all'; readonly pieces: readonly Piece[] }
  | { readonly kind: 'any'; readonly pieces: readonly Piece[] }
  | { readonly kind: 'many'; readonly piece: Piece; readonly least: number; readonly most: number };

/** More of the same piece are not distinguished. */
const MOST_COPIES = 8;

const NOTHING: Piece = { kind: 'all', pieces: [] };

/** Reads an expression of a rule of this package, whose syntax is a part of all; what looks around matches everything. */
class Reader {
  readonly #source: string;
  readonly #flags: string;
  #at = 0;

  constructor({ source, flags }: RegExp) {
    this.#source = source;
    this.#flags = flags.includes('i') ? 'i' : '';
  }

  /** Reads alternatives, up to the end of their group. */
  read(): Piece {
    const pieces = [this.#sequence()];
    while (this.#source[this.#at] === '|') {
      this.#at++;
      pieces.push(this.#sequence());
    }
    return { kind: 'any', pieces };
  }

  #sequence(): Piece {
    const pieces: Piece[] = [];
    while (this.#at < this.#source.length && !/[|)]/.test(this.#source[this.#at] ?? '')) {
      pieces.push(this.#repeated(this.#atom()));
    }
    return { kind: 'all', pieces };
  }

  #repeated(piece: Piece): Piece {
    const match = /^(?:[*+?]|\{(\d+)(,?)(\d*)\})\??/.exec(this.#source.slice(this.#at));
    if (!match) return piece;
    this.#at += match[0].length;
    const { 0: text, 1: least = '', 2: comma = '', 3: most = '' } = match;
    if (text.startsWith('*')) return { kind: 'many', piece, least: 0, most: Infinity };
    if (text.startsWith('+')) return { kind: 'many', piece, least: 1, most: Infinity };
    if (text.startsWith('?')) return { kind: 'many', piece, least: 0, most: 1 };
    const limit = comma === '' ? Number(least) : most === '' ? Infinity : Number(most);
    return { kind: 'many', piece, least: Number(least), most: limit };
  }

  #atom(): Piece {
    const rest = this.#source.slice(this.#at);
    if (rest.startsWith('(')) return this.#group(rest);
    const text =
      /^(?:\[(?:\\[^]|[^\]\\])*\]|\\(?:u[\da-f]{4}|x[\da-f]{2}|k<\w+>|[^])|[^])/i.exec(rest)?.[0] ??
      '';
    this.#at += text.length;
    if (/^(?:[$^]|\\[bB])$/.test(text)) return NOTHING;
    if (/^\\[k1-9]/.test(text))
      return { kind: 'many', piece: this.#set('[^]'), least: 0, most: Infinity };
    return this.#set(text);
  }

  #group(rest: string): Piece {
    const begin = /^\((?:\?(?:<?[=!]|:|<\w+>))?/.exec(rest)?.[0] ?? '(';
    this.#at += begin.length;
    const piece = this.read();
    this.#at++;
    return /[=!]$/.test(begin) ? NOTHING : piece;
  }

  #set(text: string): Piece {
    const key = this.#flags + text;
    let table = tables.get(key);
    if (!table) {
      const pattern = new RegExp(text, this.#flags);
      table = Uint8Array.from({ length: 128 }, (_, code) =>
        pattern.test(String.fromCharCode(code)) ? 1 : 0,
      );
      tables.set(key, table);
    }
    return { kind: 'set', table };
  }
}

/** Characters by their class: patterns share most of them. */
const tables = new Map<string, Uint8Array>();

/** A place in an expression: those after it, by a character or without one. */
interface State {
  readonly table: Uint8Array | undefined;
  readonly next: State[];
}

/** Builds the states of a piece before others; returns where it begins. */
function build(piece: Piece, next: State): State {
  switch (piece.kind) {
    case 'set':
      return { table: piece.table, next: [next] };
    case 'all':
      return piece.pieces.reduceRight((rest, each) => build(each, rest), next);
    case 'any':
      return { table: undefined, next: piece.pieces.map((each) => build(each, next)) };
    default:
      return buildMany(piece.piece, piece.least, piece.most, next);
  }
}

function buildMany(piece: Piece, least: number, most: number, next: State): State {
  let start = next;
  if (most > least || least > MOST_COPIES) {
    const loop: State = { table: undefined, next: [next] };
    loop.next.push(build(piece, most === 1 ? next : loop));
    start = loop;
  }
  for (let copies = Math.min(least, MOST_COPIES); copies > 0; copies--) start = build(piece, start);
  return start;
}

/** How many characters after a keyword are known. */
export const KNOWN_CHARACTERS = 4;

/**
 * Returns for some places after a keyword which characters of ASCII a pattern may have there, if it matches at the
 * keyword in any case; nothing for places where any may be.
 */
export function whatFollows(pattern: RegExp, keyword: string): readonly (Uint8Array | undefined)[] {
  const { start, end } = statesOf(pattern);
  let states = withEmpty([start]);
  for (const character of keyword) {
    if (states.has(end)) return [];
    const codes = [character.toLowerCase(), character.toUpperCase()].map((each) =>
      each.charCodeAt(0),
    );
    states = after(states, (table) => codes.some((code) => table[code] === 1));
  }
  const found: (Uint8Array | undefined)[] = [];
  while (found.length < KNOWN_CHARACTERS && !states.has(end)) {
    const all = new Uint8Array(128);
    for (const { table } of states) {
      if (table)
        for (let code = 0; code < 128; code++) all[code] = (all[code] ?? 0) | (table[code] ?? 0);
    }
    found.push(all);
    states = after(states, () => true);
  }
  return found;
}

interface Begun {
  readonly start: State;
  readonly end: State;
}

const known = new WeakMap<RegExp, Begun>();

function statesOf(pattern: RegExp): Begun {
  let begun = known.get(pattern);
  if (!begun) {
    const end: State = { table: undefined, next: [] };
    begun = { start: build(new Reader(pattern).read(), end), end };
    known.set(pattern, begun);
  }
  return begun;
}

function after(states: ReadonlySet<State>, isNext: (table: Uint8Array) => boolean): Set<State> {
  return withEmpty([...states].flatMap(({ table, next }) => (table && isNext(table) ? next : [])));
}

/** Returns states and those that are reached from them without a character. */
function withEmpty(states: readonly State[]): Set<State> {
  const found = new Set(states);
  for (const { table, next } of found) if (!table) for (const each of next) found.add(each);
  return found;
}
