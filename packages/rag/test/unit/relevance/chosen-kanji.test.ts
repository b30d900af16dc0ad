import { describe, expect, it } from 'vitest';
import { KeywordFlexBackend } from '../../../src/backends/keyword-flex-backend.ts';
import { openCompact } from '../../support/compact-analyzer.ts';

/** Returns the texts that a query finds in a text. */
async function found(query: string, text: string): Promise<readonly string[]> {
  const backend = await KeywordFlexBackend.open({ analyzer: await openCompact() });
  await backend.updateFile({ novelId: 'n', filePath: 'a.txt', text });
  const { hits } = await backend.search(query);
  await backend.close();
  return hits.map(({ content }) => content);
}

describe('a word in the kanji that its author chose', () => {
  it.each([
    ['唱える', '呪文をとなえる'],
    ['となえる', '呪文を唱える'],
    ['歌う', '歌を唱う'],
    ['悪', '善も悪も知る'],
    ['悪', '悪まで許す'],
    ['憎む', '彼を悪んでいる'],
    ['殴る', '顔を撲った'],
    ['打つ', '顔を撲たれる'],
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
