import { regexPieces, type RegexPiece } from './regex-pieces.ts';

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
