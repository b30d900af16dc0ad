import { describe, expect, it } from 'vitest';
import { KeywordFlexBackend } from '../../../src/backends/keyword-flex-backend.ts';
import type { SearchHit } from '../../../src/contract/search-backend.ts';
import { openCompact } from '../../support/compact-analyzer.ts';

async function search(asked: string, texts: readonly string[]): Promise<readonly SearchHit[]> {
  const backend = await KeywordFlexBackend.open({ analyzer: await openCompact() });
  for (const [at, text] of texts.entries()) {
    await backend.updateFile({ novelId: 'n', filePath: `${at}.txt`, text: `「${text}」とある。` });
  }
  const { hits } = await backend.search(asked);
  await backend.close();
  return hits;
}

function marked({ match }: SearchHit): string {
  return match.highlights.map(([start, end]) => match.text.slice(start, end)).join('');
}

describe('the numbers of a query', () => {
  it.each([
    ['十月三日', '3月10日', '月日'],
    ['8月6日', '六月八日', '月日'],
    ['2年3組', '三年二組', '年組'],
    ['三対二', '２対３', '対３'],
    ['三丁目四番地', '4丁目3番地', '丁目番地'],
    ['一日二回', '2日1回', '日回'],
    ['10-3の試合', '3-10の試合', '試合'],
    ['10/3発売', '3/10発売', '発売'],
  ])('are not found with the counters of others: %s in %s', async (asked, text, rest) => {
    const [hit] = await search(asked, [text]);
    expect(hit && marked(hit)).toBe(rest);
  });

  it.each([
    ['十月三日', '10月3日'],
    ['3対2', '三対二'],
    ['1章から3章', '3章と1章'],
    ['3話 2', '2話から3話'],
  ])('are found with their own: %s in %s', async (asked, text) => {
    const [hit] = await search(asked, [text]);
    expect(hit && Array.from(marked(hit)).length).toBeGreaterThanOrEqual(3);
  });

  it.each(['1-2年生が3-1で勝つ', '4-5月の2-1の勝利', '5/6月号の1/2', '8/9巻の7/10'])(
    'are all found in a copy of it: %s',
    async (text) => {
      const [hit] = await search(text, [text]);
      const found = hit ? marked(hit).match(/\d/g) : [];
      expect(found).toEqual(text.match(/\d/g));
    },
  );

  it.each([
    ['10〜12月の売上', '10月の売上', '10'],
    ['１０～１２月の売上', '10月の売上', '10'],
    ['5-6巻', '5巻', '5'],
    ['1〜3章と二人', '1章の二人', '1'],
    ['10-11-12月と3年', '10月に11月', '1011'],
    ['九・十月と三年', '9月に10月', '910'],
    ['10と12月の売上', '10月の売上', '10'],
    ['10月と5/6巻', '5巻', '5'],
    ['三年と5から6巻', '5巻', '5'],
    ['5-6 3月4日', '5月5日', '55'],
    ['第10〜第12話と3年', '第10話', '10'],
    ['第1・第3章', '第1章', '1'],
    ['令和5〜令和7年の3月', '5年', '5'],
    ['午前9〜午後5時の3人', '9時', '9'],
    ['九･十月と三年', '9月に10月', '910'],
    ['1&2巻と3年', '1巻', '1'],
    ['1＆2巻と3年', '1巻', '1'],
    ['5+6巻と3年', '5巻', '5'],
    ['5⇒6月と3年', '5月', '5'],
    ['3又は4回と5人', '3回', '3'],
    ['3および4章と5節', '3章', '3'],
    ['3ないし4回と5人', '3回', '3'],
    ['3もしくは4回と5人', '3回', '3'],
    ['3あるいは4回と5人', '3回', '3'],
    ['3or4回と5人', '3回', '3'],
    ['第3と第4章の5節', '第3章', '3'],
    ['5-6校と3年', '5校', '5'],
    ['5-10kmと3分', '5km', '5'],
  ])('have the counter of their range: %s in %s', async (asked, text, digits) => {
    const [hit] = await search(asked, [text]);
    expect(hit && marked(hit).replaceAll(/\D/g, '')).toBe(digits);
  });

  it.each([
    ['3対2', '三対二', '二対三'],
    ['十七歳と二十三歳', '17歳と23歳', '23歳と17歳'],
    ['第1部第3章', '第一部第三章', '第三部第一章'],
  ])('are found first in their order: %s', async (asked, right, wrong) => {
    for (const texts of [
      [right, wrong],
      [wrong, right],
    ]) {
      const [first] = await search(asked, texts);
      expect(first?.content).toContain(right);
    }
  });

  it.each([
    ['百合', '100合'],
    ['三橋さん', '3橋さん'],
    ['八橋先生', '8橋先生'],
    ['三毛と暮らす', '3毛と暮らす'],
    ['三瓶さん', '3瓶さん'],
    ['三村氏', '3村氏'],
  ])('are none in names: %s', async (asked, text) => {
    const [hit] = await search(asked, [text]);
    expect(hit ? marked(hit) : '').not.toMatch(/\d/);
  });

  it.each([
    ['五位', '5位'],
    ['三人', '3人'],
    ['第一部', '第1部'],
    ['第三波', '第3波'],
    ['第二村', '第2村'],
    ['第三橋', '第3橋'],
    ['三瓶飲んだ', '3瓶飲んだ'],
    ['水を二瓶', '水を2瓶'],
    ['鯛を七尾', '鯛を7尾'],
    ['五厘三毛', '3毛'],
    ['二分三毛', '3毛'],
    ['日歩四銭三毛', '3毛'],
    ['市内三園を統合', '3園'],
    ['私立二園と公立三園', '公立3園'],
    ['隅田川三橋', '3橋'],
    ['三橋を架ける', '3橋'],
    ['三園様々だ', '3園'],
    ['市内八橋', '8橋'],
    ['第 一橋', '第1橋'],
    ['三坂を越える', '3坂'],
  ])('are some in others: %s', async (asked, text) => {
    const [hit] = await search(asked, [text]);
    expect(hit && marked(hit)).toMatch(/\d/);
  });
});
