import { describe, expect, it } from 'vitest';
import { readApproximateNumber } from '../../../src/analyze/number-words.ts';
import { openCompact } from '../../support/compact-analyzer.ts';

async function termsOf(text: string): Promise<readonly string[]> {
  const { words } = await openCompact();
  return words(text)
    .filter(({ pos }) => pos === '名詞,数')
    .flatMap(({ basic, extra = [] }) => [basic, ...extra].filter((term) => /^\d+$/.test(term)));
}

describe('a number that is said as one of two', () => {
  it.each([
    ['二三人', ['2', '3', '23']],
    ['五六軒', ['5', '6', '56']],
    ['四五度の角度', ['4', '5', '45']],
    ['三四人', ['3', '4', '34']],
    ['午後一二時四五分', ['1', '2', '12', '45']],
    ['その時二三人', ['2', '3', '23']],
    ['二三年前', ['2', '3', '23']],
    ['十七八の娘', ['17', '18']],
    ['二三十人', ['20', '30']],
    ['百二三十人', ['120', '130']],
    ['三四百円', ['300', '400']],
    ['五六千', ['5000', '6000']],
    ['五、六十本', ['50', '60', '60']],
    ['二三歳', ['2', '3', '23']],
  ])('%s is both', async (text, terms) => {
    expect(await termsOf(text)).toEqual(terms);
  });

  it.each([
    ['昭和二三年', ['23']],
    ['第二三回', ['23']],
    ['二三号室', ['23']],
    ['一二三四', ['1234']],
    ['二十三人', ['23']],
    ['三二人', ['32']],
    ['三、五百円', ['3', '500']],
    ['二、三人', ['2', '3']],
  ])('%s is not', async (text, terms) => {
    expect(await termsOf(text)).toEqual(terms);
  });

  it('ends where the digits do not say one more', () => {
    expect(readApproximateNumber('二四人')).toBeUndefined();
    expect(readApproximateNumber('三、四百')).toEqual({
      values: ['300', '400'],
      length: 1,
      isPlain: false,
    });
  });
});
