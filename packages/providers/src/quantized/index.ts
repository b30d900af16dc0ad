/**
 * Vectors in a database, found by two bits a dimension in memory and compared again from the disk.
 *
 * @module @vizprompt/providers/quantized
 */
export { quantizedVectors, type QuantizedVectorsOptions } from './quantized-vectors.ts';
export type { VectorStore } from '../index.ts';
