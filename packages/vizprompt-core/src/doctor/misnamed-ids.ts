import { timeValue, uuidFromName } from '../format/ids-and-times.ts';

/** The id, the time and the source in a node file. */
export interface NodeOrigin {
  /** The id that the file says. */
  readonly id: string;
  readonly timestamp: string;
  readonly source?: string | undefined;
}

/** Milliseconds between the id of a node and its timestamp, when both are new. */
const MAX_APART = 2000;
/** Where the id that the file says has no time, another may be meant only if it is of the same moment. */
const SAME_MOMENT = 50;

/** Ids that flows name and no file has, by when they were made. */
export class MissingIds {
  readonly #ids: ReadonlySet<string>;
  readonly #timed: readonly { readonly id: string; readonly made: number }[];

  constructor(ids: Iterable<string>) {
    this.#ids = new Set(ids);
    this.#timed = [...this.#ids]
      .map((id) => ({ id, made: madeAt(id) }))
      .filter(({ made }) => !Number.isNaN(made))
      .toSorted((a, b) => a.made - b.made);
  }

  has(id: string): boolean {
    return this.#ids.has(id);
  }

  /** Returns the id that was made nearest to a time, with how far apart they are; none where two are as near. */
  nearest(time: number): { readonly id: string; readonly apart: number } | undefined {
    let [low, high] = [0, this.#timed.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#timed[middle]?.made ?? 0) < time) low = middle + 1;
      else high = middle;
    }
    const [best, second] = this.#timed
      .slice(Math.max(0, low - 2), low + 2)
      .map(({ id, made }) => ({ id, apart: Math.abs(made - time) }))
      .toSorted((a, b) => a.apart - b.apart);
    return best?.apart === second?.apart ? undefined : best;
  }
}

/** Returns when an id was made, in milliseconds; `NaN` for one that does not say so. */
function madeAt(id: string): number {
  return /^.{14}7/.test(id) ? Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16) : NaN;
}

/**
 * Returns the own id of a node file that was edited to another node's id: the one among the missing ids that was made from its
 * source, or in the moment of its timestamp, while the id that it says was not. The version of a node is no such file: it
 * came from where the node came from, or was written when no missing id was made.
 */
export function misnamedId(
  { id, timestamp, source }: NodeOrigin,
  missing: MissingIds,
): string | undefined {
  if (source !== undefined) {
    const own = [
      uuidFromName('node', 'source', source),
      uuidFromName('node', ...source.split(':')),
    ];
    if (own.includes(id)) return undefined;
    const found = own.find((each) => missing.has(each));
    if (found !== undefined) return found;
  }
  const time = timeValue(timestamp);
  const best = missing.nearest(time);
  if (best === undefined) return undefined;
  const said = Math.abs(madeAt(id) - time);
  const isNearer = Number.isNaN(said)
    ? best.apart <= SAME_MOMENT
    : best.apart <= MAX_APART && best.apart < said;
  return isNearer ? best.id : undefined;
}

/**
 * Returns the own ids of node files that say that of another node. Where all files with an id may be a missing node, they are
 * versions of one: a copy has the time of what it was copied from, and an id of its own.
 *
 * @param groups - The node files that say the same id.
 */
export function misnamedIds<T extends NodeOrigin>(
  groups: Iterable<readonly T[]>,
  missing: MissingIds,
): ReadonlyMap<T, string> {
  const found = new Map<T, string>();
  const counts = new Map<string, number>();
  for (const versions of groups) {
    const own = versions.map((node) => misnamedId(node, missing));
    const areVersions = !own.includes(undefined);
    for (const [at, node] of versions.entries()) {
      const id = own[at];
      if (id === undefined) continue;
      counts.set(id, (counts.get(id) ?? 0) + 1);
      if (!areVersions) found.set(node, id);
    }
  }
  return new Map([...found].filter(([, id]) => counts.get(id) === 1));
}
