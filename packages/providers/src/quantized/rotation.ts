/** Rounds of turning; two mix every dimension into every other. */
const ROUNDS = 2;

/**
 * Turns vectors in space, so that each dimension says about as much as each other, and cuts them down
 * to two bits a dimension. Real embeddings have a common direction and few dimensions with most of the
 * variance; without removing the first and mixing the second, most bits would say nothing.
 *
 * Source: the randomised Hadamard transform of Ailon, Chazelle: The Fast Johnson-Lindenstrauss Transform
 * (SIAM J. Comput. 2009); bits of turned, centred vectors as in Gao, Long: RaBitQ (SIGMOD 2024), more than
 * one of them as in Gao et al.: Practical and Asymptotically Optimal Quantization of High-Dimensional
 * Vectors (SIGMOD 2025).
 */
export class Rotation {
  /** How many 32-bit words the signs of a code have, and the lower bits. */
  readonly words: number;
  /** Products of turned vectors, by those of the vectors themselves. */
  readonly scale: number;
  readonly #size: number;
  readonly #signs: readonly Float32Array[];
  readonly #space: Float32Array;

  constructor(dimensions: number) {
    // At least 64 bits; the transform needs a power of two.
    this.#size = 2 ** Math.max(6, Math.ceil(Math.log2(dimensions)));
    this.words = this.#size / 32;
    this.scale = this.#size ** ROUNDS;
    this.#signs = Array.from({ length: ROUNDS }, (_, round) => randomSigns(this.#size, round + 1));
    this.#space = new Float32Array(this.#size);
  }

  /**
   * Returns the code of a vector, seen from `center`: each dimension is one of -1.5, -0.5, 0.5 and 1.5 times the
   * mean length of a dimension. First come the signs, a bit each, then the lower bits, and as the last word
   * a number that makes up for what is lost: the product of a turned question with these values, times
   * this number, is an estimate of the product with the vector, without bias.
   */
  encode(vector: Float32Array, center: Float32Array): Uint32Array<ArrayBuffer> {
    const space = this.turn(vector, center);
    const code = new Uint32Array(2 * this.words + 1);
    let squares = 0;
    for (const value of space) squares += value * value;
    const unit = Math.sqrt(squares / space.length);
    let product = 0;
    for (let i = 0; i < space.length; i++) {
      const value = space[i] ?? 0;
      const word = i >>> 5;
      const bit = 1 << (i & 31);
      const isLarge = Math.abs(value) > unit;
      const isPositive = value > 0;
      if (isPositive) code[word] = (code[word] ?? 0) | bit;
      if (isLarge === isPositive) code[this.words + word] = (code[this.words + word] ?? 0) | bit;
      product += Math.abs(value) * (isLarge ? 1.5 : 0.5);
    }
    new Float32Array(code.buffer)[2 * this.words] = product === 0 ? 0 : squares / product;
    return code;
  }

  /** Returns the vector in the turned space; the next call writes over it. */
  turn(vector: Float32Array, center?: Float32Array): Float32Array {
    const space = this.#space.fill(0);
    for (let i = 0; i < vector.length; i++) space[i] = (vector[i] ?? 0) - (center?.[i] ?? 0);
    for (const signs of this.#signs) {
      for (let i = 0; i < space.length; i++) space[i] = (space[i] ?? 0) * (signs[i] ?? 1);
      hadamard(space);
    }
    return space;
  }
}

/** The Walsh-Hadamard transform, in place and not normalised: only signs are looked at. */
function hadamard(values: Float32Array): void {
  for (let half = 1; half < values.length; half *= 2) {
    for (let block = 0; block < values.length; block += half * 2) {
      for (let i = block; i < block + half; i++) {
        const a = values[i] ?? 0;
        const b = values[i + half] ?? 0;
        values[i] = a + b;
        values[i + half] = a - b;
      }
    }
  }
}

/** Returns the same in every process (xorshift): codes are stored. */
function randomSigns(size: number, seed: number): Float32Array {
  let state = Math.imul(seed, 0x9e3779b1);
  return Float32Array.from({ length: size }, () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 31 ? 1 : -1;
  });
}
