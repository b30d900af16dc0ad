/**
 * How many bits are set in four words together. They are added as digits first, so that three sums are
 * counted instead of four words.
 *
 * Source: Warren: Hacker's Delight (2nd edition), 5-1 for the bits of a word, 5-2 for those of many.
 */
export function countBits(a: number, b: number, c: number, d: number): number {
  const differs = a ^ b;
  const sum = differs ^ c;
  const carried = (a & b) | (differs & c);
  const carry = sum & d;
  const fours = carried & carry;
  const bytes =
    inBytes(sum ^ d) + (inBytes(carried ^ carry) << 1) + (fours === 0 ? 0 : inBytes(fours) << 2);
  return Math.imul(bytes, 0x01010101) >>> 24;
}

/** The number of bits in each byte of a word. */
function inBytes(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return (fours + (fours >>> 4)) & 0x0f0f0f0f;
}
