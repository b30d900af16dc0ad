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

/**
 * Texts to look for at places of other texts, as they are or escaped. However many begin alike, their common
 * beginning is read once.
 */
export class Pieces {
  readonly #known = new Set<string>();
  /** All pieces in the order of their code units, when they are looked for. */
  #sorted: readonly string[] | undefined;

  /** Adds a piece without backslashes. */
  add(piece: string): void {
    this.#known.add(piece);
    this.#sorted = undefined;
  }

  /** Checks whether there is none. */
  get isEmpty(): boolean {
    return this.#known.size === 0;
  }

  /** Checks whether one of them begins with a text. */
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
  endAt(text: string, at: number): number | undefined {
    const sorted = this.#inOrder();
    const ways: Way[] = [{ at, depth: 0, low: 0, high: sorted.length }];
    let longest = 0;
    let end: number | undefined;
    for (let way = ways.pop(); way; way = ways.pop()) {
      const { depth, low, high } = way;
      if (depth > longest && sorted[low]?.length === depth) {
        longest = depth;
        end = way.at;
      }
      for (const [unit, next] of readingsAt(text, way.at)) {
        const from = firstFrom(sorted, depth, unit, low, high);
        const to = firstFrom(sorted, depth, unit + 1, from, high);
        if (from < to) ways.push({ at: next, depth: depth + 1, low: from, high: to });
      }
    }
    return end;
  }
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

const BACKSLASH = 92;
const AMPERSAND = 38;
const ENTITIES = [
  ['lt;', '<'],
  ['gt;', '>'],
  ['quot;', '"'],
  ['apos;', "'"],
] as const;

/** A code unit that a place of a text may represent, and where it ends. */
type Reading = readonly [unit: number, end: number];

/**
 * Returns what may be at a place of a text: its code unit, and what that is when the text is escaped: by JSON that is
 * a value of JSON, however often, or by XML. Backslashes are passed over, as one may be an escape or what was said.
 */
function readingsAt(text: string, at: number): readonly Reading[] {
  const unit = text.charCodeAt(at);
  if (Number.isNaN(unit)) return [];
  return unit === BACKSLASH ? afterBackslash(text, at + 1) : meaningsOf(unit, text, at + 1);
}

function meaningsOf(unit: number, text: string, end: number): readonly Reading[] {
  return unit === AMPERSAND ? afterAmpersand(text, end) : [[unit, end]];
}

function afterBackslash(text: string, at: number): readonly Reading[] {
  let after = at;
  // Each level of JSON doubles the backslashes of the one before.
  while (text.charCodeAt(after) === BACKSLASH) after++;
  const escaped = text.charCodeAt(after);
  if (Number.isNaN(escaped)) return [];
  const code = /^u([\da-f]{4})$/i.exec(text.slice(after, after + 5))?.[1];
  if (!code) return meaningsOf(escaped, text, after + 1);
  return [[escaped, after + 1], ...meaningsOf(Number.parseInt(code, 16), text, after + 5)];
}

/** `&amp;lt;` is an entity that was escaped again, and `&amp;` may have been said itself. */
function afterAmpersand(text: string, at: number): readonly Reading[] {
  let after = at;
  const readings: Reading[] = [[AMPERSAND, after]];
  while (text.startsWith('amp;', after)) {
    after += 4;
    readings.push([AMPERSAND, after]);
  }
  const named = ENTITIES.find(([name]) => text.startsWith(name, after));
  if (named) readings.push([named[1].charCodeAt(0), after + named[0].length]);
  const numbered = /^#(?:x([\da-f]{1,4})|(\d{1,5}));/i.exec(text.slice(after, after + 8));
  if (numbered) {
    const [all, hex, decimal] = numbered;
    const unit = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    readings.push([unit, after + all.length]);
  }
  return readings;
}
