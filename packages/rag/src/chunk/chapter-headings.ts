import type { PlacedHeading } from './cut-sections.ts';
import { headingText, type SourceText, type Steps } from './source-text.ts';

/** A heading is a line of at most this many characters. */
const LONGEST = 60;
/** The same of one that only its place makes a heading. */
const LONGEST_BY_PLACE = 30;

/** The depth of each kind of heading, where a text has several. */
const Depth = { part: 1, chapter: 2, section: 3, marked: 4, number: 5 } as const;

/** A number: of a chapter in any digits, of a list in Roman ones, or in circles. */
const WHOLE = String.raw`\p{Nd}{1,4}`;
/** With a half: `第7.5話`. Alone it is a figure. */
const DIGITS = String.raw`${WHOLE}(?:[.．]\p{Nd}{1,2}(?!\p{Nd}))?`;
const KANJI = '[〇零一二三四五六七八九十百千壱弐参肆伍陸漆捌玖拾廿卅]{1,7}';
const ROMAN = '[IVXLivxl]{1,7}|[\u2160-\u217f]{1,4}';
const CIRCLED =
  '[\u2460-\u249b\u24ea-\u24fe\u2776-\u2793\u3220-\u3229\u3251-\u325f\u3280-\u3289\u32b1-\u32bf]';
const NUMBER = `(?:${DIGITS}|${KANJI}(?:[・．]${KANJI})?|${ROMAN}|${CIRCLED}|EX|SP)`;
const WHOLE_NUMBER = `(?:${WHOLE}|${KANJI}|${ROMAN}|${CIRCLED})`;
/** Volume or chapter, and what is in it: `3-2`. */
const PAIR = String.raw`\p{Nd}{1,3}[-－‐–−ー―]\p{Nd}{1,3}`;
const WORD_NUMBER =
  'one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty(?:[- ](?:one|two|three|four|five|six|seven|eight|nine))?|thirty|forty|fifty|the (?:first|second|third|last)';

/** Units that a story is counted in, by their depth. */
const UNITS: readonly (readonly [depth: number, units: string])[] = [
  [Depth.part, '部|編|篇|巻|卷|冊|集|シーズン'],
  [Depth.chapter, '章目|章|幕|夜|回|帖|楽章'],
  [Depth.section, '話目|話|節|节|場|景|段|項|課|稿|場面|日目'],
];

/** Those of what a story is about, after 第 only. */
const OWN_UNITS = '膳|皿|杯|席|局|球|曲|楽|歌|信|通|夢|罪|色|譚|怪|葉|限|時限';

/** The same before the number, and in Korean. */
const WESTERN: readonly (readonly [depth: number, words: string])[] = [
  [Depth.part, 'part|book|volume|vol'],
  [Depth.chapter, 'chapter|ch|act|canto|episode|ep|stage|phase'],
  [Depth.section, 'scene|section|story'],
];
/** Words that sentences begin with as well, which have digits, and a title in Latin letters after a sign only: `Day I met her`. */
const COMMON =
  'day|file no|file|level|lv|case|mission|quest|lesson|round|track|log|night|season|extra|ex';
const KOREAN: readonly (readonly [depth: number, units: string])[] = [
  [Depth.part, '부|편|권'],
  [Depth.chapter, '장|막|회'],
  [Depth.section, '화|절'],
];
/** The words of the West as Japanese writes them, and those of games. */
const KATAKANA =
  'パート|ブック|チャプター|アクト|エピソード|ステージ|フェイズ|フェーズ|シーン|セクション|ストーリー|ミッション|クエスト|レッスン|ラウンド|トラック|場面|カット|ログ|レコード|ファイル|事件';
/** Letters are a number after a separator only: `Act IV`. */
const WESTERN_NUMBER = String.raw`(?:(?:[.-]|(?<!stage|phase)[:：])?\s*(?:${DIGITS}|${KANJI}|${CIRCLED})|(?:\.\s*|\s+)(?:${ROMAN}|${WORD_NUMBER}))`;

