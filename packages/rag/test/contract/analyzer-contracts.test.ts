import { testTextAnalyzer } from '@vizprompt/providers/testing';
import { describe, it } from 'vitest';
import {
  bigramAnalyzer,
  kuromojinAnalyzer,
  segmenterAnalyzer,
  type Analyzer,
} from '../../src/index.ts';
import { openCompact } from '../support/compact.ts';

const analyzers: Readonly<Record<string, () => Promise<Analyzer>>> = {
  compactAnalyzer: openCompact,
  kuromojinAnalyzer,
  segmenterAnalyzer: async () => segmenterAnalyzer(),
  bigramAnalyzer: async () => bigramAnalyzer(),
};

for (const [name, open] of Object.entries(analyzers)) {
  testTextAnalyzer({
    name,
    runner: { describe, it },
    open: async () => ({ subject: await open(), close: async () => {} }),
  });
}
