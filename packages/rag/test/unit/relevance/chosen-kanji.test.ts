import { describe, expect, it } from 'vitest';
import { KeywordFlexBackend } from '../../../src/backends/keyword-flex-backend.ts';
import { REWRITTEN, rewriteBySound } from '../../../src/spelling/kanji-and-okurigana.ts';
import { openCompact } from '../../support/compact-analyzer.ts';

/** Returns the texts that a query finds in a text. */
async function found(query: string, text: string): Promise<readonly string[]> {
  const backend = await KeywordFlexBackend.open({ analyzer: await openCompact() });
  await backend.updateFile({ novelId: 'n', filePath: 'a.txt', text });
  const { hits } = await backend.search(query);
  await backend.close();
  return hits.map(({ content }) => content);
}

it('no kanji is rewritten in two ways', () => {
  const from = Array.from(REWRITTEN).filter((_, at) => at % 2 === 0);
  expect(from.filter((kanji, at) => from.indexOf(kanji) < at)).toEqual([]);
  expect(rewriteBySound('生蕃')).toBe('生番');
});

describe('a word in the kanji that its author chose', () => {
  it.each([
    ['賛美', '神を讃美する'],
    ['讃嘆', '賛嘆の声'],
    ['奇形', '畸形の花'],
    ['全編', '全篇を読む'],
    ['満州', '満洲国へ渡る'],
    ['波乱', '波瀾の生涯'],
    ['湾曲', '彎曲した枝'],
    ['抽選', '抽籤に当たる'],
    ['包帯', '繃帯を巻く'],
    ['車両', '車輛の中'],
    ['欄干', '橋の欄杆'],
    ['唱える', '呪文をとなえる'],
    ['となえる', '呪文を唱える'],
    ['歌う', '歌を唱う'],
    ['悪', '善も悪も知る'],
    ['悪', '悪まで許す'],
    ['憎む', '彼を悪んでいる'],
    ['殴る', '顔を撲った'],
    ['打つ', '顔を撲たれる'],
    ['怒る', '瞋れば恐い'],
    ['怒る', '瞋ろうとする'],
    ['繁殖', '鳥が蕃殖する'],
    ['一緒', '一しょに行く'],
    ['一緒', '一しょくたにする'],
    ['一番', '一ばんいい'],
    ['一緒', '一しょじゃないと嫌だ'],
    ['一緒', '一しょなら行く'],
    ['一緒', '一しょはいやだ'],
    ['一緒', '一しょか別か'],
    ['一緒', 'ママ一しょに行こう'],
    ['一遍', '一ぺんも行かない'],
    ['一遍', '一ぺんは行く'],
    ['一遍', '一ぺんやってみる'],
    ['一層', '一そうひどくなる'],
    ['一同', '一どうが笑った'],
    ['一般', '一ぱんはそう言う'],
    ['一般', '一ぱんてきな話'],
    ['一番', '一ばんじゅうようだ'],
    ['一番', '一ばん中央の席'],
    ['一番', '一ばんちゅういする'],
    ['憎む', '罪を悪む'],
    ['憎む', '罪を悪む。'],
    ['憎む', '罪を悪む人'],
    ['憎む', '彼を悪みます'],
    ['憎む', '彼を悪まない'],
    ['憎まれた', '人に悪まれた'],
    ['ひどい', '非道けりゃ言う'],
    ['うるさい', '五月蠅けりゃ言う'],
    ['一段', '一だんと寒い'],
    ['赞美', '讚美'],
    ['讚美', '赞美'],
    ['讃美', '赞美'],
    ['礼赞', '禮讚'],
    ['禮讚', '礼赞'],
    ['画赞', '畫讚'],
    ['賛美', '讚美'],
    ['不躾', '不躾な質問'],
    ['不躾', '無躾な質問'],
    ['ひどい', '非道かったら言う'],
    ['うるさい', '煩瑣ければ言う'],
    ['非道', '非道くらい知る'],
    ['劇', '劇しか見ない'],
    ['激しい', '劇しかった風'],
    ['麦畑', '麦畠の中'],
    ['桑畠', '桑畠さん'],
    ['青い', '碧く光る'],
    ['渡る', '川を渉らない'],
    ['嘆く', '人が歎くんだ'],
    ['騙す', '人を欺しかねない'],
    ['巡る', '堀を繞らない'],
    ['糺す', '姿を正す'],
    ['馴れる', '人に慣れる'],
  ])('%s is found in %s', async (query, text) => {
    expect(await found(query, text)).toEqual([text]);
  });

  it('is marked whole', async () => {
    const backend = await KeywordFlexBackend.open({ analyzer: await openCompact() });
    await backend.updateFile({ novelId: 'n', filePath: 'a.txt', text: '不躾な質問' });
    const { hits } = await backend.search('ぶしつけ');
    await backend.close();
    expect(hits[0]?.match.highlights).toEqual([[0, 2]]);
  });

  it.each([
    ['お父さん', 'お母さんは出かけた'],
    ['お爺さん', 'お婆さんは川へ'],
    ['満州', '八満洲崎さん'],
    ['長い', '流暢な話'],
    ['歌える', '異を唱える'],
    ['憎い', '善も悪も知る'],
    ['憎む', '悪まで許す'],
    ['打つ', '顔を撲った'],
    ['一緒', '一しょうけんめい働く'],
    ['一緒', '一しょうけん命働く'],
    ['一緒', '一しょうがい忘れない'],
    ['一同', '第一どうして来たのか'],
    ['一同', '第一どうに入る'],
    ['一段', '一だんらくした'],
    ['一番', '一ばんじゅう起きる'],
    ['一番', '一ばんじゅう、起きる'],
    ['一番', '一ばんじゅうの雨'],
    ['一番', '一ばん中、起きる'],
    ['一遍', '一ぺんとうになる'],
    ['一斉', 'ルイ一せいの城'],
    ['憎む', '悪まみれの男'],
    ['憎む', '悪むしろ善'],
    ['ひどい', '非道かつ残忍だ'],
    ['ひどい', '非道くらい知る'],
    ['うるさい', '煩瑣かつ複雑だ'],
    ['うるさい', '煩瑣から逃げる'],
    ['激', '劇しか見ない'],
    ['桑畑', '桑畠さん'],
    ['桐畑', '桐畠さん'],
    ['青い', '碧くんの家'],
    ['渡る', '渉らしい人'],
    ['慣れる', '果実が熟れる'],
    ['獲る', '得るものがある'],
    ['白虎', '白狐の面'],
    ['兄弟', '兄妹'],
    ['海人', '海女'],
    ['正す', '人に質す'],
    ['掻く', '駕籠を舁く'],
    ['子規', '時鳥が鳴いた'],
    ['編針', '網針'],
    ['冊子', '草紙を読む'],
    ['数奇', '数寄を好む'],
  ])('%s is another word than that of %s', async (query, text) => {
    expect(await found(query, text)).toEqual([]);
  });
});