/** Matches the separator between the name of a chapter and its title. */
const BEFORE_TITLE = String.raw`(?:[\s:：／/・―—–─ー‐－~～〜.．、,，-]+|(?=[「『（(【〈《［\[“"']))`;
/** A title, which is not a sentence: those end in a full stop. */
const TITLE = `(?:${BEFORE_TITLE}(?<title>[^。、]*[^。、\\s]))?`;
/**
 * One that may be a short sentence, after `第3話` and a space, or speech in brackets: `第3話 帰ろう、家へ。`. A sentence about the
 * chapter continues after the bracket, or ends like one: `第3話「ありがとう」と彼は言った。`, `第1話 見ました。`.
 */
const SENTENCE_TITLE = new RegExp(
  `^第\\s*(?:${PAIR}|${NUMBER})\\s*(?<unit>[部編篇巻章幕夜回話節])(?:\\s\\s*(?![はがをにでともへの]\\p{sc=Han})(?<title>(?!.*(?:[たう]|です|ます|せん|さい)。$)[^\\s。][^。]{0,23}。?)|(?:「[^「」]+」|『[^『』]+』|（[^（）]+）|【[^【】]+】))$`,
  'u',
);
/** Words before the number: `本編 第三話`, `シーズン2 第1話`. */
const LEAD = String.raw`(?:[\p{L}\p{N}ー]{1,12}[\s・]+)?`;

const NUMBERED: readonly (readonly [depth: number, pattern: RegExp])[] = [
  ...UNITS.flatMap(([depth, units]): [number, RegExp][] => [
    [
      depth,
      new RegExp(
        `^${LEAD}第\\s*(?:${PAIR}|${NUMBER})\\s*(?<unit>${units})(?:の${NUMBER}|(?:その|其の)${NUMBER}|\\s?第${NUMBER}[幕場景節話])?${TITLE}$`,
        'u',
      ),
    ],
    [depth, new RegExp(`^(?:${DIGITS}|${KANJI})\\s*(?<unit>${units})${TITLE}$`, 'u')],
    [
      depth,
      new RegExp(
        `^(?!(?:[上中下前後新間])(?:場|段|部|回|景|項|課))(?:最終|序|終|上|前|中|下|後|新|断|間)(?<unit>${units})${TITLE}$`,
        'u',
      ),
    ],
  ]),
  ...WESTERN.map(([depth, words]): [number, RegExp] => [
    depth,
    new RegExp(`^(?<unit>${words})${WESTERN_NUMBER}(?:${TITLE}|\\.)$`, 'iu'),
  ]),
  [
    Depth.chapter,
    new RegExp(
      `^(?<unit>${COMMON})[.-]?\\s*(?:${DIGITS}|${KANJI}|${CIRCLED})(?=$|\\s*(?:[:：―—–-]|\\.(?!\\p{Nd})|[\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}「『（(【〈《“"]))${TITLE}$`,
      'iu',
    ),
  ],
  [
    Depth.section,
    new RegExp(
      `^(?<unit>${KATAKANA})(?:(?<=パート|ブック|チャプター|アクト|エピソード|シーン|セクション|ストーリー)[:：])?\\s*(?:${DIGITS}|${KANJI}|${CIRCLED})${TITLE}$`,
      'u',
    ),
  ],
  ...KOREAN.map(([depth, units]): [number, RegExp] => [
    depth,
    new RegExp(`^제\\s*${DIGITS}\\s*(?<unit>${units})${TITLE}$`, 'u'),
  ]),
  [Depth.section, new RegExp(`^第\\s*${NUMBER}\\s*(?<unit>${OWN_UNITS})${TITLE}$`, 'u')],
  [
    Depth.chapter,
    new RegExp(`^(?:${KANJI}[のノ之](?<unit>巻|章|段|編|篇)|巻[のノ之]?${NUMBER})${TITLE}$`, 'u'),
  ],
  [Depth.section, new RegExp(`^(?<unit>その|其の|其之|其ノ|ソノ)\\s*${NUMBER}${TITLE}$`, 'u')],
];

