import { testTextAnalyzer } from '@vizprompt/providers/testing';
import { getTokenizer } from 'kuromojin';
import { describe, expect, it } from 'vitest';
import { analyzerOfSpec } from '../../src/analyze/analyzer-of-spec.ts';
import type { MorphologicalAnalyzer } from '../../src/analyze/morphological-analyzer.ts';
import {
  bigramAnalyzer,
  kuromojinAnalyzer,
  segmenterAnalyzer,
  type Analyzer,
} from '../../src/index.ts';
import { openCompact } from '../support/compact-analyzer.ts';
import { variedTexts } from '../support/varied-texts.ts';

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

// Here, since only these tests load the dictionary of kuromojin, which takes seconds.
/** Each morpheme with all that is known of it. */
function linesOf(analyzer: MorphologicalAnalyzer, text: string): string[] {
  return analyzer
    .morphemes(text)
    .map(({ start, surface, basic, reading, features }) =>
      [start, surface, basic, reading, ...features].join(' '),
    );
}

it('the compact analyser cuts as kuromojin does', async () => {
  const compact = await openCompact();
  const kuromojin = await kuromojinAnalyzer();
  let count = 0;
  for (const text of variedTexts) {
    const expected = linesOf(kuromojin, text);
    expect(linesOf(compact, text)).toEqual(expected);
    count += expected.length;
  }
  expect(count).toBeGreaterThan(400);
});

it('the kuromojin analyser gives what kuromojin gives', async () => {
  const kuromojin = await kuromojinAnalyzer();
  const again = await analyzerOfSpec(kuromojin.spec ?? { kind: 'bigram' });
  const tokenizer = await getTokenizer();
  const text = '彼女は走ればヌメラポンに間に合った。';
  expect([again.id, again.words(text)]).toEqual([kuromojin.id, kuromojin.words(text)]);
  expect(kuromojin.morphemes(text).map(({ surface, basic }) => [surface, basic])).toEqual(
    tokenizer
      .tokenize(text)
      .map((token) => [
        token.surface_form,
        token.basic_form === '*' ? token.surface_form : token.basic_form,
      ]),
  );
});
