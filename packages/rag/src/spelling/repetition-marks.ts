import { expandIterationMark } from '../dictionary/kana-and-scripts.ts';

/** Marks that repeat more than one character, as Aozora Bunko types them and in Unicode; with ″ or a dot the first is voiced. */
const MARK = /(?:／(?<voiced>″)?＼|〱|(?<one>〲)|〳〵|(?<two>〴)〵)/uy;
/** Words of which more than two syllables are repeated. */
const LONG =
  /(?:ところ|か[はわ]る|か[へえ]す|はなれ|おそる|かさね|おも[ひい]|ひとつ|ひとり|ふたり)$/u;
const KATAKANA = /[\u30a1-\u30fa\u30fc]{2,5}$/u;
/** The last two syllables, of which each may have a small kana. */
const LAST_TWO =
  /(?:(?![ぁぃぅぇぉっゃゅょゎー])[\p{sc=Han}\p{sc=Hiragana}々][ぁぃぅぇぉゃゅょゎ]?){1}[\p{sc=Han}\p{sc=Hiragana}々ー][ぁぃぅぇぉゃゅょゎ]?$/u;

/** Returns what a mark at an offset repeats: いろ for いろ／＼, さま for さま／″＼ as ざま. */
export function repeatedAt(
  text: string,
  at: number,
  tail: string,
): { readonly length: number; readonly shown: string } | undefined {
  MARK.lastIndex = at;
  const { 0: all = '', groups } = MARK.exec(text) ?? { groups: undefined };
  const [repeated] = LONG.exec(tail) ?? KATAKANA.exec(tail) ?? LAST_TWO.exec(tail) ?? [];
  if (!groups || repeated === undefined) return undefined;
  const first = repeated.charAt(0);
  const isVoiced = (groups['voiced'] ?? groups['one'] ?? groups['two']) !== undefined;
  const shown = isVoiced ? expandIterationMark('ゞ', first) + repeated.slice(1) : repeated;
  // A kanji stays as it is: 離れ／″＼.
  return { length: all.length, shown: shown.replace(/^ゞ/u, first) };
}
