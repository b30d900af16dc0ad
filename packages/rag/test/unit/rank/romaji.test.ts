import { describe, expect, it } from 'vitest';
import { KeywordFlexBackend } from '../../../src/backends/keyword-flex-backend.ts';
import { romajiReadings } from '../../../src/spelling/romaji.ts';
import { openCompact } from '../../support/compact-analyzer.ts';

const PAIRS =
  'tokyo/東京 Tōkyō/東京 kyôto/京都 oosaka/大阪 Osaka/大阪 sakura/桜 shinkansen/新幹線 toudai/灯台 gakkou/学校 densha/電車 fujisan/富士山 neko/猫 ' +
  'tomodachi/友達 mahou/魔法 yuusha/勇者 ramen/ラーメン koohii/コーヒー kaze/風 toshokan/図書館 tyawan/茶碗 shimbun/新聞 sinbun/新聞 matcha/抹茶 ' +
  "mattya/抹茶 zyosei/女性 josei/女性 syakai/社会 tunami/津波 tsunami/津波 huton/布団 futon/布団 ohno/大野 kin'en/禁煙 jinja/神社 hokkaido/北海道 " +
  'byouin/病院 ryokou/旅行 shashin/写真 syasin/写真 kekkon/結婚 zasshi/雑誌 itchi/一致 konbini/コンビニ tanuki/たぬき kirakira/きらきら daigaku/大学 honya/本屋 kinyoubi/金曜日 shinyou/信用 konnichiwa/こんにちは';
const OTHERS =
  'tokyo/京都 sakura/鎖 shinkansen/新聞 toudai/当番 gakkou/学生 neko/犬 table/机 note/海苔 made/窓 more/森 kaze/海 byouin/病人 kekkon/結果 ' +
  'zasshi/雑草 tunami/綱 jinja/人事 shashin/車内 book/本 water/水 house/家 story/物語 moon/月 night/夜 light/光 dream/夢 world/世界 hello/平和';

function pairsOf(list: string): readonly (readonly [string, string])[] {
  return list.split(' ').map((pair) => {
    const [asked = '', text = ''] = pair.split('/');
    return [asked, text] as const;
  });
}

async function indexOf(texts: readonly string[], romaji: boolean): Promise<KeywordFlexBackend> {
  const backend = await KeywordFlexBackend.open({ analyzer: await openCompact(), romaji });
  for (const [at, text] of texts.entries()) {
    await backend.updateFile({ novelId: 'n', filePath: `${at}.txt`, text });
  }
  return backend;
}

describe('a query in Latin letters', () => {
  it('finds what is read so if it may', async () => {
    const backend = await indexOf([...new Set(pairsOf(PAIRS).map(([, text]) => text))], true);
    const missed: string[] = [];
    for (const [asked, text] of pairsOf(PAIRS)) {
      const { hits } = await backend.search(asked, { k: 1 });
      if (hits[0]?.content !== text) missed.push(`${asked}: ${hits[0]?.content}`);
    }
    expect(missed).toEqual([]);
  });

  it('finds nothing else', async () => {
    const backend = await indexOf([...new Set(pairsOf(OTHERS).map(([, text]) => text))], true);
    for (const [asked, text] of pairsOf(OTHERS)) {
      const { hits } = await backend.search(asked);
      expect(hits.map(({ content }) => content)).not.toContain(text);
    }
  });

  it('finds only itself by default, and the same in English either way', async () => {
    const english = [
      'She made a note of the time.',
      'A table at home',
      'No more',
      'sake and ramen',
    ];
    const [off, on] = [
      await indexOf([...english, '桜'], false),
      await indexOf([...english, '桜'], true),
    ];
    expect((await off.search('sakura')).hits).toEqual([]);
    for (const asked of ['note', 'made time', 'home table', 'more', 'sake']) {
      const [plain, romaji] = [await off.search(asked), await on.search(asked)];
      expect(romaji.hits).toEqual(plain.hits);
    }
  });

  it.each(['table', 'world', 'n', 'x', '', 'a', 'toudai2', 'о', 'supercalifragilistic'.repeat(3)])(
    'has no reading for %j',
    (word) => {
      expect(romajiReadings(word)).toEqual([]);
    },
  );

  it('has few readings however many vowels are long', () => {
    expect(romajiReadings('ō'.repeat(12)).length).toBeLessThanOrEqual(24);
  });
});
