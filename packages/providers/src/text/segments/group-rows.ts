import type { QueryGroup } from '../parse-query.ts';
import type { PartLoader } from './part-loader.ts';
import { endsOfPlaces } from './posting-entry.ts';
import { Occurrences, PlaceCursor } from './occurrences.ts';
import type { FreshTerms } from './row-terms.ts';
import { keyOfTerm, type AskedTerm, type Part, type Snapshot } from './segment-snapshot.ts';
import { hasBetween, placeOf, selectRows, uniteRows, type SortedRows } from './sorted-rows.ts';

/** Rows to look at. */
export interface RowScope {
  /** Rows above this number. */
  readonly above: number;
  /** Only these. Default: all. */
  readonly among?: SortedRows | undefined;
}

const NO_ROWS: SortedRows = new Float64Array(0);

/** Finds the rows of groups in a snapshot of an index, and loads the postings that it takes. */
export class GroupRows {
  readonly #snapshot: Snapshot;
  readonly #loader: PartLoader;
  readonly #parts: ReadonlyMap<string, readonly Part[]>;
  /** Where the places of each row of a part end. */
  readonly #ends = new WeakMap<Part, Uint32Array>();

  constructor(snapshot: Snapshot, loader: PartLoader, terms: readonly AskedTerm[]) {
    this.#snapshot = snapshot;
    this.#loader = loader;
    this.#parts = withFresh(snapshot, terms);
  }

  /** Returns about how many rows a group has; not fewer. */
  count({ terms }: QueryGroup): number {
    return Math.min(...terms.map((term) => countOf(this.#partsOf(term))));
  }

  /** Returns the number above which the rows of groups need no loading. */
  loadedAbove(groups: readonly QueryGroup[]): number {
    let above = -Infinity;
    for (const { terms } of groups) {
      for (const part of terms.flatMap((term) => this.#partsOf(term))) {
        const isLoaded = part.rows && (terms.length === 1 || part.places);
        if (!isLoaded) above = Math.max(above, part.high);
      }
    }
    return above;
  }

  /** Returns the number above which the newest parts of groups are, this many of them. */
  aboveOf(groups: readonly QueryGroup[], parts: number): number {
    const lows = groups
      .flatMap(({ terms }) => terms.flatMap((term) => this.#partsOf(term)))
      .map(({ low }) => low)
      .toSorted((a, b) => b - a);
    return parts < lows.length ? (lows[parts] ?? 0) : -Infinity;
  }

  /** Returns the rows of a group. */
  async rowsOf(group: QueryGroup, scope: RowScope): Promise<SortedRows> {
    const isPhrase = group.terms.length > 1;
    const rows = await this.#rowsWithAll(group.terms, scope, isPhrase);
    if (!isPhrase || rows.length === 0) return rows;
    const occurrences = this.#occurrences(group.terms, rows);
    return rows.filter((row) => occurrences.of(row).length > 0);
  }

  /** Returns the places where rows among some have a group. */
  async placesIn(
    group: QueryGroup,
    among: SortedRows,
  ): Promise<ReadonlyMap<number, readonly number[]>> {
    const rows = await this.#rowsWithAll(group.terms, { above: -Infinity, among }, true);
    const occurrences = this.#occurrences(group.terms, rows);
    const found = new Map<number, readonly number[]>();
    for (const row of rows) {
      const places = occurrences.of(row);
      if (places.length > 0) found.set(row, [...places]);
    }
    return found;
  }

  /** Returns the rows that have all of the terms, and loads those of the rarest first. */
  async #rowsWithAll(
    terms: readonly AskedTerm[],
    { above, among }: RowScope,
    hasPlaces: boolean,
  ): Promise<SortedRows> {
    let rows = among;
    const rarestFirst = terms
      .map((term) => this.#partsOf(term))
      .toSorted((a, b) => countOf(a) - countOf(b));
    for (const parts of rarestFirst) {
      const within = rows;
      if (within?.length === 0) return NO_ROWS;
      const some = parts.filter(({ low, high }) => {
        return high > above && (!within || hasBetween(within, low, high));
      });
      await this.#loader.load(some, hasPlaces);
      const own = uniteRows(some.map((part) => this.#living(part, above)));
      rows = within ? selectRows(within, own) : own;
    }
    return rows ?? NO_ROWS;
  }

  #partsOf(term: AskedTerm): readonly Part[] {
    return this.#parts.get(keyOfTerm(term)) ?? [];
  }

  /** Returns the rows of a part above a number that were not removed. */
  #living({ rows = NO_ROWS, segment }: Part, above: number): Float64Array {
    const { gone } = this.#snapshot;
    const from = above < (rows[0] ?? 0) ? 0 : placeOf(rows, above + 1);
    const some = from === 0 ? rows : rows.subarray(from);
    if (gone.size === 0) return some;
    return some.filter((row) => (gone.get(row) ?? -1) < segment.age);
  }

  #occurrences(terms: readonly AskedTerm[], rows: SortedRows): Occurrences {
    const { gone } = this.#snapshot;
    return new Occurrences(
      terms.map((term) => {
        const parts = this.#partsOf(term).filter(({ low, high }) => hasBetween(rows, low, high));
        return new PlaceCursor(parts, gone, (part, places) => this.#endsOf(part, places));
      }),
    );
  }

  #endsOf(part: Part, places: Uint8Array): Uint32Array {
    let ends = this.#ends.get(part);
    if (!ends) {
      ends = endsOfPlaces(places, part.count);
      this.#ends.set(part, ends);
    }
    return ends;
  }
}

function countOf(parts: readonly Part[]): number {
  return parts.reduce((sum, { count }) => sum + count, 0);
}

/** Rows that are in no segment yet are as if they were in the newest. */
const FRESH_SEGMENT = { no: -1, age: Infinity, base: 0, docs: 0, words: 0 };

/** Returns the parts of terms with those of rows that are in no segment yet. */
function withFresh(
  { fresh, parts }: Snapshot,
  terms: readonly AskedTerm[],
): ReadonlyMap<string, readonly Part[]> {
  if (fresh.length === 0) return parts;
  const all = new Map<string, readonly Part[]>(parts);
  for (const term of terms) {
    const key = keyOfTerm(term);
    all.set(key, [...(parts.get(key) ?? []), ...freshParts(term, fresh)]);
  }
  return all;
}

function freshParts({ text, isPrefix }: AskedTerm, fresh: readonly FreshTerms[]): readonly Part[] {
  const rows: number[] = [];
  const pieces: Uint8Array[] = [];
  const add = (id: number, bytes: Uint8Array): void => {
    rows.push(id);
    pieces.push(bytes);
  };
  for (const { id, places } of fresh) {
    if (isPrefix) {
      for (const [term, bytes] of places) if (term.startsWith(text)) add(id, bytes);
    } else {
      const bytes = places.get(text);
      if (bytes) add(id, bytes);
    }
  }
  const [low] = rows;
  if (low === undefined) return [];
  return [
    {
      segment: FRESH_SEGMENT,
      count: rows.length,
      low,
      high: rows.at(-1) ?? low,
      rows: Float64Array.from(rows),
      places: new Uint8Array(Buffer.concat(pieces)),
    },
  ];
}
