import { createHash } from 'node:crypto';

/**
 * Returns a vector of length 1 for each text: the same text always has the same one, and different texts
 * have different ones. Nothing is known of meaning.
 */
export function vectorOf(text: string, dimensions: number): Float32Array {
  const vector = Float32Array.from({ length: dimensions }, (_, dimension) => {
    const hash = createHash('sha256').update(`${dimension} ${text}`).digest();
    return hash.readInt32LE() / 2 ** 31;
  });
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}

/** Returns the bytes of a vector (32-bit floats, little endian) in base64, as OpenAI sends them. */
export function base64Of(vector: Float32Array): string {
  const bytes = Buffer.alloc(vector.length * 4);
  for (const [dimension, value] of vector.entries()) bytes.writeFloatLE(value, dimension * 4);
  return bytes.toString('base64');
}
