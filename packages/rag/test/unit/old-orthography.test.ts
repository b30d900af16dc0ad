import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../providers/test/support/fuzz.ts';
import { KeywordFlexBackend } from '../../src/backends/keyword-flex-backend.ts';
import { REWRITTEN_KANA, rewriteOldOrthography } from '../../src/spelling/old-orthography.ts';
import { wordOfToday } from '../../src/spelling/old-words.ts';
import { openCompact } from '../support/compact-analyzer.ts';

function modern(text: string): string {
  let written = '';
  let from = 0;
  for (const { start, end, text: today } of rewriteOldOrthography(text)) {
    written += text.slice(from, start) + today;
    from = end;
  }
  return written + text.slice(from);
}

it('rewrites nothing where no kana is that it rewrites', () => {
  const pieces = ['學', '会', '思', '々', 'ア', 'ー', 'ケ', 'a', '。', ' ', '9', 'ヰ', 'ひ', 'つ'];
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...pieces)), fc.boolean(), (parts, isOld) => {
      const text = parts.join('');
      if (REWRITTEN_KANA.test(text)) return;
      expect(rewriteOldOrthography(text, isOld)).toEqual([]);
    }),
    { numRuns: runs(300) },
  );
});

/** Today's texts in which two words together look like one of the old orthography. */
const TODAY = [
  '大きさはりんごくらい',
  '胸をはって歩く',
  'シールをはった',
  'やってくるはず',
  '雨がくるはずだ',
  'お金をどれくらい',
  '手をどろどろに',
  'いつかはなくなる',
  'いつかはなしたい',
  'いつかはれる',
  'どこかへたどり着く',
  'どこかへまよい',
  'まとはずれ',
  'こはく色',
  'ここはくらい',
  'そこはくさい',
  'さつきちゃん',
  'あさつき',
  'おもちひとつ',
  'やまひとつ',
  'ひとつたのむ',
  'のどはひりひり',
  '「やつと戦う」',
  'やつと目が合う',
  'もつとキャベツ',
  'まつかさ',
  'ひろふみさん',
  '「X」をどうする',
  '『罪と罰』をとことん読む',
  'APIをどう使う、100%をはるかに超える',
  '準備へ、',
  '新関数へ、引数へまとめる',
  '増加へ。',
  '逮捕へ。',
  '参加へ。',
  '変数へ。',
  '国会議員を逮捕へ',
  '例へまとめる、数へたどり着く',
  '大使はない、休憩はない、解雇へ、来訪へと',
  '結構ひどい、結構ふつう、恋はうれしい',
  'たつた揚げとなつたび',
  '次の行ふいに途切れた。棚にひとつきりの本が。',
  '残り3行ひまつぶしに書く。ふたつきりの席。',
  '次の行ふせんを貼る',
  '」はつきまとう。まとはずれだ。くるはずだ。',
  '「かまはない」「うたはなに？」と聞いた。',
  '「さつき」「かつて」と書いた。',
  '「A」にはかなり、3ずつと',
  '電気を習はしない',
  '「かほ、待って」「なほ」（しほ）「みづ」「かをり。」「ふぢ！」',
  'みさを、行こう。みさをは来た。',
  '空、あを、うへ、それが何かは、分からない。かは、',
  '明日、くるはず。「まとはず」「うたはな」',
  'ゆづるは笑った。「ゆづる、待って」「ゆづり」ゆづりさん、しづく、しづくは来た。',
  '「よろづ」「あをい」「うづ」「かぢ」「くづ」「さう」「さはら」「をはら」「いはせ」「たひら」と呼ぶ。',
  '「ゆふひ、にほひ」「にやあ」と鳴いた。',
  '試合はない、五合はない、3合はない',
  '日用ひとつ、仏教はつまらない、キリスト教はるか',
  '配給へ並ぶ。参考へ載せる。小包みと小づつみ',
  '発言はばかげている。宣言はばれた。方言はばらばらだ。助言はばあさんに聞け。彼の言はばかばかしい。',
  '今日はさいたまへ。東京からさいたまへ、帰る。「さいたまへ」きたまへ、行く。',
  '子ども用ひな人形、ベビー用ひなたの服、ペット用ひよこ、ガーデニング用ひまし油、湯割り用ひれ酒、ペット用ひるね布団',
  '知り合はせまい道を行く。割り合はね、高い。顔が合はせいぜい',
  'この教はらくだ',
  '竹づつと大づつ。いづつさん、いづつや、茶づつ',
  '練習はします。復習はしよう。練習はしんどい。学習はしっかりやる。',
];