/** The word, a sign and the number, as fields of data are written too: those are in a row. */
const FIELD =
  /^(?:[A-Za-z\u30a1-\u30fa\u30fc]+[:：]|(?:level|lv|stage|file|part|day|phase|rank)-)/iu;

/** Parts of a book that have a name of their own. */
const NAMED = new RegExp(
  `^(?<unit>プロローグ|エピローグ|インターミッション|インタールード|幕間(?:劇)?|間奏|序幕|終幕|序曲|終曲|序文|序|序詞|跋|跋文|閑話(?:休題)?|小話|挿話|余[話談]|断章|転章|間奏曲|[開閉]幕|幕開け|完結(?:編|篇)|インターバル|ラストエピソード|番外(?:編|篇)?|外伝|後日[談譚]|前日[談譚]|おまけ|特別(?:編|篇)|本(?:編|篇)|短編|回想|(?:登場)?(?:人物|キャラ(?:クター)?)(?:紹介|一覧|設定)|登場人物|用語(?:集|解説)|設定(?:資料|集)|まえがき|前書き?|はじめに|あとがき|後書き?|おわりに|終わりに|解説|付録|目次|序論|結論|結び|むすび|結章|解題|凡例|奥付|参考文献|謝辞|献辞|(?:前回(?:まで)?の|これまでの)?あらすじ|楔子|引子|序言|尾声|后记|番外|프롤로그|에필로그|외전|prologue|epilogue|interlude|intermission|prelude|preface|foreword|introduction|afterword|appendix|coda)\\s*(?:${NUMBER})?${TITLE}$`,
  'iu',
);

const JAPANESE = '[\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}]';
/** The same in capital letters, which small ones are words of sentences. */
const NAMED_BY_CAPITALS = new RegExp(
  `^(?:(?:IF|SS)(?:${NUMBER})?$|(?:(?:IF(?:編|篇|ルート|ストーリー|エンド)|(?:特典|記念|番外)SS)\\s*(?:${NUMBER})?|(?:IF|SS)\\s?${NUMBER})${TITLE}$|(?:IF|SS)\\s(?=${JAPANESE})(?![をはがにでの席級文関])[^。、]*$)`,
  'u',
);

/** Words that notes and lists begin with, too: they need a blank line on both sides. */
const BY_BLANKS =
  /^(?:(?:IF|SS)\s|(?:場面|カット|ログ|レコード|ファイル|事件)\s*\p{N}|(?:結論|結び|むすび|参考文献|謝辞|.{0,6}あらすじ)(?:[\s:：]|$))/u;

/** A new page of pixiv, which is as good as a blank line. */
const NEW_PAGE = /^\[newpage\]$/;
/** A chapter of pixiv. */
const CHAPTER_TAG = /^\[chapter:(?<title>.+)\]$/u;

