/** Katakana of foreign sounds, and how they are written without them; the first that fits counts. */
const RULES: readonly (readonly [pattern: RegExp, replacement: string])[] = [
  // A word that ends in ティ is mostly no other word in チ: パンティ, レディ.
  [/ヴァ/g, 'バ'],
  [/ヴィ/g, 'ビ'],
  [/ヴェ/g, 'ベ'],
  [/ヴォ/g, 'ボ'],
  [/ヴュ/g, 'ビュ'],
  [/ヴ/g, 'ブ'],
  [/ヷ/g, 'バ'],
  [/ヂ/g, 'ジ'],
  [/ヅ/g, 'ズ'],
  [/ティ(?!ー?$)/g, 'チ'],
  [/ディ(?!ー?$)/g, 'ジ'],
  [/テュ/g, 'チュ'],
  [/デュ/g, 'ジュ'],
  [/トゥ/g, 'ツ'],
  [/ドゥ/g, 'ド'],
  [/ツィ/g, 'チ'],
  [/シェ/g, 'セ'],
  [/ジェ/g, 'ゼ'],
  [/フュ/g, 'ヒュ'],
  [/クヮ/g, 'カ'],
  [/グヮ/g, 'ガ'],
  // Small vowels are written large as well: フイルム, ウイスキー, クオリティ.
  [/ァ/g, 'ア'],
  [/ィ/g, 'イ'],
  [/ゥ/g, 'ウ'],
  [/ェ/g, 'エ'],
  [/ォ/g, 'オ'],
  [/ヵ/g, 'カ'],
  [/ヶ/g, 'ケ'],
  // ダイヤ and ダイア, ロシヤ and ロシア, ギリシャ and ギリシア.
  [/(?<=イ)ア/g, 'ヤ'],
  [/(?<=[キギシジチニヒビピミリ])[アヤ]/g, 'ャ'],
  [/ヲ/g, 'オ'],
  // メイル and メール, ボウル and ボール, サーヴィス.
  [/(?<=[エケゲセゼテデネヘベペメレ])イ/g, 'ー'],
  [/(?<=[オコゴソゾトドノホボポモヨョロウクスツヌフムユュルグズブプ])ウ(?!$)/g, 'ー'],
  [/ーー+/g, 'ー'],
];
const KATAKANA = /^[\u30a1-\u30fa\u30fc・]+$/;
const LONG = /ー/g;
/** From this length on, words are distinct without their long vowels: インターフェース. */
const LONG_WORD = 6;

/**
 * Returns a word of katakana as all of its spellings are: `ヴァイオリン` and `バイオリン`, `ダイア` and `ダイヤ`,
 * `インターフェース` and `インタフェース`. Any other word comes back as it is.
 */
export function foldKatakana(word: string): string {
  if (!KATAKANA.test(word) || word.length < 2) return word;
  let folded = word.replaceAll('・', '');
  for (const [pattern, replacement] of RULES) folded = folded.replace(pattern, replacement);
  const short = folded.replace(LONG, '');
  if (folded.length >= LONG_WORD && short.length >= LONG_WORD - 2) return short;
  return folded.length > 3 && folded.endsWith('ー') ? folded.slice(0, -1) : folded;
}
