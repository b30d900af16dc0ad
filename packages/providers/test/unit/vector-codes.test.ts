import { describe, expect, it } from 'vitest';
import { CodeTable, countBits } from '../../src/quantized/code-table.ts';
import { Rotation } from '../../src/quantized/rotation.ts';

/** Returns the same numbers each time (a linear congruence), near to normal. */
function numbers(seed: number): () => number {
  let state = seed;
  const next = (): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  return () => next() + next() + next() + next() - 2;
}

function unitVector(dimensions: number, next: () => number): Float32Array {
  const values = Float32Array.from({ length: dimensions }, next);
  const length = Math.hypot(...values);
  return values.map((value) => value / length);
}

function productOf(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0);
}

describe('countBits', () => {
  it('counts those of four words, whichever they are', () => {
    const next = numbers(1);
    const word = (): number => Math.trunc(next() * 2 ** 31) | 0;
    const cases = [
      [0, 0, 0, 0],
      [-1, -1, -1, -1],
      [1, 1, 1, 1],
      [-(2 ** 31), 0, -1, 1],
    ];
    for (let round = 0; round < 200; round++) cases.push([word(), word(), word(), word()]);
    for (const [a = 0, b = 0, c = 0, d = 0] of cases) {
      const bits = [a, b, c, d].map((one) => (one >>> 0).toString(2).replaceAll('0', '').length);
      expect(countBits(a, b, c, d)).toBe(bits.reduce((sum, one) => sum + one, 0));
    }
  });
});

describe('codes', () => {
  it.each([64, 100, 384, 1024])(
    'estimate products without bias, and are as far off as they say, in %i dimensions',
    (dimensions) => {
      const next = numbers(dimensions);
      const rotation = new Rotation(dimensions);
      const center = unitVector(dimensions, next).map((value) => value / 2);
      const vectors = Array.from({ length: 300 }, () => unitVector(dimensions, next));
      const table = new CodeTable(rotation.words);
      for (const [slot, one] of vectors.entries()) table.add(slot, rotation.encode(one, center));
      let [sum, squares, count] = [0, 0, 0];
      for (let round = 0; round < 20; round++) {
        const asked = unitVector(dimensions, next);
        const code = rotation.encode(asked, center);
        const near = table.nearest({ code, turned: rotation.turn(asked) }, 300);
        expect(near).toHaveLength(300);
        for (const { slot, estimate, deviation } of near) {
          const exact = productOf(asked, vectors[slot] ?? asked) - productOf(asked, center);
          const error = (estimate / rotation.scale - exact) / (deviation / rotation.scale);
          sum += error;
          squares += error * error;
          count++;
        }
      }
      expect(Math.abs(sum / count)).toBeLessThan(0.1);
      const spread = Math.sqrt(squares / count);
      expect(spread).toBeGreaterThan(0.75);
      expect(spread).toBeLessThan(1.25);
    },
  );
});
