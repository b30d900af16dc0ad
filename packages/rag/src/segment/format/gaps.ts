import { ByteReader, ByteWriter } from '../../binary/section-file.ts';

/** As many ones before a gap that is written in full. */
const ESCAPE = 20;
const FULL_BITS = 16;

/**
 * Returns the bytes of ascending whole numbers below 2^32: gaps in the code of Rice, which takes about as few bits for
 * each as their density allows.
 *
 * @param numbers - Each once.
 */
export function encodeGaps(numbers: ArrayLike<number>): Uint8Array {
  const writer = new ByteWriter(numbers.length);
  writer.varint(numbers.length);
  if (numbers.length === 0) return writer.view();
  const low = lowBits(numbers);
  writer.byte(low);
  let bits = 0;
  let filled = 0;
  const write = (value: number, count: number): void => {
    bits |= value << filled;
    filled += count;
    for (; filled >= 8; filled -= 8, bits >>>= 8) writer.byte(bits & 255);
  };
  for (let at = 0, before = -1; at < numbers.length; at++) {
    const number = numbers[at] ?? 0;
    const gap = number - before - 1;
    const high = gap >>> low;
    before = number;
    if (high >= ESCAPE) {
      write((1 << ESCAPE) - 1, ESCAPE);
      write(gap & 0xffff, FULL_BITS);
      write(gap >>> FULL_BITS, FULL_BITS);
      continue;
    }
    write((1 << high) - 1, high + 1);
    for (let from = 0; from < low; from += FULL_BITS) {
      const count = Math.min(FULL_BITS, low - from);
      write((gap >>> from) & ((1 << count) - 1), count);
    }
  }
  if (filled > 0) writer.byte(bits & 255);
  return writer.view();
}

/** Returns how many bits of each gap are written as they are: those with which the list is shortest. */
function lowBits(numbers: ArrayLike<number>): number {
  const mean = ((numbers[numbers.length - 1] ?? 0) + 1) / numbers.length;
  let best = Math.max(0, Math.floor(Math.log2(mean * Math.LN2)));
  let least = bitsWith(numbers, best);
  for (const step of [1, -1]) {
    for (let low = best + step; low >= 0 && low < 32; low += step) {
      const bits = bitsWith(numbers, low);
      if (bits >= least) break;
      [best, least] = [low, bits];
    }
  }
  return best;
}

function bitsWith(numbers: ArrayLike<number>, low: number): number {
  let bits = numbers.length * (low + 1);
  for (let at = 0, before = -1; at < numbers.length; at++) {
    const number = numbers[at] ?? 0;
    const high = (number - before - 1) >>> low;
    bits += high < ESCAPE ? high : ESCAPE + 2 * FULL_BITS - low - 1;
    before = number;
  }
  return bits;
}

/**
 * Writes down what {@link encodeGaps} was given.
 *
 * @param target - Enlarged by a new one where it is too short.
 * @returns The numbers; valid until `target` is written to.
 */
export function decodeGaps(bytes: Uint8Array, target: Uint32Array): Uint32Array {
  const reader = new ByteReader(bytes);
  const length = reader.varint();
  if (length === 0) return target.subarray(0, 0);
  // A number takes a bit at least.
  if (length > bytes.length * 8) throw new SyntaxError('a list has more numbers than bits');
  const numbers = length > target.length ? new Uint32Array(length) : target;
  const low = reader.byte();
  const mask = 2 ** low - 1;
  let next = reader.at;
  let bits = 0;
  let filled = 0;
  let number = -1;
  for (let at = 0; at < length; at++) {
    let high = 0;
    for (;;) {
      for (; filled <= 23; filled += 8) bits |= (bytes[next++] ?? 0) << filled;
      // The zero that ends the ones is in the bits that are filled, or more have to be read.
      const ones = Math.min(31 - Math.clz32(~bits & -~bits), filled, ESCAPE - high);
      bits >>>= ones;
      filled -= ones;
      high += ones;
      if (high === ESCAPE || (filled > 0 && (bits & 1) === 0)) break;
    }
    let gap = 0;
    const isEscaped = high === ESCAPE;
    if (!isEscaped) {
      bits >>>= 1;
      filled--;
    }
    const count = isEscaped ? 2 * FULL_BITS : low;
    for (let from = 0; from < count; from += FULL_BITS) {
      const some = Math.min(FULL_BITS, count - from);
      for (; filled <= 23; filled += 8) bits |= (bytes[next++] ?? 0) << filled;
      gap |= (bits & ((1 << some) - 1)) << from;
      bits >>>= some;
      filled -= some;
    }
    number += (isEscaped ? gap >>> 0 : ((high << low) | (gap & mask)) >>> 0) + 1;
    numbers[at] = number;
  }
  return numbers.subarray(0, length);
}
