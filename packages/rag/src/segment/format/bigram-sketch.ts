import { eachBigram, normalizeChars, unitsOf } from '../../rank/normalize-chars.ts';
import { ByteReader, ByteWriter } from '../../binary/section-file.ts';

const BITS = 15;
/** Buckets of the sketch. */
const BUCKETS = 1 << BITS;

/** Where the sketch counts a pair. */
export function bucketOf(pair: number): number {
  const high = Math.floor(pair / 65_536);
  return (Math.imul(high * 31 + (pair % 65_536), 0x9e3779b1) >>> (32 - BITS)) & (BUCKETS - 1);
}

/** Where the sketch counts the pairs of a text; a bucket that several of them share comes twice. */
export function bucketsOf(text: string): Uint16Array {
  const folded = normalizeChars(unitsOf(text));
  const buckets = new Uint16Array(folded.length);
  let count = 0;
  pairs.begin(folded.length);
  eachBigram(folded, (pair) => {
    if (pairs.add(pair)) buckets[count++] = bucketOf(pair);
  });
  return buckets.slice(0, count);
}

const LEAST_SLOTS = 1024;

/** A set of pairs of characters that begins again for each text: a third of the time of a `Set`. */
class PairSet {
  #pairs = new Uint32Array(LEAST_SLOTS);
  /** The text that the pair of a slot is of. */
  #texts = new Uint32Array(LEAST_SLOTS);
  #text = 0;
  #mask = 0;

  /** @param most - How many pairs are added, at most. */
  begin(most: number): void {
    this.#text++;
    const size = Math.max(LEAST_SLOTS, 2 ** Math.ceil(Math.log2(most * 2 + 1)));
    this.#mask = size - 1;
    if (size <= this.#pairs.length) return;
    this.#pairs = new Uint32Array(size);
    this.#texts = new Uint32Array(size);
  }

  /** Returns true if it was not in the set. */
  add(pair: number): boolean {
    for (let slot = Math.imul(pair, 0x9e3779b1) >>> 12; ; slot++) {
      slot &= this.#mask;
      if (this.#texts[slot] !== this.#text) {
        this.#texts[slot] = this.#text;
        this.#pairs[slot] = pair;
        return true;
      }
      if (this.#pairs[slot] === pair) return false;
    }
  }
}

const pairs = new PairSet();

/**
 * How many chunks have each pair of characters, by hash: 128 KB instead of an index of all pairs.
 * Sketches add up: that of an index is the sum of its segments, in which those of deleted chunks
 * count negative.
 */
export class BigramSketch {
  readonly #counts = new Int32Array(BUCKETS);

  /** @param sign - 1 for a chunk that came, -1 for one that went. */
  addText(text: string, sign: 1 | -1): void {
    this.addBuckets(bucketsOf(text), sign);
  }

  /** The same with what `bucketsOf` gave. */
  addBuckets(buckets: Uint16Array, sign: 1 | -1): void {
    for (const bucket of buckets) {
      this.#counts[bucket] = (this.#counts[bucket] ?? 0) + sign;
    }
  }

  /** Begins again with no chunks. */
  clear(): void {
    this.#counts.fill(0);
  }

  /** In how many chunks a pair is, at least about. */
  count(pair: number): number {
    return this.#counts[bucketOf(pair)] ?? 0;
  }

  /** Adds what {@link BigramSketch.write} wrote. */
  addBytes(bytes: Uint8Array): void {
    const reader = new ByteReader(bytes);
    for (let bucket = -1; !reader.isAtEnd;) {
      bucket += reader.varint() + 1;
      const value = reader.varint();
      const count = value % 2 === 0 ? value / 2 : -(value + 1) / 2;
      this.#counts[bucket] = (this.#counts[bucket] ?? 0) + count;
    }
  }

  /** Returns the filled buckets: gap, then the count with its sign in the lowest bit. */
  write(): Uint8Array {
    const writer = new ByteWriter(BUCKETS);
    let last = -1;
    for (let bucket = 0; bucket < BUCKETS; bucket++) {
      const count = this.#counts[bucket] ?? 0;
      if (count === 0) continue;
      writer.varint(bucket - last - 1);
      writer.varint(count > 0 ? count * 2 : -count * 2 - 1);
      last = bucket;
    }
    return writer.view();
  }
}
