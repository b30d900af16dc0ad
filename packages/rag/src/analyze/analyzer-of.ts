import type { Analyzer, AnalyzerSpec } from './analyzer.ts';

export function analyzerOf(spec: AnalyzerSpec): Promise<Analyzer> {
  throw new Error(spec.kind);
}
