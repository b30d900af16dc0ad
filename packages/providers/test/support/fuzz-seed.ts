import fc from 'fast-check';

/**
 * The same inputs each time, so that a change is judged by what it does. `FUZZ_SEED=random` tries
 * others, and `FUZZ_SEED=123` those that a report names.
 */
const { FUZZ_SEED = '1' } = process.env;
if (FUZZ_SEED !== 'random')
  fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(FUZZ_SEED) });
