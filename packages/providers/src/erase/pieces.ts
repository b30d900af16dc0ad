import { BACKSLASH, endOfBackslashes, escapesAt, type Reading } from './escapes.ts';
import { foldAsGiven, foldText, isBreak, isUnseenAt, readingsAt, Spaces } from './readings.ts';

/** How much a piece must say to be searched for: ideographs and kana count twice. */
export const MIN_WEIGHT = 8;
const WIDE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu;
const SPACE = 32;

/** Where something is in a text. */
export type Range = readonly [start: number, end: number];

/** Returns how much a piece says. */
export function weightOf(piece: string): number {
  return piece.length + (piece.match(WIDE)?.length ?? 0);
}

/**
 * Texts to look for at places of other texts: as they are or escaped, and in other widths, cases and forms of Unicode.
 * Both are looked for on their own, so that another form hides no copy that is verbatim.
 */
export class Pieces {
  readonly #given = new Set<string>();
  readonly #verbatim = new Index((text, at) => escapesAt(text, at));
  readonly #folded = new Index(readingsAt, isUnseenAt);

  /** Adds a piece without backslashes. */
  add(piece: string): void {
    this.#given.add(piece);
    this.#verbatim.add(piece);
    // Folded, aligned columns and decomposed letters say less than they did.
    for (const folded of new Set([foldText(piece), foldAsGiven(piece)]))
      if (weightOf(folded) >= MIN_WEIGHT) this.#folded.add(folded);
  }

  /** Returns the same pieces as the bytes of UTF-8, each a character. */
  ofBytes(): Pieces {
    const pieces = new Pieces();
    for (const piece of this.#given) pieces.add(Buffer.from(piece).toString('latin1'));
    return pieces;
  }

  /** Checks whether there is none. */
  get isEmpty(): boolean {
    return this.#given.size === 0;
  }

  /** Checks whether one of them begins with a text that says enough. */
  beginsWith(beginning: string, weight: number): boolean {
    const folded = foldText(beginning);
    return (
      (weightOf(beginning) >= weight && this.#verbatim.beginsWith(beginning)) ||
      (weightOf(folded) >= weight && this.#folded.beginsWith(folded))
    );
  }

  /** Returns where they are in a text, in the order of where they begin. */
  rangesIn(text: string): readonly Range[] {
    const ranges = [...rangesOf(text, this.#verbatim), ...rangesOf(text, this.#folded)];
    return ranges.toSorted(([a], [b]) => a - b);
  }
}

/** Returns where pieces are in a text, one after another. */
function rangesOf(text: string, pieces: Index): readonly Range[] {
  const ranges: Range[] = [];
  const spaces = new Spaces();
  for (let at = 0; at < text.length;) {
    const unit = text.charCodeAt(at);
    // No piece begins with a space.
    const end = unit === SPACE ? undefined : pieces.endAt(text, at, spaces);
    if (end !== undefined) ranges.push([at, end]);
    // Each backslash of a run is read as the first one is.
    at = end ?? (unit === BACKSLASH ? endOfBackslashes(text, at) : at + 1);
  }
  return ranges;
}

/** A way into the pieces: those that begin as the text does so far. */
interface Way {
  /** Where the text is read next. */
  readonly at: number;
  /** How many code units of the pieces are read. */
  readonly depth: number;
  /** The first piece that is left. */
  readonly low: number;
  /** The piece after the last one. */
  readonly high: number;
}

/** Pieces that are read in one way. However many begin alike, their common beginning is read once. */
class Index {
  readonly #read: (text: string, at: number, spaces: Spaces | undefined) => readonly Reading[];
  readonly #isNoBeginning: (text: string, at: number) => boolean;
  readonly #known = new Set<string>();
  /** All pieces in the order of their code units, when they are looked for. */
  #sorted: readonly string[] | undefined;

  constructor(
    read: (text: string, at: number, spaces: Spaces | undefined) => readonly Reading[],
    isNoBeginning: (text: string, at: number) => boolean = () => false,
  ) {
    this.#read = read;
    this.#isNoBeginning = isNoBeginning;
  }

  add(piece: string): void {
    this.#known.add(piece);
    this.#sorted = undefined;
  }

  beginsWith(text: string): boolean {
    const sorted = this.#inOrder();
    let from = 0;
    let to = sorted.length;
    while (from < to) {
      const middle = (from + to) >> 1;
      if ((sorted[middle] ?? '') < text) from = middle + 1;
      else to = middle;
    }
    return sorted[from]?.startsWith(text) === true;
  }

  #inOrder(): readonly string[] {
    return (this.#sorted ??= [...this.#known].toSorted(byCodeUnits));
  }

  /** Returns where the longest piece ends that begins at a place. */
  endAt(text: string, at: number, spaces: Spaces): number | undefined {
    if (this.#isNoBeginning(text, at)) return undefined;
    const sorted = this.#inOrder();
    const ways: Way[] = [{ at, depth: 0, low: 0, high: sorted.length }];
    // Where a run of signs has several readings, many ways lead to the same place of the text and the pieces.
    let known: Set<string> | undefined;
    let longest = 0;
    let end: number | undefined;
    for (let way = ways.pop(); way; way = ways.pop()) {
      const { depth, low, high } = way;
      if (depth > longest && sorted[low]?.length === depth) {
        longest = depth;
        end = way.at;
      }
      for (const [unit, next, more = ''] of this.#read(
        text,
        way.at,
        hasBreak(sorted, way) ? spaces : undefined,
      )) {
        let from = firstFrom(sorted, depth, unit, low, high);
        let to = firstFrom(sorted, depth, unit + 1, from, high);
        let after = depth + 1;
        for (; after - depth <= more.length; after++) {
          const other = more.charCodeAt(after - depth - 1);
          from = firstFrom(sorted, after, other, from, to);
          to = firstFrom(sorted, after, other + 1, from, to);
        }
        if (from >= to) continue;
        if (ways.length > 0) {
          const state = `${next} ${after} ${from}`;
          if (known?.has(state) === true) continue;
          (known ??= new Set()).add(state);
        }
        ways.push({ at: next, depth: after, low: from, high: to });
      }
    }
    return end;
  }
}

/** Checks whether white space may be next: one of the next code units is a space or wide. */
function hasBreak(sorted: readonly string[], { depth, low, high }: Way): boolean {
  if (depth === 0) return false;
  const last = sorted[high - 1]?.charCodeAt(depth) ?? Number.NaN;
  const space = firstFrom(sorted, depth, SPACE, low, high);
  return isBreak(last) || sorted[space]?.charCodeAt(depth) === SPACE;
}

function byCodeUnits(a: string, b: string): number {
  return a < b ? -1 : 1;
}

/** Returns the first piece whose code unit at a place is this one or a higher one; a piece that ended is lower. */
function firstFrom(
  sorted: readonly string[],
  depth: number,
  unit: number,
  low: number,
  high: number,
): number {
  let from = low;
  let to = high;
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((sorted[middle]?.charCodeAt(depth) ?? Number.NaN) >= unit) to = middle;
    else from = middle + 1;
  }
  return from;
}
