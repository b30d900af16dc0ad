import type { Analyzer, AnalyzerSpec } from './analyzer.ts';
import { bigramAnalyzer } from './bigram-analyzer.ts';
import { compactAnalyzer } from './compact-analyzer.ts';
import { kuromojinAnalyzer } from './kuromojin-analyzer.ts';
import { segmenterAnalyzer } from './segmenter-analyzer.ts';

/** Makes an analyser again that another process has described. */
export async function analyzerOf(spec: AnalyzerSpec): Promise<Analyzer> {
  switch (spec.kind) {
    case 'compact':
      return compactAnalyzer({ dictionary: spec.dictionary });
    case 'kuromojin':
      return kuromojinAnalyzer();
    case 'segmenter':
      return segmenterAnalyzer();
    case 'bigram':
      return bigramAnalyzer();
  }
}
