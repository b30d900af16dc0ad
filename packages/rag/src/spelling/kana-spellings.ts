type Rules = readonly (readonly [pattern: RegExp, replacement: string])[];

/**
 * Katakana of foreign sounds, and how they are written without them; the first that fits counts.
 *
 * Source: 外来語の表記 (Cabinet notice 2 of 1991), tables 1 and 2 with their remarks.
 */
const SOUNDS: Rules = [
  [/ヴァ/g, 'バ'],
  [/ヴィ/g, 'ビ'],
  [/ヴェ/g, 'ベ'],
  [/ヴォ/g, 'ボ'],
  [/ヴュ/g, 'ビュ'],
  [/ヴ/g, 'ブ'],
  [/ヷ/g, 'バ'],
  [/ヂ/g, 'ジ'],
  [/ヅ/g, 'ズ'],
  [/テュ/g, 'チュ'],
  [/デュ/g, 'ジュ'],
  [/ツィ/g, 'チ'],
  [/フュ/g, 'ヒュ'],
  [/クヮ/g, 'クア'],
  [/グヮ/g, 'グア'],
  // Sounds that are exchanged in long words: シュミレーション, コミニュケーション.
  [/シュミレ/g, 'シミュレ'],
  [/コミニュ/g, 'コミュニ'],
  [/ヵ/g, 'カ'],
  [/ヶ/g, 'ケ'],
  // アルミニューム and アルミニウム, エキストラ and エクストラ.
  [/(?<=[ニリジチシ])ウム/g, 'ューム'],
  [/(?<=.)キ(?=ッ?[サスセシソ])/g, 'ク'],
];

/** Words that dictionaries of Japanese have in two spellings, whatever their sounds, by the more common one. */
const DOUBLETS: ReadonlyMap<string, string> = new Map(
  (
    'ハンケチ/ハンカチ ハンケチーフ/ハンカチーフ リウマチ/リューマチ リュウマチ/リューマチ ロイマチス/リューマチ ' +
    'サボン/シャボン モダーン/モダン カムフラージュ/カモフラージュ ジャンバー/ジャンパー ビールス/ウイルス ' +
    'インシュリン/インスリン ヒエラルヒー/ヒエラルキー リラクセーション/リラクゼーション ナルシシスト/ナルシスト ' +
    'アタッシェケース/アタッシュケース バトミントン/バドミントン アボガド/アボカド ギブス/ギプス スムース/スムーズ ' +
    'エンターテイメント/エンターテインメント エンタテイメント/エンターテインメント プロマイド/ブロマイド ' +
    'メイク/メーク メイン/メーン メイド/メード バウムクーヘン/バームクーヘン シャンペン/シャンパン ' +
    'シャボテン/サボテン ジャクージ/ジャグジー ジャクジー/ジャグジー カソリック/カトリック オルガスムス/オーガズム オルガズム/オーガズム'
  )
    .split(' ')
    .map((pair): readonly [string, string] => {
      const [old = '', today = ''] = pair.split('/');
      return [old, today];
    }),
);

/** Voiced or not after ッ in words of this length: ブルドッグ and ブルドック, but not バッグ and バック. */
const LONG_WORD = 5;
const AFTER_STOP: Rules = [
  [/ッグ/g, 'ック'],
  [/ッド/g, 'ット'],
  [/ッジ/g, 'ッチ'],
  [/ッズ/g, 'ッツ'],
];
/** Words shorter than this are other words with other sounds: ティア and チア, ジープ and ディープ. */
const DISTINCT_SOUNDS = 4;

/** Vowels, which are written small, large or long. */
const VOWELS: Rules = [
  // カテゴリィ, セクシィー.
  [/(?<=[イキギシジチニヒビピミリ])[ィイ](?=ー?$)/g, 'ー'],
  // Long vowels as they were written before 1945: アパアト, ビイル, スウプ, テエブル, コオト.
  [/(?<=[カガサザタダナハバパマヤラワャ])ア/g, 'ー'],
  [/(?<=[キギシジチニヒビピミリ])イ/g, 'ー'],
  [/(?<=[ケゲセゼテデネヘベペメレ])エ/g, 'ー'],
  [/(?<=[コゴソゾトドノホボポモヨロョ])オ/g, 'ー'],
  // Small vowels are written large as well: フイルム, ウイスキー, クオリティ.
  [/ァ/g, 'ア'],
  [/ィ/g, 'イ'],
  [/ゥ/g, 'ウ'],
  [/ェ/g, 'エ'],
  [/ォ/g, 'オ'],
  // ダイヤ and ダイア, ロシヤ and ロシア, ギリシャ and ギリシア, コンベヤ and コンベア, ブルジョワ and ブルジョア.
  [/(?<=イ)ア/g, 'ヤ'],
  [/(?<=[エケゲセゼテデネヘベペメレ])ヤ/g, 'ア'],
  [/(?<=[オコゴソゾトドノホボポモヨョロ])ワ/g, 'ア'],
  [/(?<=[キギシジチニヒビピミリ])[アヤ]/g, 'ャ'],
  [/ヲ/g, 'オ'],
  // メイル and メール, ボウル and ボール, フォロウ and フォロー.
  [/(?<=[エケゲセゼテデネヘベペメレ])イ/g, 'ー'],
  [/(?<=[オコゴソゾトドノホボポモヨョロウクスツヌフムユュルグズブプ])ウ(?![ー]|$)/g, 'ー'],
  [/(?<=..[オコゴソゾトドノホボポモヨョロユュ])ウ$/g, 'ー'],
  [/ーー+/g, 'ー'],
];

