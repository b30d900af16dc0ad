import { isLike, plainId } from './slips.ts';

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
