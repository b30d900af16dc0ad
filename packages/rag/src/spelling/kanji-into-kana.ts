import type { Rewriting } from './old-orthography.ts';

/**
 * Words that IPADIC has in kana only, as authors write them in kanji: 彷徨う, 揶揄う, 矢張り.
 *
 * Source: as that of the kanji in `rare-kanji.ts`, and the lists of newspapers of words to write in kana.
 */
const WORDS =
  '兎に角/とにかく 兎も角/ともかく 矢張り/やはり 矢っ張り/やっぱり 矢鱈/やたら 成程/なるほど ' +
  '成る程/なるほど 迚も/とても 屹度/きっと 就中/なかんずく 余っ程/よっぽど 鳥渡/ちょっと 只管/ひたすら ' +
  '愚図愚図/ぐずぐず 薩張り/さっぱり 取敢えず/とりあえず 咥え/くわえ 忙がし/いそがし 八釜し/やかまし ' +
  '可懐し/なつかし 腑甲斐な/ふがいな 頼母し/たのもし 見窄らし/みすぼらし 艶めかし/なまめかし 千切れ/ちぎれ ' +
  '革包/かばん 我楽多/がらくた 頬っぺた/ほっぺた 目蓋/まぶた 眼蓋/まぶた 褞袍/どてら 彷徨わ/さまよわ ' +
  '彷徨う/さまよう 彷徨え/さまよえ 彷徨お/さまよお 彷徨っ/さまよっ 揶揄わ/からかわ 揶揄い/からかい ' +
  '揶揄う/からかう 揶揄え/からかえ 揶揄お/からかお 揶揄っ/からかっ 喋舌ら/しゃべら 喋舌り/しゃべり ' +
  '喋舌る/しゃべる 喋舌れ/しゃべれ 喋舌ろ/しゃべろ 喋舌っ/しゃべっ 仰言ら/おっしゃら 仰言り/おっしゃり ' +
  '仰言る/おっしゃる 仰言れ/おっしゃれ 仰言ろ/おっしゃろ 仰言っ/おっしゃっ 胡魔化さ/ごまかさ ' +
  '胡魔化し/ごまかし 胡魔化す/ごまかす 胡魔化せ/ごまかせ 胡魔化そ/ごまかそ 胡麻化さ/ごまかさ ' +
  '胡麻化し/ごまかし 胡麻化す/ごまかす 胡麻化せ/ごまかせ 胡麻化そ/ごまかそ 五月蠅い/うるさい ' +
  '五月蠅く/うるさく 五月蠅かっ/うるさかっ 五月蠅かろ/うるさかろ 五月蠅けれ/うるさけれ 五月蠅けりゃ/うるさけりゃ 五月蝿かっ/うるさかっ 五月蝿かろ/うるさかろ 五月蝿けれ/うるさけれ 五月蝿けりゃ/うるさけりゃ 煩瑣い/うるさい ' +
  '煩瑣く/うるさく 煩瑣かっ/うるさかっ 煩瑣かろ/うるさかろ 煩瑣けれ/うるさけれ 煩瑣けりゃ/うるさけりゃ 目出た/めでた 非道い/ひどい 非道く/ひどく 非道かっ/ひどかっ 非道かろ/ひどかろ ' +
  '非道けれ/ひどけれ 非道けりゃ/ひどけりゃ 彷徨い/さまよい';

const HAN = /\p{sc=Han}/u;
/** The particle of a noun, 非道くらい, which is no adjective then. */
const PARTICLE = /くらい/y;
let byFirst: ReadonlyMap<string, readonly (readonly [written: string, kana: string])[]> | undefined;

function words(): NonNullable<typeof byFirst> {
  const found = new Map<string, (readonly [string, string])[]>();
  for (const pair of WORDS.split(' ')) {
    const [written = '', kana = ''] = pair.split('/');
    const first = written.charAt(0);
    found.set(first, [...(found.get(first) ?? []), [written, kana]]);
  }
  return found;
}

/** Returns the words of a normal text that the dictionary has in kana only, with these, in order. */
export function rewriteIntoKana(text: string): readonly Rewriting[] {
  byFirst ??= words();
  const found: Rewriting[] = [];
  for (let at = 0; at < text.length; at++) {
    const [written, kana] =
      byFirst.get(text.charAt(at))?.find(([each]) => isWord(text, at, each)) ?? [];
    if (written === undefined || kana === undefined || HAN.test(text.charAt(at - 1))) continue;
    found.push({ start: at, end: at + written.length, text: kana });
    at += written.length - 1;
  }
  return found;
}

function isWord(text: string, at: number, written: string): boolean {
  PARTICLE.lastIndex = at + written.length - 1;
  return text.startsWith(written, at) && !PARTICLE.test(text);
}
