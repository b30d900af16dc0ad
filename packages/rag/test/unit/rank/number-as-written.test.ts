import { describe, expect, it } from 'vitest';
import { KeywordFlexBackend } from '../../../src/backends/keyword-flex-backend.ts';
import { readSynonyms, type SearchHit } from '../../../src/index.ts';
import { openCompact } from '../../support/compact-analyzer.ts';

async function found(
  query: string,
  texts: readonly string[],
  { type = 'txt', names = '', k = 10 } = {},
): Promise<readonly SearchHit[]> {
  const analyzer = await openCompact();
  const synonyms = readSynonyms(names, analyzer);
  const backend = await KeywordFlexBackend.open({ analyzer, synonyms });
  for (const [at, text] of texts.entries()) {
    await backend.updateFile({ novelId: 'n', filePath: `${at}.${type}`, text });
  }
  const { hits } = await backend.search(query, { k, explain: true });
  await backend.close();
  return hits;
}

describe('a number in kanji', () => {
  it('is found as it is written before it is in digits', async () => {
    const texts = ['列の1番と1番の1番', '第一の灯台'];
    expect((await found('第一の列', texts))[0]?.content).toBe('第一の灯台');
    const both = await found('十七歳', ['彼女は17歳だ', '彼女は十七歳だ', '彼女は16歳だ']);
    expect(both.map(({ content }) => content)).toEqual([
      '彼女は十七歳だ',
      '彼女は17歳だ',
      '彼女は16歳だ',
    ]);
  });

  it.each([
    ['一部', '1部の台本', '1番の台本'],
    ['一つ', '1つの鍵', '1本の鍵'],
    ['一番', '1番の嵐', '1日の嵐'],
  ])('in a word is found with what it counts: %s', async (word, same, other) => {
    const hits = await found(word, [same, other, '13部と13つと13番']);
    expect(hits.map(({ content }) => content)).toEqual([same]);
  });
});

describe('a number in a title', () => {
  const texts = [
    '# 第十二章\n\n嵐の夜',
    '# 第12章\n\n凪の夜',
    '# 第3章\n\n霧の夜',
    '一部と1部の夜',
  ];
  const titles = async (query: string, of = texts): Promise<readonly string[]> =>
    (await found(query, of, { type: 'md' })).map(({ title }) => title);

  it.each(['title:十二', '+title:十二', 'title:第十二章'])(
    'is found in any form: %s',
    async (query) => {
      expect((await titles(query)).slice(0, 2)).toEqual(['第十二章', '第12章']);
    },
  );

  it('is found in a word', async () => {
    const of = ['# 一部の嵐\n\n夜', '# 1部の嵐\n\n夜', '# 2部の嵐\n\n夜'];
    expect(await titles('title:一部', of)).toEqual(['一部の嵐', '1部の嵐']);
  });

  it('counts more than in a text alone', async () => {
    const of = ['# 十二\n\n夜', '# 灯\n\n12の嵐', '# 12\n\n夜の嵐'];
    expect((await titles('十二', of)).slice(0, 2)).toEqual(['十二', '12']);
  });
});

describe('a number in a name', () => {
  it('is read in any form', async () => {
    const analyzer = await openCompact();
    const names = readSynonyms('第三新東京市, 要塞\n二十世紀少年, 友達\n', analyzer);
    const others = (query: string): readonly string[] =>
      names
        .expand(analyzer.words(query), query)
        .flatMap(({ alternatives }) => alternatives.map((words) => words.join('')));
    expect([others('第3新東京市'), others('第三新東京市')]).toEqual([['要塞'], ['要塞']]);
    expect([others('20世紀少年'), others('二十世紀少年')]).toEqual([['友達'], ['友達']]);
    expect(others('第四新東京市')).toEqual([]);
  });

  it('counts as much as other names, also where two are in a text, and more than in digits', async () => {
    const texts = ['鴉の山', '七の山', '鴉と隼の山', '七と九の山', '7の山', '先生の話'];
    const more = Array.from({ length: 9 }, (_, at) => `先生の話${'あ'.repeat(at + 1)}`);
    const hits = await found('先生', [...texts, ...more], {
      names: '先生, 七, 九, 鴉, 隼',
      k: 20,
    });
    const scores = new Map(hits.map(({ content, score }) => [content, score]));
    const [crow = 0, seven = 0, crows = 0, numbers = 0, digits = 0, itself = 0] = texts.map(
      (text) => scores.get(text),
    );
    // Texts with 七 have the term 7 as well, which counts no further.
    expect(seven).toBeCloseTo(crow, 6);
    expect(numbers).toBeCloseTo(crows, 6);
    expect(seven).toBeGreaterThan(itself);
    expect(seven).toBeGreaterThan(digits);
  });

  it('is found in any form by another name, first as it is written', async () => {
    const hits = await found('頭領', ['12は来た', '十二は来た', '13は来た'], {
      names: '頭領, 十二',
    });
    expect(hits.map(({ content }) => content)).toEqual(['十二は来た', '12は来た']);
  });
});

