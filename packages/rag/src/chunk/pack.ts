import { Border, rankOf } from './border.ts';
import type { ChunkLimits } from './chunking-options.ts';
import type { SourceText } from './source-text.ts';
import type { Unit } from './unit-list.ts';

/** A cut may fall between this part of a chunk's size and its whole. */
const EARLIEST = 0.5;
/** Between this part and the former only where no sentence ends later; nor is the rest smaller. */
const SMALLEST = 0.25;
/** Unit counts are rounded up each, so their sum is a little more than the count of the whole. */
const ROUNDING = 1.15;

/**
 * Joins the units of a section into chunks and returns the index of the first unit of each chunk but
 * the first, and the number of units.
 *
 * In the window where a cut is due, the border with the lowest rank is taken, and ranks depend on the
 * text alone. So when text before it was inserted or removed, the cuts soon fall on the old places
 * again, where filling each chunk to the brim would move all of them.
 */
export function packUnits(
  source: SourceText,
  units: readonly Unit[],
  limits: ChunkLimits,
): readonly number[] {
  const packer = new Packer(source, units, limits);
  const ends: number[] = [];
  for (let at = 0; at < units.length;) {
    at = packer.endOf(at);
    ends.push(at);
  }
  return ends;
}

class Packer {
  readonly #source: SourceText;
  readonly #units: readonly Unit[];
  readonly #limits: ChunkLimits;
  /** The tokens of all units before an index. */
  readonly #sums: Float64Array;
  readonly #ranks: Float64Array;

  constructor(source: SourceText, units: readonly Unit[], limits: ChunkLimits) {
    this.#source = source;
    this.#units = units;
    this.#limits = limits;
    this.#sums = new Float64Array(units.length + 1);
    this.#ranks = new Float64Array(units.length + 1);
    for (const [index, unit] of units.entries()) {
      this.#sums[index + 1] = (this.#sums[index] ?? 0) + unit.tokens;
      this.#ranks[index + 1] = rankOf(source.text, unit.to, unit.border);
    }
  }

  endOf(first: number): number {
    const { maxTokens } = this.#limits;
    const count = this.#units.length;
    if (this.#size(first, count) <= maxTokens * ROUNDING && this.#fits(first, count)) return count;
    for (let limit = maxTokens; ; limit *= 0.9) {
      const end = this.#bestEnd(first, limit);
      if (end <= first + 1 || this.#fits(first, end)) return Math.max(end, first + 1);
    }
  }

  #bestEnd(first: number, limit: number): number {
    const rest = this.#size(first, this.#units.length);
    const latest = Math.min(limit, Math.max(limit * EARLIEST, rest - limit * SMALLEST));
    let best = 0;
    let early = 0;
    let end = first + 1;
    for (; end < this.#units.length && this.#size(first, end) <= latest; end += 1) {
      const size = this.#size(first, end);
      if (size >= limit * EARLIEST) best = this.#better(best, end);
      else if (size >= limit * SMALLEST) early = this.#better(early, end);
    }
    if (best > 0 && this.#borderAt(best) <= Border.sentence) return best;
    if (early > 0 && this.#borderAt(early) <= Border.sentence) return early;
    if (best > 0 && this.#borderAt(best) < Border.glue) return best;
    // What did not fit is large: a whole block takes the little before it along, up to two chunks.
    const isWhole = this.#units[end - 1]?.whole === true;
    if (isWhole && this.#size(first, end) <= limit * 2) return end;
    return early || best || Math.max(first + 1, end - 1);
  }

  #fits(first: number, end: number): boolean {
    const { maxTokens, count } = this.#limits;
    const units = this.#units.slice(first, end);
    const own = this.#source.trim({ from: units[0]?.from ?? 0, to: units.at(-1)?.to ?? 0 });
    const tokens = count(this.#source.text.slice(own.from, own.to));
    return tokens <= maxTokens || (tokens <= maxTokens * 2 && units.at(-1)?.whole === true);
  }

  #better(one: number, other: number): number {
    return one > 0 && (this.#ranks[one] ?? 0) <= (this.#ranks[other] ?? 0) ? one : other;
  }

  #borderAt(end: number): Border {
    return this.#units[end - 1]?.border ?? Border.glue;
  }

  #size(first: number, end: number): number {
    return (this.#sums[end] ?? 0) - (this.#sums[first] ?? 0);
  }
}
