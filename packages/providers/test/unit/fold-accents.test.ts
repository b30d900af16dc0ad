import { describe, expect, it } from 'vitest';
import { wordAnalyzer } from '@vizprompt/providers/text';

/** Spellings of one word. */
const SAME: readonly (readonly [string, string])[] = [
  ['café', 'cafe'],
  ['cafe\u0301', 'cafe'],
  ['CAFÉ', 'cafe'],
  ['naïve', 'naive'],
  ['Zürich', 'zurich'],
  ['Straße', 'strasse'],
  ['Łódź', 'lodz'],
  ['Đặng', 'dang'],
  ['smørrebrød', 'smorrebrod'],
  ['Þórr', 'thorr'],
  ['cœur', 'coeur'],
  ['İstanbul', 'istanbul'],
  ['Αθήνα', 'αθηνα'],
  ['ёлка', 'елка'],
  ['مُحَمَّد', 'محمد'],
  ['أحمد', 'احمد'],
  ['שָׁלוֹם', 'שלום'],
];

/** Words that differ in a letter, not in an accent. */
const OTHERS: readonly (readonly [string, string])[] = [
  ['мой', 'мои'],
  ['か', 'が'],
  ['ハハ', 'パパ'],
  ['ก้', 'ก'],
  ['कि', 'क'],
  ['한', '하'],
  ['cafe', 'cafés2'],
];

describe('accents', () => {
  const { analyze } = wordAnalyzer();
  const stored = (text: string): readonly string[] =>
    analyze(text, 'index').map((term) => term.text);
  const asked = (text: string): readonly string[] =>
    analyze(text, 'query').flatMap((term) => (term.isWeak ? [] : [term.text]));

  it.each(SAME)('finds %s and %s by each other', (one, other) => {
    expect(stored(one)).toEqual(expect.arrayContaining([...asked(other)]));
    expect(stored(other)).toEqual(expect.arrayContaining([...asked(one)]));
  });

  it('finds a part of an identifier', () => {
    expect(stored('getÉtat')).toContain('etat');
  });

  it.each(OTHERS)('keeps %s and %s apart', (one, other) => {
    expect(stored(one)).not.toEqual(expect.arrayContaining([...asked(other)]));
  });

  it('gives the places of the words as they were written', () => {
    const text = 'Un café, cafe\u0301 ou cafe';
    const places = analyze(text, 'index').map(({ start, end }) => text.slice(start, end));
    expect(places).toEqual(['Un', 'café', 'café', 'cafe\u0301', 'cafe\u0301', 'ou', 'cafe']);
  });

  it('ranks by accents, which need not be there', () => {
    expect(analyze('café', 'query')).toMatchObject([
      { text: 'cafe' },
      { text: 'café', isWeak: true },
    ]);
  });
});
