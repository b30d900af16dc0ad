import { expect, test } from 'vitest';
import { analyzerOfSpec } from '../../src/analyze/analyzer-of-spec.ts';
import { bigramAnalyzer, segmenterAnalyzer } from '../../src/index.ts';
import { openCompact } from '../support/compact-analyzer.ts';

test('each analyser can be made again from its description', async () => {
  const text = '吾輩《わがはい》は猫である。JWTとサーバー';
  for (const analyzer of [await openCompact(), segmenterAnalyzer(), bigramAnalyzer()]) {
    if (!analyzer.spec) throw new Error(`${analyzer.id} has no description`);
    const again = await analyzerOfSpec(analyzer.spec);
    expect(again.id).toBe(analyzer.id);
    expect(again.words(text)).toEqual(analyzer.words(text));
  }
});

test('lines in other scripts between lines of Japanese', async () => {
  const analyzer = await openCompact();
  const text = '\n 走った。\n\nGood morning\n  \n# 猫\nbye';
  const words = analyzer.words(text).filter(({ isContent }) => isContent);
  expect(words.map(({ basic, start, end }) => [basic, text.slice(start, end)])).toEqual([
    ['走る', '走っ'],
    ['good', 'Good'],
    ['morn', 'morning'],
    ['猫', '猫'],
    ['bye', 'bye'],
  ]);
});
