import { expandIterationMark } from '../dictionary/kana-and-scripts.ts';

/** Marks that repeat more than one character, as Aozora Bunko types them and in Unicode; with ″ or a dot the first is voiced. */
const MARK = /(?:／(?<voiced>″)?＼|〱|(?<one>〲)|〳〵|(?<two>〴)〵)/uy;
/** Words of which more than two syllables are repeated. */
const LONG =
  /(?:ところ|か[はわ]る|か[へえ]す|はなれ|おそる|かさね|おも[ひい]|ひとつ|ひとり|ふたり|しよう)$/u;
/** Sounds and moves of three syllables with り: ひらり, but not にとり, which is a particle and a word. */
const SOUND =
  /(?:かた|が[たさ]|き[しら]|ぎ[しらろ]|く[らるすた]|ぐ[らるさ]|こ[ろそと]|ご[ろそと]|さら|ざ[らぶ]|じろ|ず[きしる]|する|そろ|ぞろ|たら|だら|ち[くら]|つる|とろ|ど[ろさ]|に[こたや]|ぬ[らる]|のそ|はら|ば[さたら]|ぱ[くさたら]|ひ[たらや]|びく|ぴ[くした]|ふ[らわ]|ぶ[らす]|ぷつ|べ[ろた]|ぺ[ろこた]|ほろ|ぼ[そたろ]|ぽ[たつろく]|むく|ゆ[らる])り$/u;
/** Three kana after a sign that opens or separates are one word, unless a particle begins them. After a closing sign one mostly does: 」とにこ. */
const ALONE =
  /(?<=^|[\s\p{Ps}\p{Pi}、。，．！？!?…‥―—・])(?![とをがはもにので])\p{sc=Hiragana}{3}$/u;
const KATAKANA = /[\u30a1-\u30fa\u30fc]{2,5}$/u;
/** Words of three kanji and more, of which two are not said again: 三角形; but 毎日一歩. */
const KANJI = /\p{sc=Han}(?!一)[\p{sc=Han}々]{2}$/u;
/** The last two syllables, of which each may have a small kana. */
const LAST_TWO =
  /(?![ぁぃぅぇぉっゃゅょゎー])[\p{sc=Han}\p{sc=Hiragana}々][ぁぃぅぇぉゃゅょゎ]?[\p{sc=Han}\p{sc=Hiragana}々ー][ぁぃぅぇぉゃゅょゎ]?$/u;

/** Returns what a mark at an offset repeats: いろ for いろ／＼, さま for さま／″＼ as ざま. */
export function repeatedAt(
  text: string,
  at: number,
  tail: string,
): { readonly length: number; readonly shown: string } | undefined {
  MARK.lastIndex = at;
  const { 0: all = '', groups } = MARK.exec(text) ?? { groups: undefined };
  if (!groups || KANJI.test(tail)) return undefined;
  const [repeated] =
    [LONG, SOUND, KATAKANA, ALONE, LAST_TWO].map((each) => each.exec(tail)).find(Boolean) ?? [];
  if (repeated === undefined) return undefined;
  const first = repeated.charAt(0);
  const isVoiced = (groups['voiced'] ?? groups['one'] ?? groups['two']) !== undefined;
  const shown = isVoiced ? expandIterationMark('ゞ', first) + repeated.slice(1) : repeated;
  // A kanji stays as it is: 離れ／″＼.
  return { length: all.length, shown: shown.replace(/^ゞ/u, first) };
}
