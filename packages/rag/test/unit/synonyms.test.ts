import { beforeAll, describe, expect, test } from 'vitest';
import { readSynonyms } from '../../src/index.ts';
import { openCompact } from '../support/compact-analyzer.ts';
import { parseSynonyms } from '../../src/contract/synonyms.ts';
import type { MorphologicalAnalyzer } from '../../src/analyze/morphological-analyzer.ts';

describe('a synonym file', () => {
  test('has a group of names on each line, with comments', () => {
    const source =
      '\ufeff# 人物\n坂本龍馬, 龍馬,才谷梅太郎 # 変名\r\n\r\n  New York\tNYC\n猫、ねこ\n';
    expect(parseSynonyms(source)).toEqual([
      ['坂本龍馬', '龍馬', '才谷梅太郎'],
      ['New York', 'NYC'],
      ['猫', 'ねこ'],
    ]);
  });

  test.each([
    ['a, b\nc,, d', 'line 2, column 3: a name is missing', 2, 3],
    ['a, b,', 'line 1, column 6: a name is missing', 1, 6],
    ['a,  b , b', "line 1, column 9: the name 'b' occurs twice in its group", 1, 9],
    ['\nalone # b, c', "line 2, column 1: the name 'alone' is alone", 2, 1],
  ])('%j is refused where it goes wrong', (source, message, line, column) => {
    expect(() => parseSynonyms(source)).toThrow(
      expect.objectContaining({
        code: 'invalid-input',
        message: expect.stringContaining(message) as string,
        context: { line, column },
      }),
    );
  });
});

describe('a query', () => {
  let analyzer: MorphologicalAnalyzer;
  beforeAll(async () => {
    analyzer = await openCompact();
  });

  function expand(source: string, query: string): unknown {
    return readSynonyms(source, analyzer)
      .expand(analyzer.words(query), query)
      .map(({ start, end, alternatives }) => [query.slice(start, end), alternatives]);
  }

  test('for one name finds the others', () => {
    const source = '吾輩, 名無しの猫\nNew York, NYC\n';
    expect(expand(source, '吾輩の主人')).toEqual([['吾輩', [['名無し', '猫']]]]);
    expect(expand(source, 'flights to new  york')).toEqual([['new  york', [['nyc']]]]);
    expect(expand(source, '主人')).toEqual([]);
    expect(expand('', '主人')).toEqual([]);
  });

  test('takes the longest name', () => {
    const source = '坂本龍馬, 才谷\n坂本, 坂本さん\n';
    expect(expand(source, '坂本龍馬と坂本')).toEqual([
      ['坂本龍馬', [['才谷']]],
      ['坂本', [['坂本', 'さん']]],
    ]);
  });

  test('is not expanded inside of a word', () => {
    expect(expand('京, みやこ', '東京')).toEqual([]);
  });

  test('finds the names of all groups that a name is in', () => {
    expect(expand('先生, 苦沙弥\n先生, 金之助', '先生')).toEqual([
      ['先生', [analyzer.words('苦沙弥').map(({ basic }) => basic), ['金之助']]],
    ]);
  });
});
