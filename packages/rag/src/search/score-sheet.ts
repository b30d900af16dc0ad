/** Where the scores of one query for one segment are written. Used again by later queries. */
export class ScoreSheet {
  readonly scores: Float64Array;
  /** How many groups each chunk has. */
  readonly matched: Uint8Array;
  /** The last group that was counted for each chunk, from 1; 0: none was. */
  readonly seen: Uint16Array;
  /** The chunks that may be found, in no order: the first {@link count} places count. */
  readonly found: Uint32Array;
  /** How many chunks may be found. */
  count = 0;
  /** The chunks of one term, as `SegmentReader.decode` writes them. */
  readonly docs: Uint32Array;
  readonly frequencies: Uint8Array;
  #certain: CertainGroups | undefined;

  constructor(size: number) {
    this.scores = new Float64Array(size);
    this.matched = new Uint8Array(size);
    this.seen = new Uint16Array(size);
    this.found = new Uint32Array(size);
    this.docs = new Uint32Array(size);
    this.frequencies = new Uint8Array(size);
  }

  clear(): this {
    this.scores.fill(0);
    this.matched.fill(0);
    this.seen.fill(0);
    this.count = 0;
    return this;
  }

  /** Of the chunks that may be found, leaves those. */
  keep(isKept: (doc: number) => boolean): void {
    const { found, count } = this;
    this.count = 0;
    for (let at = 0; at < count; at++) {
      const doc = found[at] ?? 0;
      if (isKept(doc)) found[this.count++] = doc;
    }
  }

  /** Empty counts, for queries that say which words must be there or not. */
  certainGroups(): CertainGroups {
    this.#certain ??= new CertainGroups(this.scores.length);
    this.#certain.counts.fill(0);
    this.#certain.seen.fill(0);
    return this.#certain;
  }
}

/** How many groups each chunk has for certain. */
class CertainGroups {
  readonly counts: Uint8Array;
  /** The last group that was counted for each chunk, from 1. */
  readonly seen: Uint16Array;

  constructor(size: number) {
    this.counts = new Uint8Array(size);
    this.seen = new Uint16Array(size);
  }
}
