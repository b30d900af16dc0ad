/** Where the scores of one query for one segment are written. Used again by later queries. */
export class ScoreAccumulator {
  readonly scores: Float64Array;
  /** How many groups each chunk has: none, 1, or 2 for several. Counting on would need wider numbers. */
  readonly matched: Uint8Array;
  /** The last group that was counted for each chunk, from 1; 0: none was. */
  readonly seen: Uint16Array;
  /** The same for those that have it in a title. */
  readonly titled: Uint16Array;
  /** The chunks that may be found, in no order: the first {@link count} places count. */
  readonly found: Uint32Array;
  /** How many chunks may be found. */
  count = 0;
  /** The chunks of one term, as `SegmentReader.decode` writes them. */
  readonly docs: Uint32Array;
  readonly frequencies: Uint8Array;
  #counts: Uint32Array | undefined;

  constructor(size: number) {
    this.scores = new Float64Array(size);
    this.matched = new Uint8Array(size);
    this.seen = new Uint16Array(size);
    this.titled = new Uint16Array(size);
    // One more, which may be written and does not count.
    this.found = new Uint32Array(size + 1);
    this.docs = new Uint32Array(size);
    this.frequencies = new Uint8Array(size);
  }

  clear(): this {
    this.scores.fill(0);
    this.matched.fill(0);
    this.seen.fill(0);
    this.titled.fill(0);
    this.count = 0;
    return this;
  }

  /**
   * Adds what a term gives to the chunks that have it, see {@link docs}. This is where searching spends its
   * time, besides reading postings: hence a plain loop over nothing but arrays of numbers.
   *
   * @param count - How many chunks have it.
   * @param mark - The number of its group, from 1.
   * @param fixed - The least norm of BM25, and by how much it grows with each of the words.
   * @param isSum - False if a chunk that has another term of the group gets nothing for this one.
   * @param own - The last group of each chunk where the term is: in titles, or anywhere.
   */
  addScores(
    count: number,
    mark: number,
    weight: number,
    fixed: number,
    byLength: number,
    words: Uint32Array,
    isSum = true,
    own: Uint16Array = this.seen,
  ): void {
    const { docs, frequencies, scores, matched, seen, found } = this;
    let total = this.count;
    for (let at = 0; at < count; at++) {
      const doc = docs[at] ?? 0;
      if (!isSum && own[doc] === mark) continue;
      const frequency = frequencies[at] ?? 0;
      const norm = fixed + byLength * (words[doc] ?? 0);
      scores[doc] = (scores[doc] ?? 0) + (weight * frequency) / (frequency + norm);
      const last = seen[doc] ?? 0;
      own[doc] = mark;
      if (last === mark) continue;
      // Written in any case, and kept if it is the first time: no processor can guess that.
      found[total] = doc;
      const isFirst = last === 0 ? 1 : 0;
      total += isFirst;
      seen[doc] = mark;
      matched[doc] = 2 - isFirst;
    }
    this.count = total;
  }

  /** Returns the place in {@link found}, from `from` on, of a chunk with so high a score; {@link count} if there is none. */
  nextAbove(from: number, least: number): number {
    const { found, scores, count } = this;
    let at = from;
    while (at < count && (scores[found[at] ?? 0] ?? 0) < least) at++;
    return at;
  }

  /** These chunks may be found, and no others; what they scored stays. */
  take(docs: Iterable<number>): void {
    this.count = 0;
    for (const doc of docs) this.found[this.count++] = doc;
  }

  /** Keeps only these of the chunks that may be found. */
  keep(isKept: (doc: number) => boolean): void {
    const { found, count } = this;
    this.count = 0;
    for (let at = 0; at < count; at++) {
      const doc = found[at] ?? 0;
      if (isKept(doc)) found[this.count++] = doc;
    }
  }

  /** Keeps only the chunks with several groups. */
  keepSeveral(): void {
    const { found, matched, count } = this;
    let kept = 0;
    for (let at = 0; at < count; at++) {
      const doc = found[at] ?? 0;
      found[kept] = doc;
      kept += (matched[doc] ?? 0) > 1 ? 1 : 0;
    }
    this.count = kept;
  }

  /** A count of 0 for each chunk, for queries that say which words must be there or not. */
  emptyCounts(): Uint32Array {
    this.#counts ??= new Uint32Array(this.scores.length);
    return this.#counts.fill(0);
  }
}
