import fc from 'fast-check';
import { expect, test } from 'vitest';
import { eachBigram, foldText, unitsOf } from '../../../src/rank/fold-text.ts';
import { bucketOf, bucketsOf } from '../../../src/segment/format/bigrams.ts';

const text = fc.string({
  unit: fc.constantFrom(
    ...Array.from('灯台守と嵐 ガｶﾞ…ΣA1・。\u{20BB7}e\u0301\u1100\u1161'),
    '\ud800',
    '\uffff',
  ),
  maxLength: 60,
});

test('each pair of a text counts once, whatever texts were before', () => {
  fc.assert(
    fc.property(fc.array(text, { minLength: 1, maxLength: 5 }), fc.nat(40), (texts, times) => {
      // A long one needs more room than those before.
      for (const one of [...texts, texts.join('嵐').repeat(times), ...texts]) {
        const pairs = new Set<number>();
        eachBigram(unitsOf(foldText(one)), (pair) => pairs.add(pair));
        const expected = Array.from(pairs, bucketOf).toSorted((a, b) => a - b);
        expect(Array.from(bucketsOf(one)).toSorted((a, b) => a - b)).toEqual(expected);
      }
    }),
  );
});
