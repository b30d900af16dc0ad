/** Strings of which a match contains at least one. */
export type AnyOf = readonly string[];

/** Strings of one list at most: `第[0-9]章` has ten. */
const MAX_STRINGS = 16;

/** Characters without another case, so that they stay certain where case does not count. */
const CASELESS = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\d]$/u;

/** The strings of a part of a regular expression. */
interface Part {
  /** All strings that it matches; nothing if they are too many. */
  readonly exact?: AnyOf | undefined;
  /** Lists of strings; each match of it contains one of each. */
  readonly needs: readonly AnyOf[];
  /** True if it is repeated: it begins and ends with one of `exact`. */
  readonly isLoop?: boolean;
}

const ANYTHING: Part = { needs: [] };

/**
 * Returns lists of strings, the longest first; every match contains one of each list. They are for looking with `indexOf`
 * before a regular expression is run. Empty where nothing is certain: flags inside, parts that may be absent, classes of many
 * characters.
 *
 * @param source - In RE2 syntax, and right.
 * @param flags - With `i`, only characters that have no case are certain.
 *
 * @example
 * ```ts
 * literalsOf('第[0-9]+章の(夜明け|朝)?鐘'); // [['章の夜明け鐘', '章の朝鐘', '章の鐘'], ['第']]
 * literalsOf('灯台|港'); // [['灯台', '港']]
 * ```
 */
export function literalsOf(source: string, flags = ''): readonly AnyOf[] {
  const pieces = regexPieces(source);
  if (pieces.some(({ kind }) => kind === 'unsure')) return [];
  const isCertain = (character: string): boolean =>
    !flags.includes('i') || CASELESS.test(character);
  const found = needsOf(readAlternatives(pieces.values(), isCertain));
  const byText = new Map(found.map((list) => [JSON.stringify(list), list]));
  return [...byText.values()].toSorted((a, b) => leastLength(b) - leastLength(a));
}

/** Reads up to the end of the group. */
function readAlternatives(
  pieces: Iterator<RegexPiece>,
  isCertain: (character: string) => boolean,
): Part {
  const branches: Part[] = [];
  let sequence = new Sequence();
  for (let next = pieces.next(); next.done !== true; next = pieces.next()) {
    const piece = next.value;
    if (piece.kind === 'close') break;
    if (piece.kind === 'repeat') sequence.repeat(piece);
    else if (piece.kind === 'or') {
      branches.push(sequence.end());
      sequence = new Sequence();
    } else {
      const part = piece.kind === 'open' ? readAlternatives(pieces, isCertain) : undefined;
      sequence.add(part ?? partOf(piece, isCertain));
    }
  }
  branches.push(sequence.end());
  return anyOfParts(branches);
}

/** Parts one after the other. */
class Sequence {
  readonly #needs: AnyOf[] = [];
  #isExact = true;
  /** All strings that the parts since the last gap match. */
  #run: AnyOf = [''];
  /** The last part, which a repetition may follow. */
  #last: Part | undefined;

  add(part: Part): void {
    this.#settle();
    this.#last = part;
  }

  repeat({ text, min }: RegexPiece): void {
    const { exact, needs } = this.#last ?? ANYTHING;
    const isOptional = text.startsWith('?');
    if (isOptional && exact) this.#last = { exact: [...new Set([...exact, ''])], needs: [] };
    else this.#last = min === 0 || isOptional ? ANYTHING : { exact, needs, isLoop: true };
  }