describe('the old orthography', () => {
  it.each([
    ['彼はちよつと待つてゐた。', '彼はちょっと待っていた。'],
    ['行かうと思ふ', '行こうと思う'],
    ['さはやかな風にふるまひを学んでゐる', 'さわやかな風にふるまいを学んでいる'],
    [
      'みづうみでわらはべがちよつとくはへたのだらう',
      'みずうみでわらわべがちょっとくわえたのだろう',
    ],
    ['じやあ、いつしよによかつたと言はう', 'じゃあ、いっしょによかったと言おう'],
    ['夢のやうに、さうして静かになつた', '夢のように、そうして静かになった'],
    ['新聞へ数へて与へた', '新聞へ数えて与えた'],
    ['彼は使はない', '彼は使わない'],
    ['言はれて考へながら答へた。', '言われて考えながら答えた。'],
    ['知つた', '知った'],
    ['答へた', '答えた'],
    ['危ふい道を通ふ', '危うい道を通う'],
    ['争ひが終はる', '争いが終わる'],
    ['をかしなことをいふ。', 'おかしなことをいう。'],
    ['それはしづかに変はつてゐる', 'それはしずかに変わっている'],
    ['「ちよつと」と言った。', '「ちょっと」と言った。'],
    ['　さうして、朝が来た。', '　そうして、朝が来た。'],
    ['みづうみの岸に、すはる人がいる。', 'みずうみの岸に、すわる人がいる。'],
    ['「うを」と書いた。', '「うお」と書いた。'],
    ['猫がにやあにやあと鳴いてゐる', '猫がにゃあにゃあと鳴いている'],
    ['土地の習はしだ', '土地の習わしだ'],
    ['性に合はないと言はば', '性に合わないと言わば'],
    ['彼に教はつた方法を用ひた', '彼に教わった方法を用いた'],
    ['見給へ、考へがある、捕まへろ', '見給え、考えがある、捕まえろ'],
    ['急ぎたまへ。', '急ぎたまえ。'],
    ['少しづつ、一人づつ', '少しずつ、一人ずつ'],
    [
      '3つづつ、いくつづつ、ひとりづつ、十分づつ、これくらいづつ',
      '3つずつ、いくつずつ、ひとりずつ、十分ずつ、これくらいずつ',
    ],
    [
      '方法は用ひてゐる。飛びたまへ。知り合はずにゐる。言はば、夢だ。',
      '方法は用いている。飛びたまえ。知り合わずにいる。言わば、夢だ。',
    ],
  ])('%s is %s today', (old, today) => {
    expect(modern(old)).toBe(today);
  });

  it.each(TODAY)('%s stays', (text) => {
    expect(modern(text)).toBe(text);
  });

  it.each([
    ['終わる', 'シールをはった', '作業が終わった'],
    ['狂う', '雨がくるはずだ', '歯車が狂わずに回る'],
    ['もっと', 'もつとキャベツを煮る', 'もっと食べる'],
    ['さっき', 'さつきちゃんが来た', 'さっき来た'],
  ])('%s does not find %s', async (asked, text, other) => {
    const backend = await KeywordFlexBackend.open({ analyzer: await openCompact() });
    await backend.updateFile({ novelId: 'n', filePath: 'a.txt', text });
    await backend.updateFile({ novelId: 'n', filePath: 'b.txt', text: other });
    const { hits } = await backend.search(asked);
    await backend.close();
    expect(hits.map(({ content }) => content)).toEqual([other]);
  });

  it.each(['かほ', 'なほ', 'みづ', 'かほを見る', 'たつた一人', 'たつた'])(
    '%s finds the text that it is from',
    async (asked) => {
      const backend = await KeywordFlexBackend.open({ analyzer: await openCompact() });
      const text = 'かほを見てゐると、なほ悲しくなつた。みづが流れてゐる。たつた一人でゐる。';
      await backend.updateFile({ novelId: 'n', filePath: 'a.txt', text });
      await backend.updateFile({
        novelId: 'n',
        filePath: 'b.txt',
        text: '直す水を一人で見ている。',
      });
      const { hits } = await backend.search(asked);
      await backend.close();
      expect(hits[0]?.content).toBe(text);
    },
  );

  it.each([
    ['大きさはりんごくらい', '手でさわった'],
    ['いつかはなくなる', '本をかわなかった'],
    ['かほ', '顔を洗った'],
    ['かいひ', '怪異の話'],
    ['あわわ', '「あはは」と笑った。'],
    ['顔', '「かほ、待って」と言った。'],
  ])('%s does not find %s', async (asked, text) => {
    const backend = await KeywordFlexBackend.open({ analyzer: await openCompact() });
    await backend.updateFile({ novelId: 'n', filePath: 'a.txt', text });
    const { total } = await backend.search(asked);
    await backend.close();
    expect(total).toBe(0);
  });

  it.each([
    ['しほり', 'しほりが来た。'],
    ['なほこ', '「なほこ」と呼んだ。なほこは笑った。'],
    ['かいひ', 'かいひを払った。'],
    ['しゅふ', '「しゅふ」は忙しい。'],
    ['おやじ', '「おやぢ」'],
    ['ひとつ', 'おもちひとつ'],
    ['ひとつ', 'やまひとつ'],
    ['来る', '雨がくるはずだ'],
  ])('%s finds %s', async (asked, text) => {
    const backend = await KeywordFlexBackend.open({ analyzer: await openCompact() });
    await backend.updateFile({ novelId: 'n', filePath: 'a.txt', text });
    const { total } = await backend.search(asked);
    await backend.close();
    expect(total).toBe(1);
  });

  it.each([
    '首をかしげて手紙をかく',
    '近づいてつづける、身を縮ぢめて',
    '意味はひとつ、気遣はない',
    '何でもよほどのことだ',
    '間違はないと相違はない',
    '戦争はせまい道の母へ手紙',
    '買うと言うので向かうと払う',
    'まほと かほは つづみを うつ',
    'いつそこへ行ったのか',
    '学校へようこそ、町へなど',
  ])('%s stays', (text) => {
    expect(modern(text)).toBe(text);
  });

  it.each([
    ['りつぱな兵隊のきつぷ', 'りっぱな兵隊のきっぷ'],
    ['あつさりとゆつたりと', 'あっさりとゆったりと'],
    ['真つ直ぐ引つ張る酔つ払ひ', '真っ直ぐ引っ張る酔っ払い'],
    ['まつ黒なしつぽ', 'まっ黒なしっぽ'],
    ['そつと、すつと', 'そっと、すっと'],
    ['むしやむしやと、きよろきよろと', 'むしゃむしゃと、きょろきょろと'],
    ['こつちとどつち', 'こっちとどっち'],
    ['きふに、ぢき、ひとへに', 'きゅうに、じき、ひとえに'],
    ['会を行ふ。国を襲ふ。', '会を行う。国を襲う。'],
    ['打つ手と一つ、持つ物', '打つ手と一つ、持つ物'],
    ['ひやひや、ひよひよ、にやにや', 'ひやひや、ひよひよ、にやにや'],
    ['銀行ふたつ', '銀行ふたつ'],
    ['彼の行ふもの、行ひます', '彼の行うもの、行います'],
    ['次の行ふいに、3行ひとつ', '次の行ふいに、3行ひとつ'],
    ['ひとつきりの、ふたつきりの', 'ひとつきりの、ふたつきりの'],
    ['いくつきり、あいつきり、みつきりの', 'いくつきり、あいつきり、みつきりの'],
    ['ひとつぽつん、ふたつぽろり、いくつぱらぱら', 'ひとつぽつん、ふたつぽろり、いくつぱらぱら'],
    ['よつぽど、むつくりと、おもいつきり', 'よっぽど、むっくりと、おもいっきり'],
    ['そつという字', 'そつという字'],
    ['ねこにやあげた', 'ねこにやあげた'],
    ['「にやあ」', '「にゃあ」'],
    ['立ち上がつて、悪くつて、二度あつた', '立ち上がって、悪くって、二度あった'],
    [
      'なくつちやならない、いらつしやれば、言つたつけ',
      'なくっちゃならない、いらっしゃれば、言ったっけ',
    ],
    ['安つぽい鬼ごつこはできつこない', '安っぽい鬼ごっこはできっこない'],
    ['こつそり仕事、急にまつ黒に', 'こっそり仕事、急にまっ黒に'],
    ['手紙ぢや駄目、それじや行く', '手紙じゃ駄目、それじゃ行く'],
    ['「そりや高い」ありやしない', '「そりゃ高い」ありゃしない'],
    ['人を笑はした。飯を食はない', '人を笑わした。飯を食わない'],
    ['する事さへあるとかいふ話', 'する事さえあるとかいう話'],
    ['拵へ直す。やらうとさう云ふ', '拵え直す。やろうとそう云う'],
    ['彼はかつて来た。かつての町', '彼はかつて来た。かつての町'],
    ['深さへ、さへぎる。おやじや。', '深さへ、さえぎる。おやじや。'],
  ])('has in an old text %s for %s', (old, today) => {
    expect(modern(`ゐる。${old}`)).toBe(`いる。${today}`);
  });

  it.each([
    ['おやぢ', 'おやじ'],
    ['ねぢる', 'ねじる'],
    ['あさひ', undefined],
    ['あはは', undefined],
    ['かをり', undefined],
    ['めいはく', undefined],
    ['つづく', undefined],
  ])('%s alone between signs may be %s, as the dictionary has it', (old, today) => {
    const words = new Set(
      'おやじ ねじる つづく つずく あさい あわわ かおり めいわく あさひ'.split(' '),
    );
    expect(wordOfToday(old, (word) => words.has(word))).toBe(today);
  });

  it('takes a few kana for old only in a text with signs', () => {
    expect(modern('行かう。')).toBe('行かう。');
    expect(modern('行かう。ゐる。')).toBe('行こう。いる。');
  });
});
