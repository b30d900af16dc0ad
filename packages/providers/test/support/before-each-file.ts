import fc from 'fast-check';
import { afterAll, vi } from 'vitest';
import { finishFile } from './after-file.ts';
import { fuzzSeed, runs } from './fuzz.ts';

fc.configureGlobal({
  ...fc.readConfigureGlobal(),
  numRuns: runs(100),
  ...(fuzzSeed !== undefined && { seed: fuzzSeed }),
});

// Files of a tier without isolation share one process: what one of them replaced is put back.
afterAll(async () => {
  await finishFile();
  vi.useRealTimers();
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});
