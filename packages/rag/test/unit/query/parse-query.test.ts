import { MAX_QUERY_LENGTH, parseQuery, SearchError } from '@vizprompt/rag';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyString, runs } from '../../../../providers/test/support/fuzz.ts';
import type { QueryClause } from '../../../src/query/query.ts';

/** Clauses without their ranges, with `should` and `any` left out, to be short. */
function clausesOf(source: string): readonly object[] {
  return parseQuery(source).clauses.map(({ start: _start, end: _end, ...clause }) =>
    Object.fromEntries(
      Object.entries(clause).filter(([, value]) => value !== 'should' && value !== 'any'),
    ),
  );
}
const words = (text: string): object => ({ kind: 'words', text });
/** A phrase without a sign must occur. */
const phrase = (text: string): object => ({ kind: 'phrase', text, occur: 'must' });

describe('plain language', () => {
  it.each([
    '灯台守の娘は、どこへ行ったのですか？',
    '全角　空白　の　質問。',
    '「灯台守の娘」はどこ',
    '『潮騒』（第二版）',
    'a - b + c / d * e',
    '-5 度 の 朝',
    '－５度',
    '+10% -- -> ++i --verbose',
    'https://example.com/a/b/?q=1&r=-2#x',
    '2026/11/21 の 記録',
    'contents/chapter/01.md',
    '/usr/local/bin /etc/hosts',
    'C++ C# .NET',
    '(^_^)/ m(_ _)m (*´▽｀*) ヽ(^o^)丿 -_- *^o^* \\(^o^)/',
    '**太字** と 5*3 と ＊＊＊',
    '-運命の夜-',
    '和 / 洋 / 折衷 と A /B / C',
    '// 註 /* 註 */',
    'note: 12:30 http:x x:y :',
    "it's 5'10\" tall",
    '🐱🐾 ☆',
  ])('%s stays one clause, word for word', (source) => {
    expect(clausesOf(source)).toEqual([words(source)]);
  });

  it('has no clauses where there is nothing', () => {
    expect(clausesOf(' \u3000\n\t')).toEqual([]);
  });

  it('keeps words together up to the next operator', () => {
    expect(clausesOf('  海の 見える　町 "灯台" 嵐の 夜 ')).toEqual([
      words('海の 見える　町'),
      phrase('灯台'),
      words('嵐の 夜'),
    ]);
  });

  it.each([
    '"灯台 守',
    '“灯台 守',
    'title:"灯台 守',
    'tag: x',
    'path:',
    '"" " "',
    '/灯台',
    '/灯台/x',
    '/灯 台 /',
    '/a/ii',
  ])('takes %s literally: it is not closed or not whole', (source) => {
    expect(clausesOf(source)).toEqual([words(source)]);
  });
});

it.each([
  '前年比 -5人',
  '在庫 -2冊',
  '在庫　－２冊',
  '2010年 -2015年',
  '1月 -3月',
  '10章 -12章',
  '第10章　−12章',
  '10話〜 -12話',
  '10ページ -12ページ',
  '19世紀 -20世紀',
  '1丁目 -3丁目',
  '気温 -5 度',
])('%s has a number that is negative, or the end of a range', (source) => {
  expect(clausesOf(source)).toEqual([words(source)]);
});

it.each([
  ['嵐 -3章 -5章', ['not', '3章'], ['not', '5章']],
  ['嵐 -17歳 -18歳', ['not', '17歳'], ['not', '18歳']],
  ['嵐 －1ページ　−2ページ', ['not', '1ページ'], ['not', '2ページ']],
  ['嵐 +3章 -5章', ['must', '3章'], ['not', '5章']],
  ['嵐 yomi:3章 -5章', ['should', '3章'], ['not', '5章']],
  ['10章 -12歳', ['not', '12歳']],
])('no operator of %s is the end of a range', (source, ...expected) => {
  const found = parseQuery(source).clauses.filter(({ start }) => start > 1);
  expect(found).toMatchObject(expected.map(([occur, text]) => ({ occur, text })));
});

