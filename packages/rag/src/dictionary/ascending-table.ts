/** How many numbers share a base. */
const BLOCK_BITS = 6;

/**
 * Numbers that never fall, in two bytes each: an offset from the base that 64 of them share.
 * It is ready as it lies in the file.
 */
export class AscendingTable {
  readonly bases: Uint32Array;
  readonly offsets: Uint16Array;

  constructor(bases: Uint32Array, offsets: Uint16Array) {
    this.bases = bases;
    this.offsets = offsets;
  }

  /** @throws RangeError if 64 neighbours are further apart than two bytes can tell. */
  static from(numbers: readonly number[] | Uint32Array): AscendingTable {
    const bases = new Uint32Array((numbers.length >> BLOCK_BITS) + 1);
    const offsets = new Uint16Array(numbers.length);
    let base = 0;
    for (const [index, number] of numbers.entries()) {
      if (index % (1 << BLOCK_BITS) === 0) {
        base = number;
        bases[index >> BLOCK_BITS] = base;
      }
      if (number < base || number - base > 0xffff) {
        throw new RangeError(`the number ${number} does not fit behind ${base}`);
      }
      offsets[index] = number - base;
    }
    return new AscendingTable(bases, offsets);
  }

  at(index: number): number {
    return (this.bases[index >> BLOCK_BITS] ?? 0) + (this.offsets[index] ?? 0);
  }
}
