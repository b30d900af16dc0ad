import type { Analyzer, AnalyzerSpec } from './analyzer.ts';
import { bigramAnalyzer } from './bigram-analyzer.ts';
import { compactAnalyzer } from './compact-analyzer.ts';
import { segmenterAnalyzer } from './segmenter-analyzer.ts';

/** Makes an analyser again, as another process has it. */
export async function analyzerOfSpec(spec: AnalyzerSpec): Promise<Analyzer> {
  switch (spec.kind) {
    case 'compact':
      return compactAnalyzer({ dictionary: spec.dictionary });
    case 'segmenter':
      return segmenterAnalyzer();
    case 'bigram':
      return bigramAnalyzer();
    case 'kuromojin': {
      const { kuromojinAnalyzer } = await import('./kuromojin-analyzer.ts');
      return kuromojinAnalyzer();
    }
  }
}
