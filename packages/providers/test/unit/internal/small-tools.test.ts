import { fuseRanks, guessLanguage, LruMap } from '@vizprompt/providers/internal';
import { describe, expect, it } from 'vitest';

describe('LruMap', () => {
  it('evicts what was used least recently', () => {
    const map = new LruMap<string, number>(2);
    map.set('a', 1).set('b', 2);
    expect(map.get('a')).toBe(1);
    map.set('c', 3);
    expect([map.has('a'), map.has('b'), map.has('c'), map.size]).toEqual([true, false, true, 2]);
  });

  it('marks a value that is set again as used', () => {
    const map = new LruMap<string, number>(2).set('a', 1).set('b', 2).set('a', 3).set('c', 4);
    expect([map.get('a'), map.get('b'), map.get('c')]).toEqual([3, undefined, 4]);
  });

  it('holds undefined as a value, and as a key', () => {
    const map = new LruMap<string | undefined, number | undefined>(1);
    map.set(undefined, undefined);
    expect([map.has(undefined), map.get(undefined)]).toEqual([true, undefined]);
    expect(map.getOrCreate(undefined, () => 7)).toBeUndefined();
    map.set('a', 1);
    expect([map.size, map.has(undefined)]).toEqual([1, false]);
  });

  it('may be bounded by the sizes of its values', () => {
    const map = new LruMap<string, string>(5, ({ length }) => length);
    map.set('a', '12').set('b', '34').set('a', '1').set('c', '56');
    expect([...map]).toEqual([
      ['b', '34'],
      ['a', '1'],
      ['c', '56'],
    ]);
    // Larger than all: it is not kept, and nothing makes room for it.
    expect(map.set('a', '123456').has('a')).toBe(false);
    map.delete('b');
    expect([...map.set('d', '789').set('e', '')].map(([key]) => key)).toEqual(['c', 'd', 'e']);
  });

  it('creates what is missing, once', () => {
    const map = new LruMap<string, number>(4);
    let created = 0;
    const create = (): number => ++created;
    expect([map.getOrCreate('a', create), map.getOrCreate('a', create)]).toEqual([1, 1]);
    expect([map.delete('a'), map.delete('a')]).toEqual([true, false]);
    map.getOrCreate('a', create);
    map.clear();
    expect([created, map.size]).toEqual([2, 0]);
  });
});

describe('guessLanguage', () => {
  it.each([
    ['今日は良い天気ですね。', 'ja'],
    ['カタカナ', 'ja'],
    ['ﾊﾝｶｸ', 'ja'],
    [
      'The word 猫 means cat, and ねこ is how to write it in kana; the rest of this is English.',
      'en',
    ],
    ['Plain English.', 'en'],
    ['今天天气很好', 'en'],
    ['', 'en'],
    [`${'a'.repeat(4000)}${'あ'.repeat(4000)}`, 'en'],
  ])('takes %j for %s', (text, language) => {
    expect(guessLanguage(text)).toBe(language);
  });
});

describe('fuseRanks', () => {
  it('adds weight / (k + rank) over the lists, and keeps the order of equal scores', () => {
    const fused = fuseRanks(
      [
        ['a', 'b'],
        ['c', 'b'],
      ],
      { k: 1, weights: [1, 1] },
    );
    expect(fused.map(({ key }) => key)).toEqual(['b', 'a', 'c']);
    expect(fused[0]?.score).toBeCloseTo(2 / 3);
    expect(fuseRanks([[1], [2]], { weights: [1, 3] })[0]).toEqual({ key: 2, score: 3 / 61 });
    expect(() => fuseRanks([[1]], { weights: [] })).toThrow(RangeError);
  });
});