it('a number that is left out is so in any form', async () => {
  const hits = await found('嵐 -十二', ['12の嵐', '十二の嵐', '13の嵐']);
  expect(hits.map(({ content }) => content)).toEqual(['13の嵐']);
});

describe('a number that is one of two', () => {
  it('is left out as it is written, and neither of the two is', async () => {
    const texts = ['嵐に十七の娘', '嵐に17の娘', '嵐に十八の娘', '嵐に十七八の娘'];
    const hits = await found('嵐 -十七八', texts);
    expect(hits.map(({ content }) => content).toSorted()).toEqual(texts.slice(0, 3).toSorted());
  });

  it.each(['二人', '2人', '三人', '23人'])('is another name than %s', async (query) => {
    const analyzer = await openCompact();
    const names = readSynonyms('二三人, 隊\n', analyzer);
    expect(names.expand(analyzer.words(query), query)).toEqual([]);
    expect(names.expand(analyzer.words('二三人'), '二三人')).toHaveLength(1);
  });
});

it('what is counted takes no place of numbers that begin so', async () => {
  const counters = Array.from(
    '人個回本倍番円種冊章巻話幕節頁部号品才曲枚台隻機頭匹羽軒戸階位歩杯通条度分秒時日月年週晩夜泊代級段畳坪里尺寸貫升両文銭',
  );
  const texts = [...counters.flatMap((each) => [`海に2${each}だ`, `山に2${each}だ`]), '鍵の2087だ'];
  const hits = await found('2*', texts, { k: 200 });
  expect(hits.map(({ content }) => content)).toContain('鍵の2087だ');
});

it.each([
  ['2*', ['二つの灯', '2つの灯', '二人の灯', '二部の灯', '20の灯']],
  ['2つ*', ['二つの灯', '2つの灯']],
  ['1.5*', ['1.5の灯', '一・五の灯']],
])('%s finds numbers in any form, and in words', async (query, texts) => {
  const hits = await found(query, [...texts, '3つの灯', '三つの灯']);
  expect(hits.map(({ content }) => content).toSorted()).toEqual(texts.toSorted());
});

it('a number with its counter counts no more for a part than one without', async () => {
  const hits = await found('2*', ['20人の灯', '20の灯', '山の灯', '海の灯']);
  expect(hits).toHaveLength(2);
  expect(hits[0]?.content).toBe('20の灯');
});

it.each([
  ['三分の一', ['3', '1/3']],
  ['数人が来た', []],
  ['数十の灯', []],
  ['三人', ['3', '3人~']],
])('%s has no further terms that nothing finds', async (text, terms) => {
  const { words } = await openCompact();
  const [{ extra = [] } = {}] = words(text);
  expect(extra).toEqual(terms);
});

it('a word is counted once in a text that has several of its forms', async () => {
  const hits = await found('シャリーア 羅針盤', ['シャリーアの話', '羅針盤の話', '港の話']);
  const values = hits.map(
    ({ explanation = [] }) => explanation.find(({ name }) => /シャ|羅/.test(name))?.value ?? 0,
  );
  expect(values).toHaveLength(2);
  expect(values[0]).toBeCloseTo(values[1] ?? 0, 6);
});
