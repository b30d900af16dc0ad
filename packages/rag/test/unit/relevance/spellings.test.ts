import { describe, expect, it } from 'vitest';
import { KeywordFlexBackend } from '../../../src/backends/keyword-flex-backend.ts';
import { openCompact } from '../../support/compact-analyzer.ts';
import { measureSpellings, pairsOf } from '../../support/measure-spellings.ts';
import { SPELLINGS } from '../../support/spellings.ts';

describe.each(Object.entries(SPELLINGS))('the spellings of %s', (name, pairs) => {
  it('meet, and others do not', async () => {
    const analyzer = await openCompact();
    const rates = await measureSpellings(() => KeywordFlexBackend.open({ analyzer }), name, pairs);
    const { foundFirst, falseMeetings, failures } = rates;
    console.log(
      `${name}: ${rates.pairs} pairs, found first ${foundFirst.toFixed(3)}, false meetings ${falseMeetings.toFixed(3)}`,
    );
    expect(foundFirst >= 0.95 ? [] : failures).toEqual([]);
    expect(falseMeetings <= 0.02 ? [] : failures).toEqual([]);
  });

  it('are forty pairs at least, and as many that must not meet', () => {
    expect(pairsOf(pairs.same).length).toBeGreaterThanOrEqual(40);
    expect(pairsOf(pairs.other).length).toBeGreaterThanOrEqual(40);
    expect(new Set(pairs.same.split(' ')).size).toBe(pairsOf(pairs.same).length);
  });
});
