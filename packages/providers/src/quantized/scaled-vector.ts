const LARGEST = 32_767;

/** A vector in half of its bytes: whole numbers of 16 bits, and what they are multiplied with. */
export interface ScaledVector {
  readonly scale: number;
  readonly bytes: Uint8Array;
}

/** The error of a product with a vector of length 1 is about 1e-5. */
export function toScaled(vector: Float32Array): ScaledVector {
  let largest = 0;
  for (const value of vector) largest = Math.max(largest, Math.abs(value));
  const scale = largest / LARGEST;
  const numbers = Int16Array.from(vector, (value) => Math.round(value / scale));
  return { scale, bytes: new Uint8Array(numbers.buffer) };
}

export function fromScaled({ scale, bytes }: ScaledVector): Float32Array {
  return Float32Array.from(numbersOf(bytes), (number) => number * scale);
}

/** Returns the product with a vector: the cosine, if both have length 1. */
export function scaledProduct(vector: Float32Array, { scale, bytes }: ScaledVector): number {
  const numbers = numbersOf(bytes);
  let sum = 0;
  for (let i = 0; i < vector.length; i++) sum += (vector[i] ?? 0) * (numbers[i] ?? 0);
  return sum * scale;
}

function numbersOf(bytes: Uint8Array): Int16Array {
  // Rows of a database begin anywhere in memory, and numbers only at even addresses.
  const { buffer, byteOffset, byteLength } = byteAligned(bytes);
  return new Int16Array(buffer, byteOffset, byteLength / 2);
}

function byteAligned(bytes: Uint8Array): Uint8Array {
  return bytes.byteOffset % 2 === 0 ? bytes : new Uint8Array(bytes);
}
