import { inject } from 'vitest';
import { compactAnalyzer, type MorphologicalAnalyzer } from '../../src/index.ts';

/** The compact analyser on the dictionary that was compiled for the tests. */
export function openCompact(): Promise<MorphologicalAnalyzer> {
  return compactAnalyzer({ cacheFolder: inject('dictionaryFolder') });
}