describe('operators', () => {
  it.each<[string, object]>([
    ['"灯台守の娘"', phrase('灯台守の娘')],
    ['“灯台 守”', phrase('灯台 守')],
    ['”灯台 守”', phrase('灯台 守')],
    ['＂灯台"', phrase('灯台')],
    ['+灯台', { ...words('灯台'), occur: 'must' }],
    ['＋灯台', { ...words('灯台'), occur: 'must' }],
    ['+C++', { ...words('C++'), occur: 'must' }],
    ['-灯台', { ...words('灯台'), occur: 'not' }],
    ['－灯台', { ...words('灯台'), occur: 'not' }],
    ['−「灯台」', { ...words('「灯台」'), occur: 'not' }],
    ['-〇〇県', { ...words('〇〇県'), occur: 'not' }],
    ['-①嵐', { ...words('①嵐'), occur: 'not' }],
    ['-17歳', { ...words('17歳'), occur: 'not' }],
    ['-２０章', { ...words('２０章'), occur: 'not' }],
    ['-19世紀', { ...words('19世紀'), occur: 'not' }],
    ['-2丁目', { ...words('2丁目'), occur: 'not' }],
    ['+Ⅳ', { ...words('Ⅳ'), occur: 'must' }],
    ['+"灯 台"', phrase('灯 台')],
    ['-"5"', { ...phrase('5'), occur: 'not' }],
    ['tag:人物', { kind: 'tag', occur: 'must', tag: '人物' }],
    ['-ＴＡＧ：人物', { kind: 'tag', occur: 'not', tag: '人物' }],
    ['path:設定/**', { kind: 'path', occur: 'must', glob: '設定/**' }],
    ['path:"a b/*.md"', { kind: 'path', occur: 'must', glob: 'a b/*.md' }],
    ['title:灯台の夜', { ...words('灯台の夜'), field: 'title' }],
    ['-title:“灯台 の 夜”', { ...phrase('灯台 の 夜'), occur: 'not', field: 'title' }],
    ['よみ:とうだい', { ...words('とうだい'), field: 'reading' }],
    ['yomi："トウ ダイ"', { ...words('トウ ダイ'), field: 'reading' }],
    ['灯*', { kind: 'part', text: '灯', at: 'front' }],
    ['+*守', { kind: 'part', text: '守', at: 'back', occur: 'must' }],
    ['＊台＊', { kind: 'part', text: '台', at: 'anywhere' }],
    ['snake_*', { kind: 'part', text: 'snake_', at: 'front' }],
    ['/第[0-9]+章/i', { kind: 'regex', occur: 'must', source: '第[0-9]+章', flags: 'i' }],
    ['-/a b\\/c/', { kind: 'regex', occur: 'not', source: 'a b\\/c', flags: '' }],
  ])('%s', (source, clause) => {
    expect(clausesOf(`前 ${source} 後`)).toEqual([words('前'), clause, words('後')]);
  });

  it('are none in the middle of a token', () => {
    const source = '灯台-娘 灯台+娘 彼は"虎"だ (-x) 見よtag:x';
    expect(clausesOf(source)).toEqual([words(source)]);
  });

  it('may be followed by text at once where they end with a quote', () => {
    expect(clausesOf('"虎徹""村正"って-何 tag:"a"b')).toEqual([
      phrase('虎徹'),
      phrase('村正'),
      words('って-何'),
      { kind: 'tag', occur: 'must', tag: 'a' },
      words('b'),
    ]);
  });
});

describe('ranges', () => {
  const snippets = [
    '"',
    '“',
    '+',
    '-',
    '－',
    '*',
    '/',
    'tag:',
    'よみ：',
    ' ',
    '　',
    '\n',
    '灯',
    'a',
  ];
  const source = fc.oneof(
    anyString({ maxLength: 60 }),
    fc
      .array(fc.oneof(fc.constantFrom(...snippets), anyString({ maxLength: 2 })), {
        maxLength: 30,
      })
      .map((parts) => parts.join('')),
    fc
      .array(fc.nat({ max: 0xff_ff }), { maxLength: 30 })
      .map((units) => String.fromCharCode(...units)),
  );

  it('point at the source, in order, and leave out only spaces', () => {
    fc.assert(
      fc.property(source, (text) => {
        const { clauses } = parseQuery(text);
        let at = 0;
        for (const clause of clauses) {
          expect(text.slice(at, clause.start).trim()).toBe('');
          expect(clause.end).toBeGreaterThan(clause.start);
          expect(text.slice(clause.start, clause.end)).toContain(verbatimOf(clause));
          at = clause.end;
        }
        expect(text.slice(at).trim()).toBe('');
      }),
      { numRuns: runs(500) },
    );
  });

  /** Returns the part of a clause that must have been taken over as it is. */
  function verbatimOf(clause: QueryClause): string {
    switch (clause.kind) {
      case 'regex':
        return `/${clause.source}/${clause.flags}`;
      case 'tag':
        return clause.tag;
      case 'path':
        return clause.glob;
      default:
        return clause.text;
    }
  }

  it('of plain words hold exactly their text', () => {
    fc.assert(
      fc.property(source, (text) => {
        const plain = parseQuery(text).clauses.filter(
          ({ kind, occur, ...clause }) =>
            kind === 'words' && occur === 'should' && 'field' in clause && clause.field === 'any',
        );
        for (const clause of plain) {
          expect(clause).toHaveProperty('text', text.slice(clause.start, clause.end).trim());
        }
      }),
    );
  });
});

describe('a long query', () => {
  it('is taken up to the limit, and refused with the place beyond it', () => {
    const longest = '" '.repeat(MAX_QUERY_LENGTH / 2);
    expect(parseQuery(longest).clauses).toHaveLength(1);
    expect(() => parseQuery(`${longest}あ`)).toThrow(
      expect.objectContaining({ code: 'query-invalid', position: MAX_QUERY_LENGTH }),
    );
    expect(() => parseQuery(`${longest}あ`)).toThrow(SearchError);
  });
});
