import type { Analyzer, AnalyzerSpec } from './analyzer.ts';
import { bigramAnalyzer } from './bigram-analyzer.ts';
import { compactAnalyzer } from './compact-analyzer.ts';
import { kuromojinAnalyzer } from './kuromojin-analyzer.ts';
import { segmenterAnalyzer } from './segmenter-analyzer.ts';

/** Makes an analyzer again, as another process has it. */
export async function analyzerOfSpec(spec: AnalyzerSpec): Promise<Analyzer> {
  if (spec.kind === 'compact') return compactAnalyzer({ dictionary: spec.dictionary });
  if (spec.kind === 'kuromojin') return kuromojinAnalyzer();
  return spec.kind === 'segmenter' ? segmenterAnalyzer() : bigramAnalyzer();
}
