import { expect, test } from 'vitest';
import type { Word } from '../../src/analyze/analyzer.ts';
import { addSpellings } from '../../src/analyze/spelled-words.ts';

/** Returns how often the end of a word is read, and the words with their terms. */
function readsOf(
  parts: readonly (readonly [word: string, pos: string])[],
  times: number,
): { readonly reads: number; readonly extra: readonly string[] } {
  let reads = 0;
  let at = 0;
  const words: Word[] = [];
  const text = parts.map(([word]) => word).join('');
  for (let time = 0; time < times; time++) {
    for (const [basic, pos] of parts) {
      const start = at;
      at += basic.length;
      const end = at;
      words.push({
        basic,
        pos,
        start,
        get end() {
          reads++;
          return end;
        },
        reading: basic,
        isContent: pos === '名詞',
      });
    }
  }
  const lexicon = { standardSpelling: (word: string) => word, readings: (word: string) => [word] };
  addSpellings(words, text.repeat(times), [0, at], lexicon);
  const terms = words.flatMap(({ basic, extra = [] }) => [basic, ...extra]);
  return { reads, extra: [...new Set(terms)].filter((term) => !parts.some(([p]) => p === term)) };
}

test.each([
  [
    [
      ['ドア', '名詞'],
      ['と', '助詞'],
      ['窓', '名詞'],
      ['。', '記号'],
    ],
    ['どあと'],
  ],
  [
    [
      ['「', '記号'],
      ['しょう', '名詞'],
      ['た', '助動詞'],
      ['」', '記号'],
    ],
    ['しょうた'],
  ],
  [
    [
      ['もふ', '名詞'],
      ['もふ', '名詞'],
      ['犬', '名詞'],
      ['。', '記号'],
    ],
    ['もふもふ'],
  ],
] as const)(
  'words of a long text are looked at as often as those of a short one: %j',
  (parts, found) => {
    const [short, long] = [readsOf(parts, 100), readsOf(parts, 1000)];
    expect(long.extra).toEqual(expect.arrayContaining([...found]));
    expect(long.reads).toBeLessThan(short.reads * 11);
  },
);
