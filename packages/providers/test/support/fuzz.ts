import fc from 'fast-check';
import { onTestFailed } from 'vitest';

/** `FUZZ_SEED=random` tries other inputs, and `FUZZ_SEED=123` those that a report names. */
const { FUZZ_SEED = '1', FUZZ_FACTOR = '1' } = process.env;

/** The seed of all random inputs; without one, each test has its own. */
export const fuzzSeed: number | undefined = FUZZ_SEED === 'random' ? undefined : Number(FUZZ_SEED);

/** Returns how many random cases a test tries: few by default, `FUZZ_FACTOR` times as many in soak. */
export function runs(usual: number): number {
  return Math.ceil(usual * Number(FUZZ_FACTOR));
}

/**
 * Returns a generator of whole numbers from 0 to below a limit, for a test that does not use fast-check.
 * Call it within a test: when that fails, it prints the seed.
 */
export function randomNumbers(): (below: number) => number {
  const seed = fuzzSeed ?? Math.floor(Math.random() * 2 ** 31);
  onTestFailed(() => console.error(`The random inputs of this test: FUZZ_SEED=${seed}`));
  let state = seed;
  // mulberry32
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/**
 * Returns strings of any characters of Unicode. `fc.string({ unit: 'binary' })` gives the same, but builds tables of
 * all characters first, which takes more than a second in each process.
 */
export function anyString(constraints: fc.StringConstraints = {}): fc.Arbitrary<string> {
  return fc.string({ ...constraints, unit: CHARACTER });
}

const SURROGATES = 0x800;
/** As often of ASCII and of the first plane as of all: most characters are in planes that no text has. */
const CHARACTER = fc
  .oneof(...[0x7f, 0xffff, 0x10ffff].map((last) => fc.integer({ min: 0, max: last })))
  .map((code) => String.fromCodePoint(code >= 0xd800 && code < 0xe000 ? code - SURROGATES : code));
