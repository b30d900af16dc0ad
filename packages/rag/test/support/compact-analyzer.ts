import { inject } from 'vitest';
import { compactAnalyzer } from '../../src/index.ts';
import type { MorphologicalAnalyzer } from '../../src/analyze/morphological-analyzer.ts';

let opened: Promise<MorphologicalAnalyzer> | undefined;

/** Returns the compact analyser on the dictionary that was compiled for the tests, read once. */
export function openCompact(): Promise<MorphologicalAnalyzer> {
  return (opened ??= compactAnalyzer({ cacheFolder: inject('dictionaryFolder') }));
}
