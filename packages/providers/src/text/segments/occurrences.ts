import { LABELS } from './row-terms.ts';
import type { GoneRows } from './segment-rows.ts';
import type { Part } from './segment-snapshot.ts';
import { placeOf } from './sorted-rows.ts';

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
export class PlaceCursor {
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
export class Occurrences {
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