/** A mark that opens a section: `◆ 灯台守の娘`. */
const MARKED = /^[■□◆◇●○◎★☆▼▽▲△♦♢✦✧❖§]\s*(?<title>[^\s。、」』].*)$/u;
/** A number alone, or with a title: `３`, `(2)`, `Ⅳ`, `1. 嵐の夜`, `一、出会い`. */
const ALONE = new RegExp(
  `^(?:[(（#＃【〔［「『〈\\[]|[Nn][Oo]\\.\\s?|№\\s?)?\\s*(?:${PAIR}|${WHOLE_NUMBER}|第${NUMBER})\\s*[)）】〕］」』〉\\].．、]?$`,
  'u',
);
const SIDE = '[Ss][Ii][Dd][Ee]';
const COUNTED_NOUN = String.raw`第${NUMBER}の\p{sc=Han}{1,4}(?<!理由|問題|質問|原因|条件|目的|特徴|利点)`;
const COUNTED_THING = `(?:${WHOLE}|${KANJI})[つ通杯本品皿枚夜冊曲]目`;
const ROMAN_TITLE = String.raw`[IVXL]{1,7}(?=\.\s[A-Z][A-Z' ,-]{3,}$)`;
/** Lines that are sentences as often as titles, `第一の男`, `一本目`, `I. HATE YOU`, by their kind. */
const COUNTED = new RegExp(
  `^(?:(?<noun>第)${NUMBER}の\\p{sc=Han}{1,4}|(?:${WHOLE}|${KANJI})(?<thing>[つ通杯本品皿枚夜冊曲]目)|[IVXL]{1,7}(?<roman>\\.)\\s[A-Z' ,-]{4,})$`,
  'u',
);
/** Two letters or more are no word or name. */
const LONG_ROMAN = /^[IVXL]{2}/u;
/** Parts by their order or their season, and whose view it is: `上`, `承`, `巻の二`, `春の章`, `アリス視点`, `Side：勇者`. */
const BY_PLACE = new RegExp(
  `^(?:[上中下起承転結破急]|${KANJI}[のノ之]${KANJI}|巻[のノ之]${NUMBER}|[\\p{sc=Han}〇]{1,3}[のノ之](?:巻|章|段|編|篇)(?:\\s?${NUMBER})?|(?:${WHOLE}|${KANJI})月|[春夏秋冬]|初日|最終日|${COUNTED_NOUN}|${COUNTED_THING}|視点\\s?[:：]\\s?[\\p{L}ー・ ]{1,20}|※?[\\p{L}ー・ ]{1,16}(?:視点|(?<![a-zA-Z] ?)${SIDE}|(?<!プール|ベッド|リバー|シー|アウト|イン)サイド|(?<!^[そこあど])の場合)|サイド\\s?[:：]\\s?[\\p{L}ー・ ]{1,20}|${SIDE}(?:\\s?[:：.・]\\s?|-(?=[^a-zA-Z\\s]|[A-Z]$)|(?=[^a-zA-Z\\s])|\\s(?=[^a-zA-Z]|[A-Z]$))[\\p{L}ー・ ]{1,20})$`,
  'u',
);
/** Words of the West for a part that has no number, and a whole line. */
const WESTERN_ALONE = new RegExp(
  `^(?:intro|outro|opening|ending|finale?|after|extra|another(?: (?:side|story))?|(?:last|final|extra|bonus|special|side) (?:episode|chapter|story|stage))(?:\\s?${NUMBER})?$`,
  'iu',
);
/** The day of a diary: `四月一日（月） 晴れ`. */
const DATE = new RegExp(
  `^(?:\\p{Nd}{4}[/-]\\p{Nd}{1,2}[/-]\\p{Nd}{1,2}|(?:(?:明治|大正|昭和|平成|令和)?(?:${NUMBER}|元)年)?${NUMBER}月${NUMBER}日)(?:\\s?[（(][月火水木金土日][）)]|\\s[月火水木金土日]曜日?)?(?:\\s[\\p{sc=Han}\\p{sc=Hiragana}]{1,8})?$`,
  'u',
);
/** A title with its number after it: `嵐の夜（1）`, `嵐の夜 その１`, `嵐の夜 後編`. */
const NUMBERED_AFTER = new RegExp(
  `^(?=[^（(]*${JAPANESE})[^\\s。、！？!?「『（(][^。、！？!?「」『』（(]*(?:\\s?[（(](?:\\p{Nd}{1,2}(?:[/／]\\p{Nd}{1,2})?|${KANJI}|${ROMAN}|${CIRCLED}|[上中下前後](?:編|篇)?)[）)]|\\s(?:その|其の|其之|其ノ)${NUMBER}|\\s[前中後](?:編|篇)|\\s${CIRCLED})$`,
  'u',
);
/** A title between two of one mark: `～嵐の夜～`. Dashes are around thoughts, a single `*` around words that are stressed. */
const ENCLOSED =
  /^(?<mark>[※～〜~＊＝]|(?<two>[*=])(?=\k<two>))\k<mark>{0,9}\s?(?<title>[^\s。、※～〜~＊*＝=][^。、※～〜~＊*＝=]*?)\s?\k<mark>{1,10}$/u;
