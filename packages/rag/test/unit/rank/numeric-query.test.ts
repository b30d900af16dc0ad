import { describe, expect, it } from 'vitest';
import { hasNumber } from '../../../src/rank/rerank.ts';
import { numericQuery } from '../../../src/search/find-chunks.ts';
import { unitsOf } from '../../../src/rank/fold-text.ts';

describe('a question', () => {
  it.each([
    ['乗組員は何人ですか？', '人'],
    ['法華経は何章からなるか', '章'],
    ['全長は何Kmか', 'k'],
    ['原子力の割合は何％？', '%'],
    ['船旅は何日間だった？', '日'],
  ])('%s asks for a number of %s', (question, counter) => {
    expect(numericQuery(question)).toEqual({ counter: counter.charCodeAt(0), isDate: false });
  });

  it.each([
    '島はいくつある？',
    '切符はいくらか',
    '高さはどれくらい？',
    '村の人口は',
    '町の面積を答えよ。',
    '遺跡の数は？',
  ])('%s asks for a number', (question) => {
    expect(numericQuery(question)).toEqual({ counter: 0, isDate: false });
  });

  it.each([
    '灯台が建ったのはいつ？',
    'いつから住んでいるか',
    '開業したのは何年か',
    '嵐は何月何日に来た？',
    '何世紀の本か',
  ])('%s asks for a date', (question) => {
    expect(numericQuery(question)).toEqual({ counter: 0, isDate: true });
  });

  it.each([
    '船長は誰？',
    '灯台はどこにある',
    '何と呼ばれたか',
    'いつも歌うのは何か',
    '何か見えたか',
    '人口が減った理由は？',
    '反対した者は多数',
    'どれが本物か',
    '',
  ])('%s asks for none', (question) => {
    expect(numericQuery(question)).toBeUndefined();
  });
});

describe('a number', () => {
  const has = (text: string, counter = ''): boolean =>
    hasNumber(unitsOf(text), 0, text.length, {
      counter: counter === '' ? 0 : counter.charCodeAt(0),
      isDate: false,
    });

  it.each(['28品', '2,200', '１２０段', 'km2'])('is in %s', (text) => {
    expect(has(text)).toBe(true);
  });

  it('is written in kanji where what is asked for follows', () => {
    expect(has('三十人', '人')).toBe(true);
    expect(has('数匹', '匹')).toBe(true);
    expect(has('三十人', '匹')).toBe(false);
    expect(has('三十人')).toBe(false);
    expect(has('第一に一般の', '人')).toBe(false);
  });

  it('may have its counter in the next word, but not the other way round', () => {
    const units = unitsOf('三人');
    expect(hasNumber(units, 0, 1, { counter: 0x4eba, isDate: false })).toBe(true);
    expect(hasNumber(units, 1, 2, { counter: 0x4eba, isDate: false })).toBe(false);
  });

  it('is one of a date where the question asks for one', () => {
    const hasDate = (text: string): boolean =>
      hasNumber(unitsOf(text), 0, text.length, { counter: 0, isDate: true });
    for (const date of ['1887年', '明治三十年', '７月', '13世紀']) expect(hasDate(date)).toBe(true);
    for (const other of ['28品', '年 1', '翌年', '三十人']) expect(hasDate(other)).toBe(false);
  });
});
