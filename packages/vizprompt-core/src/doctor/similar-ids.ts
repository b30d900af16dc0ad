import { isUuid } from '../format/ids-and-times.ts';

/** The least characters of an id that was cut off. */
const MIN_BEGINNING = 8;

/**
 * Pieces of a UUID that differ by chance, whatever its version. Two slips change four of five at most, so that an
 * id with a slip has one of them, at its place or up to two characters from it.
 */
const PIECES = [20, 24, 27, 30, 33] as const;
const PIECE = 3;
const SHIFTS = [-2, -1, 0, 1, 2] as const;
/** More have a piece in common only where ids are no random ones, such as numbers: then a slip may mean any of them. */
const MAX_CANDIDATES = 1000;

/** Ids of nodes among which one that is written with a slip is looked for. */
export class SimilarIds {
  readonly #ids: readonly string[];
  #pieces: ReadonlyMap<string, readonly string[]> | undefined;
  #sorted: readonly string[] | undefined;

  /** @param ids - UUIDs in lower case. */
  constructor(ids: Iterable<string>) {
    this.#ids = [...ids];
  }

  /** Returns the ids that differ from what is written by a slip; none where more than a thousand are to be compared. */
  like(written: string): readonly string[] {
    const plain = plainId(written).toLowerCase();
    this.#pieces ??= piecesOf(this.#ids);
    const candidates = new Set<string>();
    for (const at of PIECES) {
      for (const shift of SHIFTS) {
        const piece = plain.slice(at + shift, at + shift + PIECE);
        for (const id of this.#pieces.get(`${at} ${piece}`) ?? []) candidates.add(id);
        if (candidates.size > MAX_CANDIDATES) return [];
      }
    }
    return [...candidates].filter((id) => isLike(id, plain));
  }

  /** Returns the id that is meant by what is written: the only one that differs by a slip, or that begins with it. */
  meant(written: string): string | undefined {
    const near = new Set([...this.like(written), ...this.#begunBy(plainId(written))]);
    const [only] = near;
    return near.size === 1 ? only : undefined;
  }

  /** Returns two of the ids that begin so, at most. */
  #begunBy(plain: string): readonly string[] {
    if (plain.length < MIN_BEGINNING) return [];
    this.#sorted ??= this.#ids.toSorted();
    let [low, high] = [0, this.#sorted.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#sorted[middle] ?? '') < plain) low = middle + 1;
      else high = middle;
    }
    return this.#sorted.slice(low, low + 2).filter((id) => id.startsWith(plain));
  }
}

function piecesOf(ids: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const id of ids) {
    for (const at of PIECES) {
      const key = `${at} ${id.slice(at, at + PIECE)}`;
      const others = found.get(key);
      if (others) others.push(id);
      else found.set(key, [id]);
    }
  }
  return found;
}

/** A node file of which the id cannot be read. */
interface Nameless {
  readonly file: string;
  /** The id as it is in the file; empty if it has none. */
  readonly written: string;
}

/**
 * Finds the ids of node files that say none: ids that a flow names and that no file has. It is the one that the map
 * of nodes has for the file, one that differs from what the file says by a slip, or the only one that is left. It
 * never contradicts the id in the file or in the map.
 *
 * @param missing - The ids that flows name and no file has.
 * @param mapped - The ids that the map of nodes has for files.
 */
export function findLostIds(
  files: readonly Nameless[],
  missing: ReadonlySet<string>,
  mapped: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  const left = new Set(missing);
  const found = new Map<string, string>();
  const take = ({ file, written }: Nameless, id = mapped.get(file)): void => {
    const inMap = mapped.get(file);
    if (id === undefined || (inMap ?? id) !== id) return;
    const isMeant =
      isPossible(written, id) || (inMap === id && digitsOf(written).length < MIN_DIGITS);
    if (!isMeant || !left.delete(id)) return;
    found.set(file, id);
  };
  for (const each of files) take(each);
  const similar = new SimilarIds(missing);
  for (const each of files) {
    if (found.has(each.file)) continue;
    const near = similar.like(each.written).filter((id) => left.has(id));
    if (near.length === 1) take(each, near[0]);
  }
  const rest = files.filter(({ file }) => !found.has(file));
  const [only] = rest;
  if (only && rest.length === 1 && left.size === 1) take(only, [...left][0]);
  return found;
}

/** The least digits that say which id they are from. */
const MIN_DIGITS = 8;

/** Checks whether what is written can be an id: nothing, its beginning, a part of its digits, or the id with a slip. */
function isPossible(written: string, id: string): boolean {
  const plain = plainId(written).toLowerCase();
  if (!/[\p{L}\p{N}]/u.test(plain) || id.startsWith(plain) || isLike(id, plain)) return true;
  const digits = digitsOf(written);
  return digits.length >= MIN_DIGITS && digitsOf(id).includes(digits);
}

/** Returns the hexadecimal digits of an id, without all that is around them. */
function digitsOf(written: string): string {
  return written
    .normalize('NFKC')
    .toLowerCase()
    .replace('urn:uuid:', '')
    .replaceAll(/[^\da-f]/g, '');
}

/** Returns the id in the first tag of a node file as it is written, whatever it is. */
export function writtenId(text: string): string {
  const root = /<(?:\w*:)?node\b[^>]*>/i.exec(text)?.[0] ?? '';
  return /\b(?:id|uuid)\s*[=:]\s*["'“]?([^"'”\s>]*)/i.exec(root)?.[1] ?? '';
}

/** Reads the map of nodes: the id for each file. */
export function mappedIds(map: string): ReadonlyMap<string, string> {
  const lines = map.split('\n').map((line) => line.split('\t'));
  return new Map(
    lines.flatMap(([path, id]) => (path && id ? [[`nodes/${path}`, id] as const] : [])),
  );
}

/** Checks whether one word is the other with one or two slips: other case, a letter more, less or changed, two swapped. */
export function isLike(a: string, b: string): boolean {
  const [x, y] = [a.toLowerCase(), b.toLowerCase()];
  if (x === y) return true;
  return Math.min(x.length, y.length) > 2 && isWithin(x, y, x.length > 5 ? 2 : 1);
}

/**
 * Checks whether two words are at most some slips apart. Only cells that can be within this distance are filled.
 * Source: optimal string alignment, Boytsov (2011), section 2.2.
 */
function isWithin(a: string, b: string, most: number): boolean {
  if (Math.abs(a.length - b.length) > most) return false;
  let [before, last]: [number[], number[]] = [[], Array.from({ length: most + 1 }, (_, j) => j)];
  let lastLeast = 0;
  for (let i = 1; i <= a.length; i++) {
    const row: number[] = [];
    let least = Infinity;
    for (let j = Math.max(0, i - most); j <= Math.min(b.length, i + most); j++) {
      const change = a[i - 1] === b[j - 1] ? 0 : 1;
      const isSwapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const cell = Math.min(
        j === 0 ? i : Infinity,
        (last[j] ?? Infinity) + 1,
        (row[j - 1] ?? Infinity) + 1,
        (last[j - 1] ?? Infinity) + change,
        isSwapped ? (before[j - 2] ?? Infinity) + 1 : Infinity,
      );
      row[j] = cell;
      least = Math.min(least, cell);
    }
    // A swap goes back two rows.
    if (least > most && lastLeast > most) return false;
    [before, last, lastLeast] = [last, row, least];
  }
  return (last[b.length] ?? Infinity) <= most;
}

/** Returns an id in its usual form: in small letters, with dashes, without braces. */
export function plainId(id: string): string {
  const plain = id
    .normalize('NFKC')
    .trim()
    .replace(/^urn:uuid:/i, '')
    .replaceAll(/[{}\s"'“”‘’]/g, '')
    .replaceAll(/[_‐-―−ー]/g, '-')
    .toLowerCase();
  // Letters that look like digits.
  const digits = isUuid(plain) ? plain : plain.replaceAll('o', '0').replaceAll(/[il]/g, '1');
  const hex = digits.replaceAll('-', '');
  const dashed = /^[\da-f]{32}$/.test(hex)
    ? hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
    : plain;
  return isUuid(dashed) ? dashed : id;
}