/** A number or a mark before a title, but not `1. を選んだ`, nor numbers that are counted: `一、二、三、と`. */
const LISTED = new RegExp(
  `^(?!${KANJI}[、，]${KANJI}[、，])(?:${PAIR}|(?:[#＃♯№]|[Nn][Oo]\\.\\s?)?${DIGITS}|${ROMAN_TITLE}|第${NUMBER}(?=\\s)|${KANJI}|${CIRCLED}|[\u2160-\u217f]{1,4})(?:[.．](?!\\p{Nd})\\s*|[、:：](?!\\p{Nd})\\s*|\\s+)(?<title>(?!を[^\\p{sc=Hiragana}])\\S.*)$`,
  'u',
);
/** Frames of numbers of headings: those of references and lists are `[1]`, `<1>` and `（1）`. */
const NUMBER_IN_FRAME = /^[【〔《≪]/u;
/** The continuation of a sentence about a number, `が正解`, `はそのまま`, `でいいよ`, but not a title, `はじまり`, `とある夜`. */
const PARTICLE = String.raw`(?:を|[にでへ][はもの]|と[はの]|(?:[がはへにでとのもか]|から|より|まで|だけ|なら)(?:[^\p{sc=Hiragana}]|[そこあど][のう]|いい|まだ|もう|すぐ)|(?:[がへで]|から|より|まで|だけ|なら).*(?:[よねだ]|です|ます|ない|ください)$)`;
/** A number that needs no separator: `①嵐の夜`, but not `①と②の違い`, `①を選ぶ` or `①嵐だ！`. */
const CIRCLED_BEFORE = new RegExp(
  `^${CIRCLED}(?!${PARTICLE})[「『（\\p{L}](?:(?!${CIRCLED}).)*(?<![！？!?…‥])$`,
  'u',
);

/** The same in a row of such numbers, where a title may be `①もう会えない` or `②君の名は？` too. */
const CIRCLED_IN_ROW = new RegExp(
  `^(?<number>${CIRCLED})(?!を)(?:$|[\\s.．、:：「『（\\p{L}])(?:(?!${CIRCLED}).)*$`,
  'u',
);
const CONTINUED = new RegExp(`^${CIRCLED}${PARTICLE}`, 'u');
/** Numbers that follow one in another row of Unicode: `⑳`, `㉑`. */
const NEXT_ROW: ReadonlyMap<string, string> = new Map([
  ['⑳', '㉑'],
  ['㉟', '㊱'],
  ['❿', '⓫'],
]);

/** A sentence, speech, or a line that continues: no title. */
const SENTENCE = /[。．.、，,：:」』)）]$/u;

const SPEECH = /^[「『]/u;

/** A heading, and the word that names or counts it, in small letters: `章`, `プロローグ`, `chapter`. */
interface ChapterHeading extends PlacedHeading {
  readonly unit?: string;
  readonly isNumbered?: boolean;
}

interface Line {
  readonly line: number;
  readonly text: string;
  readonly isBlankBefore: boolean;
  readonly isBlankAfter: boolean;
  /** True if the number in a circle that it begins with is one of a row. */
  readonly isInRow: boolean;
  /** True if the line before or after it is speech, blank ones left out. */
  isInTalk(): boolean;
}

/**
 * Finds the lines of a text without markup that name its chapters, outermost first where one follows another.
 *
 * @param areParagraphs - True if each line is a paragraph, and blank lines are no border: a line is a heading by its words
 * alone.
 */