  end(): Part {
    this.#settle();
    if (this.#isExact) return { exact: this.#run, needs: [] };
    this.#gap();
    return { needs: this.#needs };
  }

  #settle(): void {
    const part = this.#last;
    this.#last = undefined;
    if (!part) return;
    const { exact } = part;
    if (!exact) {
      this.#gap();
      this.#needs.push(...part.needs);
      return;
    }
    const joined = new Set(this.#run.flatMap((start) => exact.map((end) => start + end)));
    if (joined.size <= MAX_STRINGS) this.#run = [...joined];
    else {
      this.#gap();
      this.#run = exact;
    }
    if (part.isLoop !== true) return;
    this.#gap();
    this.#run = exact;
  }

  /** Anything may come here. */
  #gap(): void {
    this.#isExact = false;
    if (!this.#run.includes('')) this.#needs.push(this.#run);
    this.#run = [''];
  }
}

function anyOfParts(branches: readonly Part[]): Part {
  const [first = ANYTHING] = branches;
  if (branches.length === 1) return first;
  const exact = branches.flatMap((branch) => branch.exact ?? []);
  const isExact = branches.every((branch) => branch.exact);
  if (isExact && exact.length <= MAX_STRINGS) return { exact: [...new Set(exact)], needs: [] };
  const most = branches.map((branch) => {
    return needsOf(branch).toSorted((a, b) => leastLength(b) - leastLength(a))[0] ?? [];
  });
  const all = [...new Set(most.flat())];
  const isCertain = most.every(({ length }) => length > 0) && all.length <= MAX_STRINGS;
  return isCertain ? { needs: [all] } : ANYTHING;
}

function needsOf({ exact, needs }: Part): readonly AnyOf[] {
  if (!exact) return needs;
  return exact.includes('') ? [] : [exact];
}

function leastLength(list: AnyOf): number {
  return Math.min(...list.map(({ length }) => length));
}

function partOf(
  { kind, text, character }: RegexPiece,
  isCertain: (character: string) => boolean,
): Part {
  if (kind === 'place') return { exact: [''], needs: [] };
  const characters = kind === 'literal' ? [character] : membersOf(text);
  return characters.length > 0 && characters.every(isCertain)
    ? { exact: characters, needs: [] }
    : ANYTHING;
}

/** Returns the characters of a class; none if they are many, or this reader is not sure about them. */
function membersOf(text: string): readonly string[] {
  if (!text.startsWith('[') || /^\[\^|\\|\[:/u.test(text)) return [];
  const inside = Array.from(text.slice(1, -1));
  const members = new Set<string>();
  for (let at = 0; at < inside.length; at++) {
    const from = inside[at] ?? '';
    const isRange = inside[at + 1] === '-' && at + 2 < inside.length;
    const to = isRange ? (inside[at + 2] ?? from) : from;
    const [first = 0, last = 0] = [from.codePointAt(0), to.codePointAt(0)];
    if (last - first >= MAX_STRINGS) return [];
    for (let code = first; code <= last; code++) members.add(String.fromCodePoint(code));
    if (isRange) at += 2;
  }
  return members.size <= MAX_STRINGS ? [...members] : [];
}

/** A piece of the source of a regular expression. */
export interface RegexPiece {
  readonly kind:
    | 'literal'
    /** Some character: a class, a dot, an escape such as `\d`. */
    | 'some'
    /** No character: `^`, `$`, `\b`. */
    | 'place'
    | 'open'
    | 'close'
    | 'or'
    | 'repeat'
    /** Anything that this reader is not sure about: `\Q`, groups with flags. */
    | 'unsure';
  readonly start: number;
  readonly text: string;
  /** The character of a literal. */
  readonly character: string;
  /** The least count of a repetition. */
  readonly min: number;
  /** The number of copies of a repetition, at least one; a loop costs no more. */
  readonly max: number;
}

const PIECES: readonly (readonly [kind: RegexPiece['kind'], pattern: RegExp])[] = [
  ['open', /\((?:\?(?::|P?<[A-Za-z_]\w*>))?(?!\?)/uy],
  ['unsure', /\(\?[a-zA-Z-]*[):]?|\\Q/uy],
  ['close', /\)/uy],
  ['or', /\|/uy],
  ['repeat', /[*+?]\??|\{\d+(?:,\d*)?\}\??/uy],
  ['place', /[\^$]|\\[bBAz]/uy],
  // The first `]` of a class is one of its characters.
  ['some', /\[\^?\]?(?:\[:\^?\w+:\]|\\[^]|[^\]\\])*\]/uy],
  ['some', /\.|\\[dDsSwW]|\\[pP](?:\{\^?\w+\}|\w)|\\x(?:\{[\da-fA-F]+\}|[\da-fA-F]{2})/uy],
  ['some', /\\[aftnrv]|\\[0-7]{1,3}/uy],
  ['literal', /\\[^\p{L}\p{N}]|[^\\[{]/uy],
  ['unsure', /\\?[^]/uy],
];

/** Cuts a regular expression in RE2 syntax into pieces, whether or not it is right. */
export function regexPieces(source: string): readonly RegexPiece[] {
  const pieces: RegexPiece[] = [];
  for (let at = 0; at < source.length;) {
    const piece = pieceAt(source, at);
    pieces.push(piece);
    at += piece.text.length;
  }
  return pieces;
}

function pieceAt(source: string, start: number): RegexPiece {
  for (const [kind, pattern] of PIECES) {
    pattern.lastIndex = start;
    const text = pattern.exec(source)?.[0];
    if (text === undefined) continue;
    const character = text.length > 1 && text.startsWith('\\') ? text.slice(1) : text;
    return { kind, start, text, character, ...timesOf(text) };
  }
  const text = source.charAt(start);
  return { kind: 'unsure', start, text, character: text, min: 1, max: 1 };
}

function timesOf(text: string): { readonly min: number; readonly max: number } {
  const sign = text.charAt(0);
  if (sign === '*' || sign === '?') return { min: 0, max: 1 };
  const [, least = '1', most = ''] = /^\{(\d+)(?:,(\d*))?\}/u.exec(text) ?? [];
  const min = Number(least);
  return { min, max: Math.max(1, min, Number(most)) };
}
