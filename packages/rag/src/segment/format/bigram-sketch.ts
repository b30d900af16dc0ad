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
  const seen = new Set<number>();
  eachBigram(normalizeChars(unitsOf(text)), (pair) => seen.add(pair));
  const buckets = new Uint16Array(seen.size);
  let at = 0;
  for (const pair of seen) buckets[at++] = bucketOf(pair);
  return buckets;
}

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