export function* chapterHeadings(
  source: SourceText,
  areParagraphs = false,
): Steps<readonly ChapterHeading[]> {
  const found: ChapterHeading[] = [];
  /** Headings with only blank lines between them. */
  let bare: ChapterHeading[] = [];
  const row = areParagraphs ? new Set() : yield* circledInRows(source);
  let isBlankBefore = true;
  let last = '';
  for (let line = 1; line <= source.lines; line += 1) {
    yield;
    const text = lineAt(source, line, LONGEST);
    if (text === '') {
      isBlankBefore = true;
      continue;
    }
    const heading: ChapterHeading | undefined =
      text === undefined
        ? undefined
        : headingIn({
            line,
            text,
            isBlankBefore: isBlankBefore || areParagraphs,
            isBlankAfter: !areParagraphs && isBorder(source, line + 1),
            isInRow: row.has(line),
            isInTalk: () => SPEECH.test(last) || SPEECH.test(nextLine(source, line)),
          });
    last = text?.slice(0, 1) ?? nextLine(source, line - 1);
    isBlankBefore = heading === undefined && text !== undefined && RULE.test(text);
    if (heading === undefined) {
      found.push(...withoutContents(bare));
      bare = [];
    } else {
      bare.push(heading);
      // Headings may follow each other.
      isBlankBefore = true;
    }
  }
  return withoutStray([...found, ...withoutContents(bare)], source);
}

/**
 * Leaves out what is counted once in a text and follows other text: a title has others of its kind, or is marked, or follows
 * another heading.
 */
function withoutStray(
  found: readonly ChapterHeading[],
  source: SourceText,
): readonly ChapterHeading[] {
  const kindOf = ({ line }: ChapterHeading): string | undefined =>
    Object.values(COUNTED.exec(lineAt(source, line, LONGEST) ?? '')?.groups ?? {}).find(Boolean);
  const kinds = new Map<string, Set<string>>();
  for (const heading of found) {
    const kind = kindOf(heading);
    if (kind !== undefined) kinds.set(kind, (kinds.get(kind) ?? new Set()).add(heading.text));
  }
  let end = 0;
  return found.filter((heading) => {
    const count = kinds.get(kindOf(heading) ?? '')?.size;
    const before = source.text.slice(end, source.startOf(heading.line));
    if (count === 1 && !LONG_ROMAN.test(heading.text) && before.trim() !== '') return false;
    end = source.startOf(heading.line + 1);
    return true;
  });
}

/**
 * Returns the lines with numbers in circles that follow one another. At least one of a row does not look like the
 * continuation of a sentence.
 */
function* circledInRows(source: SourceText): Steps<ReadonlySet<number>> {
  const found = new Set<number>();
  if (!new RegExp(CIRCLED, 'u').test(source.text)) return found;
  let row: number[] = [];
  let [last, hasTitle] = ['', false];
  for (let line = 1; line <= source.lines; line += 1) {
    yield;
    const text = lineAt(source, line, LONGEST_BY_PLACE) ?? '';
    const number = CIRCLED_IN_ROW.exec(text)?.groups?.['number'];
    if (number === undefined || SENTENCE.test(text)) continue;
    if ((line > 1 && !isBorder(source, line - 1)) || !isBorder(source, line + 1)) continue;
    const isContinued = CONTINUED.test(text);
    // A sentence about the chapter before.
    if (isContinued && number === last) continue;
    if (!isNext(last, number)) [row, hasTitle] = [[], false];
    row.push(line);
    [last, hasTitle] = [number, hasTitle || !isContinued];
    if (row.length < 2 || !hasTitle) continue;
    for (const each of row) found.add(each);
    // The next one needs no other.
    row = [line];
  }
  return found;
}

function isNext(before: string, number: string): boolean {
  if (NEXT_ROW.has(before)) return NEXT_ROW.get(before) === number;
  return (before.codePointAt(0) ?? 0) + 1 === number.codePointAt(0);
}

