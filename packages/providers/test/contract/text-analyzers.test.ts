import { testTextAnalyzer } from '@vizprompt/providers/testing';
import { wordAnalyzer } from '@vizprompt/providers/text';
import { describe, it } from 'vitest';

const runner = { describe, it };

testTextAnalyzer({
  name: 'wordAnalyzer',
  runner,
  open: async () => ({ subject: wordAnalyzer(), close: async () => {} }),
});

testTextAnalyzer({
  name: 'wordAnalyzer with English stems',
  runner,
  open: async () => ({ subject: wordAnalyzer({ stems: 'english' }), close: async () => {} }),
});
