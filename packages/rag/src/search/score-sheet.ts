/** Where the scores of one query for one segment are written. Used again by later queries. */
export class ScoreSheet {
  readonly scores: Float64Array;
  /** How many groups each chunk has. */
  readonly matched: Uint8Array;
  /** How many of the groups that must be there each chunk has. */
  readonly required: Uint8Array;
  /** 1 for chunks that may not be found. */
  readonly excluded: Uint8Array;
  /** The last group that was counted for each chunk, from 1; in turn for `matched` and `required`. */
  readonly seen: Uint16Array;
  readonly seenRequired: Uint16Array;
  /** The chunks of one term, as `SegmentReader.decode` writes them. */
  readonly docs: Uint32Array;
  readonly frequencies: Uint8Array;

  constructor(size: number) {
    this.scores = new Float64Array(size);
    this.matched = new Uint8Array(size);
    this.required = new Uint8Array(size);
    this.excluded = new Uint8Array(size);
    this.seen = new Uint16Array(size);
    this.seenRequired = new Uint16Array(size);
    this.docs = new Uint32Array(size);
    this.frequencies = new Uint8Array(size);
  }

  clear(): this {
    this.scores.fill(0);
    for (const counts of [this.matched, this.required, this.excluded]) counts.fill(0);
    this.seen.fill(0);
    this.seenRequired.fill(0);
    return this;
  }
}