/** A list of chapters is none of them: the last ones stay that lead from a part to its first chapter. */
function withoutContents(bare: readonly ChapterHeading[]): readonly ChapterHeading[] {
  if (bare.length < 3) return bare;
  let first = bare.length - 1;
  while (first > 0 && (bare[first - 1]?.depth ?? 0) < (bare[first]?.depth ?? 0)) first -= 1;
  return bare.slice(first);
}

/** A story of its own, which has chapters. */
const STORY = /^(?:閑話|番外|外伝|後日|前日|おまけ|特別|短編|回想|외전|ss$)/u;

/**
 * Returns the depth of the only heading of a book, whose line names a chapter: 0 for the title of the book, which is above
 * the chapters of other lines.
 */
export function depthOfTitle(
  source: SourceText,
  title: ChapterHeading,
  chapters: readonly ChapterHeading[],
): number {
  const [first] = chapters;
  if (first === undefined || chapters.some(({ unit }) => unit === title.unit)) return title.depth;
  if (STORY.test(title.unit ?? '')) return 0;
  if (title.depth < first.depth) return title.depth;
  if (title.isNumbered && first.isNumbered) return 0;
  // A prologue has a text of its own.
  const between = source.text.slice(source.startOf(title.line + 1), source.startOf(first.line));
  return between.trim() === '' ? 0 : title.depth;
}

