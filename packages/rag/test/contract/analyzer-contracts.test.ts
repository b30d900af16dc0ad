import { testTextAnalyzer } from '@vizprompt/providers/testing';
import { describe, it } from 'vitest';
import {
  bigramAnalyzer,
  kuromojinAnalyzer,
  segmenterAnalyzer,
  type Analyzer,
} from '../../src/index.ts';
import { openCompact } from '../support/compact-analyzer.ts';

const analyzers: Readonly<Record<string, () => Promise<Analyzer>>> = {
  compactAnalyzer: openCompact,
  kuromojinAnalyzer,
  segmenterAnalyzer: async () => segmenterAnalyzer(),
  bigramAnalyzer: async () => bigramAnalyzer(),
};

for (const [name, open] of Object.entries(analyzers)) {
  // It holds no state, and reading its dictionary takes longer than all tests.
  let opened: Promise<Analyzer> | undefined;
  testTextAnalyzer({
    name,
    runner: { describe, it },
    open: async () => ({ subject: await (opened ??= open()), close: async () => {} }),
  });
}
