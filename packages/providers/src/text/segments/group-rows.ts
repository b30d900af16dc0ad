import type { QueryGroup } from '../parse-query.ts';
import type { PartLoader } from './part-loader.ts';
import { endsOfPlaces } from './posting-entry.ts';
import { type FreshTerms, LABELS } from './row-terms.ts';
import type { GoneRows } from './segment-rows.ts';
import { type AskedTerm, keyOfTerm, type Part, type Snapshot } from './segment-snapshot.ts';

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

/** A loaded part, and how far its rows have been asked for. */
interface OpenPart {
  readonly part: Part;
  readonly rows: Float64Array;
  readonly places: Uint8Array;
  /** Where the places of each row end. */
  readonly ends: Uint32Array;
  at: number;
}

/** Reads the places of a term in rows that are asked for in ascending order. Nothing is created for a row. */
class PlaceCursor {
  readonly #parts: readonly Part[];
  readonly #gone: GoneRows;
  readonly #endsOf: (part: Part, places: Uint8Array) => Uint32Array;
  #next = 0;
  #open: OpenPart[] = [];

  constructor(
    parts: readonly Part[],
    gone: GoneRows,
    endsOf: (part: Part, places: Uint8Array) => Uint32Array,
  ) {
    this.#parts = parts.toSorted((a, b) => a.low - b.low);
    this.#gone = gone;
    this.#endsOf = endsOf;
  }

  /** Adds the segments that have the term in a row to others, each once. */
  segmentsOf(row: number, into: number[]): void {
    this.#openUpTo(row);
    for (const { part, rows, at } of this.#open) {
      if (rows[at] === row && this.#isThere(row, part) && !into.includes(part.segment.no)) {
        into.push(part.segment.no);
      }
    }
  }

  /** Adds the places of the term in a row of a segment, which ascend, to others. */
  placesOf(row: number, segment: number, into: number[]): void {
    this.#openUpTo(row);
    let pieces = 0;
    for (const { part, rows, places, ends, at } of this.#open) {
      if (part.segment.no !== segment || rows[at] !== row || !this.#isThere(row, part)) continue;
      for (let same = at; rows[same] === row; same++) {
        addPlaces(places, same === 0 ? 0 : (ends[same - 1] ?? 0), into);
        pieces++;
      }
    }
    // Several terms that begin with a prefix.
    if (pieces > 1) into.sort((a, b) => a - b);
  }

  /** Opens the parts that may have a row, closes those that end before it, and goes to the row in each. */
  #openUpTo(row: number): void {
    for (let part = this.#parts[this.#next]; part && part.low <= row;) {
      const { rows, places } = part;
      if (rows && places) {
        this.#open.push({ part, rows, places, ends: this.#endsOf(part, places), at: 0 });
      }
      part = this.#parts[++this.#next];
    }
    let hasEnded = false;
    for (const open of this.#open) {
      if ((open.rows[open.at] ?? Infinity) < row) open.at = placeOf(open.rows, row, open.at);
      hasEnded ||= open.at === open.rows.length;
    }
    if (hasEnded) this.#open = this.#open.filter(({ at, rows }) => at < rows.length);
  }

  #isThere(row: number, { segment }: Part): boolean {
    return this.#gone.size === 0 || (this.#gone.get(row) ?? -1) < segment.age;
  }
}

/** Decodes the places of one row, which begin at a place of the bytes. */
function addPlaces(bytes: Uint8Array, start: number, into: number[]): void {
  let at = start;
  let place = 0;
  let left = -1;
  while (left !== 0) {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = bytes[at++] ?? 0;
      value += (byte & 127) * factor;
      if (byte < 128) break;
    }
    if (left < 0) left = value;
    else {
      place += value;
      into.push(place);
      left--;
    }
  }
}

/** Finds where terms follow each other, in rows that are asked for in ascending order. */
class Occurrences {
  readonly #terms: readonly PlaceCursor[];
  readonly #segments: number[] = [];
  readonly #found: number[] = [];
  readonly #starts: number[] = [];
  readonly #others: number[] = [];

  constructor(terms: readonly PlaceCursor[]) {
    this.#terms = terms;
  }

  /** Returns the places of the first term. The next call reuses their memory. */
  of(row: number): readonly number[] {
    const [first, ...others] = this.#terms;
    const segments = this.#segments;
    const found = this.#found;
    segments.length = 0;
    found.length = 0;
    first?.segmentsOf(row, segments);
    // A row may be in several segments: places of different ones do not follow each other.
    for (const segment of segments) {
      const starts = this.#starts;
      starts.length = 0;
      first?.placesOf(row, segment, starts);
      for (let term = 0; term < others.length && starts.length > 0; term++) {
        this.#others.length = 0;
        others[term]?.placesOf(row, segment, this.#others);
        keepFollowed(starts, this.#others, (term + 1) * LABELS);
      }
      for (const start of starts) found.push(start);
    }
    return found;
  }
}

/** Keeps those of some places that have one of others at a distance. Both ascend. */
function keepFollowed(starts: number[], others: readonly number[], distance: number): void {
  let at = 0;
  let kept = 0;
  for (const start of starts) {
    while ((others[at] ?? Infinity) < start + distance) at++;
    if (others[at] === start + distance) starts[kept++] = start;
  }
  starts.length = kept;
}

/** Numbers of rows: ascending, none twice. */
export type SortedRows = Float64Array;

/** Returns the numbers of several lists, each of which ascends. */
export function uniteRows(lists: readonly Float64Array[]): SortedRows {
  if (lists.length === 1 && lists[0]) return unique(lists[0]);
  const all = new Float64Array(lists.reduce((sum, { length }) => sum + length, 0));
  let length = 0;
  let isSorted = true;
  for (const list of lists) {
    isSorted &&= length === 0 || list.length === 0 || (all[length - 1] ?? 0) <= (list[0] ?? 0);
    all.set(list, length);
    length += list.length;
  }
  return unique(isSorted ? all : all.toSorted());
}

function unique(rows: Float64Array): SortedRows {
  let isUnique = true;
  for (let at = 1; at < rows.length && isUnique; at++) isUnique = rows[at] !== rows[at - 1];
  return isUnique ? rows : rows.filter((row, at) => at === 0 || row !== rows[at - 1]);
}

/** Returns the place of the first number that is not below `row`. */
function placeOf(rows: Float64Array, row: number, from = 0): number {
  let low = from;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((rows[middle] ?? 0) < row) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Returns the numbers that are in both lists, or with `isIn` false those that are in the first one only. */
export function selectRows(rows: SortedRows, others: Float64Array, isIn = true): SortedRows {
  // Looking for each takes longer than walking where both have about as many.
  const isFew = rows.length * 16 < others.length;
  let at = 0;
  return rows.filter((row) => {
    if (isFew) at = placeOf(others, row, at);
    else while (at < others.length && (others[at] ?? 0) < row) at++;
    return (others[at] === row) === isIn;
  });
}

/** Checks whether any of the numbers is from `low` to `high`. */
function hasBetween(rows: SortedRows, low: number, high: number): boolean {
  const at = placeOf(rows, low);
  return at < rows.length && (rows[at] ?? 0) <= high;
}