function headingIn({
  line,
  text,
  isBlankBefore,
  isBlankAfter,
  isInRow,
  isInTalk,
}: Line): ChapterHeading | undefined {
  const placed = (depth: number, name: string): PlacedHeading => ({
    depth,
    text: headingText(name),
    isRunIn: false,
    line,
    lastLine: line,
  });
  const tagged = CHAPTER_TAG.exec(text)?.groups?.['title'];
  if (tagged !== undefined) return placed(Depth.chapter, tagged);
  if (!isBlankBefore && !isBlankAfter) return undefined;
  const name = withoutFrame(text);
  const sentence = isBlankBefore && isBlankAfter ? SENTENCE_TITLE.exec(name) : null;
  if (sentence !== null) {
    const [depth] = UNITS.find(([, units]) =>
      units.split('|').includes(sentence.groups?.['unit'] ?? ''),
    ) ?? [Depth.section];
    return { ...placed(depth, name), unit: sentence.groups?.['unit'] ?? '', isNumbered: true };
  }
  if (name !== '' && !/[。、]$|[a-z]\.$/u.test(name)) {
    const isBetween = isBlankBefore && isBlankAfter;
    if (!isBetween && BY_BLANKS.test(name)) return undefined;
    const isInRowOfFields = FIELD.test(name) && !isBetween;
    const numbered = isInRowOfFields
      ? undefined
      : NUMBERED.find(([, pattern]) => pattern.test(name));
    const unit = (pattern: RegExp): string =>
      pattern.exec(name)?.groups?.['unit']?.toLowerCase() ?? '';
    if (numbered) {
      return { ...placed(numbered[0], name), unit: unit(numbered[1]), isNumbered: true };
    }
    if (NAMED.test(name)) return { ...placed(Depth.chapter, name), unit: unit(NAMED) };
    if (NAMED_BY_CAPITALS.test(name)) return { ...placed(Depth.chapter, name), unit: 'ss' };
  }
  if (!isBlankBefore || !isBlankAfter || text.length > LONGEST_BY_PLACE) return undefined;
  if (SPEECH.test(text) && !text.includes('第') && isInTalk()) return undefined;
  if (ALONE.test(text))
    return placed(
      Depth.number,
      text.replaceAll(/^[(（#＃【〔［「『〈[\s]+|[)）】〕］」』〉\]\s.．、]+$/gu, ''),
    );
  if (ALONE.test(name)) return placed(Depth.number, name);
  if (BY_PLACE.test(name) || WESTERN_ALONE.test(name)) return placed(Depth.section, name);
  if (DATE.test(text)) return placed(Depth.section, text);
  if (!isInTalk() && NUMBERED_AFTER.test(text)) return placed(Depth.number, text);
  if (SENTENCE.test(text)) return undefined;
  const enclosed = ENCLOSED.exec(text)?.groups?.['title'];
  if (enclosed !== undefined && /[\p{L}\p{N}]/u.test(enclosed))
    return placed(Depth.marked, enclosed);
  const marked = MARKED.exec(text)?.groups?.['title'];
  if (marked !== undefined && /[\p{L}\p{N}]/u.test(marked))
    return placed(Depth.marked, marked.replace(SIGNS_AFTER, ''));
  return LISTED.test(text) ||
    (NUMBER_IN_FRAME.test(text) && LISTED.test(name)) ||
    CIRCLED_BEFORE.test(text) ||
    isInRow
    ? placed(Depth.number, text)
    : undefined;
}

/** Returns how the next line that is not blank begins. */
function nextLine(source: SourceText, line: number): string {
  const blank = /\s*/y;
  blank.lastIndex = source.startOf(line + 1);
  blank.test(source.text);
  return source.text.charAt(blank.lastIndex);
}

/** A line that is drawn above and below a heading. */
const RULE = /^([-=＝━─―—*＊~～〜※■□◆◇＿_#＃+＋])\1\1+$/u;

/** Checks whether a line is blank or a rule. */
function isBorder(source: SourceText, line: number): boolean {
  const text = lineAt(source, line, LONGEST);
  return text === '' || (text !== undefined && RULE.test(text));
}

/** Ruby and the marks of it. */
const RUBY = /(?<=\S)《[\p{sc=Hiragana}\p{sc=Katakana}ー・]{1,20}》|[|｜]/gu;

/** A line as it is read; nothing for one that is too long. */
function lineAt(source: SourceText, line: number, longest: number): string | undefined {
  const [from, to] = [source.startOf(line), source.startOf(line + 1)];
  // Blanks around it count little.
  if (to - from > longest + 100) return undefined;
  const text = source.text.slice(from, to).replaceAll(RUBY, '').replaceAll(/\s\s*/gu, ' ').trim();
  if (NEW_PAGE.test(text)) return '';
  return text.length > longest ? undefined : text;
}

/** Brackets around a heading, and marks next to it. */
const FRAME =
  /^(?:【(?<a>[^【】]+)】|〈(?<b>[^〈〉]+)〉|《(?<c>[^《》]+)》|［(?<d>[^［］]+)］|〔(?<e>[^〔〕]+)〕|\[(?<f>[^[\]]+)\]|<(?<g>[^<>]+)>|＜(?<h>[^＜＞]+)＞|≪(?<i>[^≪≫]+)≫|（(?<j>[^（）]+)）)(?<rest>.*)$/u;
const SIGN = '■□◆◇●○◎★☆▼▽▲△♦♢✦✧❖§†‡＊*＃#・~～―—–─━－=＝〜_-';
const SIGNS_BEFORE = new RegExp(`^[${SIGN}]{1,10}\\s*`, 'u');
/** Matches the marks after what a heading says. */
const SIGNS_AFTER: RegExp = new RegExp(`\\s*[${SIGN}]{1,10}$`, 'u');
/** Marks with spaces between them: `* * * 序章 * * *`. */
const SPACED_BEFORE = new RegExp(`^(?:[${SIGN}]\\s){2,10}`, 'u');
const SPACED_AFTER = new RegExp(`(?:\\s[${SIGN}]){2,10}$`, 'u');

/** Returns a line without the brackets and marks around what it says. */
function withoutFrame(text: string): string {
  const bare = text
    .replace(SPACED_BEFORE, '')
    .replace(SPACED_AFTER, '')
    .replace(SIGNS_BEFORE, '')
    .replace(SIGNS_AFTER, '');
  const groups = FRAME.exec(bare)?.groups;
  if (groups === undefined) return bare;
  const { rest = '', ...inner } = groups;
  const inside = Object.values(inner).find((each) => each !== undefined) ?? '';
  return `${inside.trim()}${rest.trim() === '' ? '' : ` ${rest.trim()}`}`;
}
