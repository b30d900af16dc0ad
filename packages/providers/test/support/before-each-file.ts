import fc from 'fast-check';
import { afterAll, vi } from 'vitest';
import { fuzzSeed } from './fuzz.ts';

if (fuzzSeed !== undefined) {
  fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: fuzzSeed });
}

// Files of a tier without isolation share one process: what one of them replaced is put back.
afterAll(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});