/** Small kana as they were written before 1946: ゴツホ, シヤツ, ニユース. */
const LARGE: Rules = [
  [/(?<=.)ツ(?=[カキクケコサシスセソタチテトパピプペポハヒフヘホ])/g, 'ッ'],
  [/(?<=[キギシジチニヒビピミリヂ])ヤ(?=.)/g, 'ャ'],
  [/(?<=[キギシジチニヒビピフミリヂヴ])ユ(?=.)/g, 'ュ'],
  [/(?<=[キギシジチニヒビピミリヂ])ヨ(?=.)/g, 'ョ'],
  [/(?<=[フヴ])ア/g, 'ァ'],
  [/(?<=[フヴ])エ/g, 'ェ'],
  [/(?<=[フヴ])オ/g, 'ォ'],
];

/** Sounds that are written in one of two other ways; a word with them is found by each. */
const OTHER_SOUNDS: readonly Rules[] = [
  [
    // A word that ends in ティ is mostly no other word in チ: パンティ, レディ.
    [/ティ(?!ー?$|ング)/g, 'チ'],
    // メディア is not メジャー.
    [/ディ(?!ー?$|ア)/g, 'ジ'],
    [/トゥ/g, 'ツ'],
    [/ドゥ/g, 'ズ'],
    [/シェ/g, 'セ'],
    [/ジェ/g, 'ゼ'],
    // プラットホーム, but ファイト is not ハイト.
    [/(?<=.)ファ/g, 'ハ'],
    [/(?<=.)フィ/g, 'ヒ'],
    [/(?<=.)フェ/g, 'ヘ'],
    [/(?<=.)フォ/g, 'ホ'],
    [/ク[ァア]/g, 'カ'],
    [/グ[ァア]/g, 'ガ'],
    [/クォ/g, 'コ'],
    // イェルサレム, but イェール is not エール.
    [/^イェ(?=...)/g, 'エ'],
    [/(?<=.)ウィ/g, 'イ'],
    [/(?<=.)ウェ/g, 'エ'],
    [/(?<=.)ウォ/g, 'オ'],
  ],
  [
    // デジタル, アイデア.
    [/ティ(?!ー?$)/g, 'テ'],
    [/ディ(?!ー?$)/g, 'デ'],
    [/トゥ/g, 'ト'],
    [/ドゥ/g, 'ド'],
  ],
];

const KATAKANA = /^[\u30a1-\u30fa\u30fc・]+$/;
const LONG = /ー/g;
const SHORT_STOP = /ッ/g;
/** Words that have this many kana without their long vowels and ッ are distinct without them. */
const DISTINCT = 4;

/**
 * Returns what all spellings of a word of katakana have in common: of `ヴァイオリン` and `バイオリン`, `ダイア` and
 * `ダイヤ`, `インターフェース` and `インタフェース`, `ディジタル` and `デジタル`. Nothing for any other word.
 *
 * @param isKnown - Checks whether the dictionary has a word: two short words that it has are two words, as
 * `ディスク` and `デスク`.
 */
export function katakanaKeys(
  word: string,
  isKnown: (word: string) => boolean = () => false,
): readonly string[] {
  if (word.length < 2 || !KATAKANA.test(word)) return [];
  const small = rewrite(word, LARGE);
  // A name that the dictionary does not know has the other spelling as well: マツカワ.
  if (small !== word && !isKnown(word))
    return [
      ...new Set([
        ...keysOf(word, isKnown),
        ...(isSmall(small, isKnown) ? keysOf(small, isKnown) : []),
      ]),
    ];
  return keysOf(word, isKnown);
}

/** Checks whether a spelling with small kana is a word, or too long to be another one. */
function isSmall(word: string, isKnown: (word: string) => boolean): boolean {
  return word.length > LONG_WORD || isKnown(word);
}

function keysOf(word: string, isKnown: (word: string) => boolean): readonly string[] {
  const points = word.replaceAll('・', '');
  // Basic forms have no long vowel at their end.
  const joined = DOUBLETS.get(points) ?? DOUBLETS.get(`${points}ー`) ?? points;
  const sounds = rewrite(rewrite(joined, SOUNDS), joined.length >= LONG_WORD ? AFTER_STOP : []);
  const keys = new Set<string>();
  for (const other of [sounds, ...OTHER_SOUNDS.map((rules) => rewrite(sounds, rules))]) {
    if (keys.size > 0 && other === sounds) continue;
    const written = rewrite(other, VOWELS);
    // ティーム and ラディオ are no words themselves.
    const isSpelling = word.length >= DISTINCT_SOUNDS && isKnown(written) && !isKnown(word);
    if (keys.size > 0 && other.length < DISTINCT_SOUNDS && !isSpelling) continue;
    const key = withoutLength(written);
    const isShort = key.length < DISTINCT;
    const isOtherWord =
      isShort &&
      [other, written].some((each) => each !== word && each !== sounds && isKnown(each)) &&
      isKnown(word);
    if (!isOtherWord) keys.add(key);
    else if (other === sounds) keys.add(sounds);
  }
  return [...keys];
}

function rewrite(word: string, rules: Rules): string {
  let written = word;
  for (const [pattern, replacement] of rules) written = written.replace(pattern, replacement);
  return written;
}

function withoutLength(word: string): string {
  let key = word.length > 3 && word.endsWith('ー') ? word.slice(0, -1) : word;
  const short = key.replace(LONG, '');
  if (short.length >= DISTINCT) key = short;
  const plain = key.replace(SHORT_STOP, '');
  return plain.length >= DISTINCT ? plain : key;
}
