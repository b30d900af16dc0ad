import { createTokenEstimator, loadTokenCounter } from '@vizprompt/providers';
import { describe, expect, it } from 'vitest';

const samples = {
  Japanese: `吾輩は猫である。名前はまだ無い。どこで生れたかとんと見当がつかぬ。何でも薄暗いじめじめした
    所でニャーニャー泣いていた事だけは記憶している。吾輩はここで始めて人間というものを見た。`,
  English: `The quick brown fox jumps over the lazy dog, again and again, until the evening comes and
    everybody goes home. Nobody knows what the fox had been thinking about all that time.`,
  code: `export function sum(values: readonly number[]): number {
    let total = 0; for (const value of values) total += value; return total;
  }`,
};

describe('token counts', () => {
  it.each(Object.entries(samples))('of %s are estimated within a quarter', async (_, text) => {
    const exact = (await loadTokenCounter()).count(text);
    const estimate = createTokenEstimator().count(text);
    expect(exact.exact).toBe(true);
    expect(estimate.exact).toBe(false);
    expect(Math.abs(estimate.tokens / exact.tokens - 1)).toBeLessThan(0.25);
  });

  it('come nearer when the estimator learns what a provider counted', () => {
    const estimator = createTokenEstimator();
    const real = Math.round(estimator.count(samples.Japanese).tokens * 1.5);
    for (let call = 0; call < 30; call++) estimator.calibrate(samples.Japanese, real);
    expect(estimator.factor).toBeCloseTo(1.5, 1);
    expect(Math.abs(estimator.count(samples.Japanese).tokens - real)).toBeLessThanOrEqual(2);
    const { factor } = estimator;
    for (const tokens of [0, -1, Number.NaN]) estimator.calibrate(samples.English, tokens);
    estimator.calibrate('', 100);
    expect(estimator.factor).toBe(factor);
  });

  it('are 0 for nothing, and linear for a lot', () => {
    const estimator = createTokenEstimator();
    expect(estimator.count('').tokens).toBe(0);
    const one = estimator.count(samples.Japanese).tokens;
    const thousand = estimator.count(samples.Japanese.repeat(1000)).tokens;
    expect(thousand / one).toBeGreaterThan(900);
    expect(thousand / one).toBeLessThan(1010);
  });

  it('take special tokens for the text they are', async () => {
    for (const encoding of ['o200k_base', 'cl100k_base'] as const) {
      const counter = await loadTokenCounter(encoding);
      expect(counter.count('<|endoftext|>').tokens).toBeGreaterThan(3);
      expect(counter.count('Hello').tokens).toBe(1);
    }
  });
});
