import { getTokenizer } from 'kuromojin';
import { expect, test } from 'vitest';
import { kuromojinAnalyzer } from '../../src/index.ts';
import { openCompact } from '../support/compact-analyzer.ts';
import { variedTexts } from '../support/varied-texts.ts';
import type { MorphologicalAnalyzer } from '../../src/analyze/morphological-analyzer.ts';

/** Each morpheme with all that is known of it. */
function linesOf(analyzer: MorphologicalAnalyzer, text: string): string[] {
  return analyzer
    .morphemes(text)
    .map(({ start, surface, basic, reading, features }) =>
      [start, surface, basic, reading, ...features].join(' '),
    );
}

test('the compact analyser cuts as kuromojin does', async () => {
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

test('the kuromojin analyser gives what kuromojin gives', async () => {
  const kuromojin = await kuromojinAnalyzer();
  const tokenizer = await getTokenizer();
  const text = '彼女は走ればヌメラポンに間に合った。';
  expect(kuromojin.morphemes(text).map(({ surface, basic }) => [surface, basic])).toEqual(
    tokenizer
      .tokenize(text)
      .map((token) => [
        token.surface_form,
        token.basic_form === '*' ? token.surface_form : token.basic_form,
      ]),
  );
});
