import { beforeAll, describe, expect, test } from 'vitest';
import { bigramAnalyzer, segmenterAnalyzer, type Analyzer, type Word } from '../../src/index.ts';
import { openCompact } from '../support/compact-analyzer.ts';

let compact: Analyzer;

beforeAll(async () => {
  compact = await openCompact();
});

/** Returns the terms that find a text. */
function basics(text: string, analyzer: Analyzer = compact): string[] {
  return analyzer
    .words(text)
    .filter(({ isContent }) => isContent)
    .map(({ basic }) => basic);
}

function only(text: string, analyzer: Analyzer = compact): Word {
  const [word, ...others] = analyzer.words(text);
  expect(others).toEqual([]);
  if (!word) throw new Error(`no word in ${text}`);
  return word;
}

describe('words that are written in several ways are one', () => {
  test.each([
    [['走った', '走れば', '走る', '走ろう']],
    [['サーバー', 'サーバ', 'ｻｰﾊﾞｰ', 'サ―バー', 'サ－バー', 'サ～バー']],
    [['２０２６', '2026', '2,026', '２，０２６']],
    [['ＡＰＩ', 'api', 'API']],
    [['行なった', '行う', '行なう']],
    [['取り扱い', '取扱い', '取扱']],
    [['生れる', '生まれる', '生まれた']],
    [['つゞく', 'つづく']],
    [['か\u3099くせい', 'がくせい']],
    [['running', 'runs', 'Run']],
    [['café', 'cafe\u0301', 'CAFE']],
    [["Caroline's", 'Caroline’s', 'caroline']],
    [['parse_user_input', 'parseUserInput']],
    [['Ⅷ', 'VIII', 'viii']],
  ])('%j', (texts) => {
    const found = texts.map((text) => basics(text)[0]);
    expect(new Set(found)).toEqual(new Set([found[0]]));
    expect(found[0]).toBeDefined();
  });

  test('but short words keep their long vowel, and other words their meaning', () => {
    expect(basics('コピー')).not.toEqual(basics('コピ'));
    expect(basics('上る')).not.toEqual(basics('上がる'));
  });
});

describe('a word', () => {
  test('has its basic form, reading, part of speech and place', () => {
    expect(compact.words('吾輩は走った。')).toEqual([
      { start: 0, end: 2, basic: '吾輩', reading: 'ワガハイ', pos: '名詞,代名詞', isContent: true },
      { start: 2, end: 3, basic: 'は', reading: 'ハ', pos: '助詞', isContent: false },
      { start: 3, end: 5, basic: '走る', reading: 'ハシッ', pos: '動詞', isContent: true },
      { start: 5, end: 6, basic: 'た', reading: 'タ', pos: '助動詞', isContent: false },
      { start: 6, end: 7, basic: '。', reading: '', pos: '記号', isContent: false },
    ]);
  });

  test('in other scripts is one word, with its parts next to it', () => {
    expect(only('authMiddleware')).toMatchObject({ extra: ['auth', 'middlewar'] });
    expect(only('v2.0')).toMatchObject({ basic: 'v2.0', extra: ['v', '2.0'] });
    expect(only("O'Neil")).toMatchObject({ basic: 'oneil', extra: ['neil'] });
    expect(only('안녕하세요').extra).toEqual(expect.arrayContaining(['안녕^', '안녕하~']));
    expect(basics('e-mail')).toEqual(['e', 'mail']);
    expect(compact.words('my e-mail')[1]).toMatchObject({ extra: ['email'] });
    expect(basics('2024-01-05')).toEqual(['2024', '01', '05']);
  });

  test('of mixed text is found in one pass', () => {
    expect(basics('JWTを使用し、HTTPServerのver2.0で認証する🐈')).toEqual([
      'jwt',
      '使用',
      'する',
      'httpserver',
      'ver2.0',
      '認証',
      'する',
      '🐈',
    ]);
  });

  test('of rare kanji is found too', () => {
    expect(basics('𠮷野家')).toEqual(['吉野家']);
    expect(basics('葛󠄀城')).toEqual(['葛城']);
  });

  test.each(['々', 'ー', '……', '——', '♪', '※', '!?', '()', '\u3000'])(
    'is not made of %s',
    (text) => {
      for (const analyzer of [compact, segmenterAnalyzer(), bigramAnalyzer()]) {
        expect(basics(text, analyzer)).toEqual([]);
      }
    },
  );
});

describe('ruby and notes', () => {
  test('are not read, but ruby finds its word', () => {
    const text = '｜猫又《ねこまた》は吾輩《わがはい》である［＃「である」に傍点］。';
    const words = compact.words(text);
    expect(words.map(({ start, end }) => text.slice(start, end))).toEqual(
      compact
        .words('猫又は吾輩である。')
        .map(({ start, end }) => '猫又は吾輩である。'.slice(start, end)),
    );
    const extras = words.flatMap(({ basic, extra = [] }) => extra.map((term) => [basic[0], term]));
    expect(extras).toEqual([
      ['猫', 'ねこまた'],
      ['吾', 'わがはい'],
    ]);
  });

  test('ruby of a whole word is its reading', () => {
    expect(only('宇宙《そら》')).toMatchObject({ reading: 'ソラ', extra: ['そら'], end: 2 });
  });

  test('quotation marks that look like ruby are read', () => {
    expect(basics('彼は《東京》へ')).toContain('東京');
    expect(basics('ここは《とうきょう》')).not.toEqual(basics('ここは'));
  });
});

test('readings are those of the dictionary, or the own kana', () => {
  expect(compact.readings('今日')).toEqual(['キョウ', 'コンニチ']);
  expect(compact.readings('さくら')).toEqual(['サクラ']);
  expect(compact.readings('サーバ')).toEqual(['サーバ']);
  expect(compact.readings('server')).toEqual([]);
  expect(compact.readings('走る')).toEqual(['ハシル']);
});

test('terms count what can be searched for, and name the rest separately', () => {
  expect(compact.analyze('吾輩《わがはい》は猫', 'index')).toEqual([
    { text: '吾輩', start: 0, end: 2, position: 0 },
    { text: 'わがはい', start: 0, end: 2 },
    { text: '猫', start: 9, end: 10, position: 1 },
  ]);
});

test('pairs find single kanji, and words of any length', () => {
  const terms = bigramAnalyzer().analyze('認証機能', 'index');
  expect(terms.map(({ text }) => text)).toEqual(['認証', '認', '証機', '証', '機能', '機', '能']);
  expect(basics('認証', bigramAnalyzer())).toEqual(['認証']);
  expect(basics('証', bigramAnalyzer())).toEqual(['証']);
});

test('the version of ICU is in the id of the segmenter', () => {
  expect(segmenterAnalyzer().id).toContain(process.versions['icu']);
});
