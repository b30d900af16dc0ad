import { withoutCode } from './sentences.ts';

/** An item of a list: its mark as it is written, such as `2.` or `(B)`, and its text. */
interface ListItem {
  readonly mark: string;
  readonly text: string;
}

/** A list in a text. */
export interface FoundList {
  /** The text before it. */
  readonly before: string;
  readonly items: readonly ListItem[];
  /** `true`: letters mark the items; `false`: numbers do. */
  readonly hasLetters: boolean;
}

/** A way in which lists are marked. */
interface Marking {
  readonly pattern: RegExp;
  /** Returns the place of an item that has this mark, from 1 on; 0: the marks do not count. */
  place(mark: string): number;
}

const KANJI = '一二三四五六七八九十';
const WORDS = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth'];
const CIRCLED = '①②③④⑤⑥⑦⑧⑨⑩⑪⑫⑬⑭⑮⑯⑰⑱⑲⑳';

const digits = (mark: string): number => Number(/\d\d*/.exec(mark.normalize('NFKC'))?.[0] ?? 0);
const letter = (mark: string): number =>
  (/[A-Z]/.exec(mark.normalize('NFKC').toUpperCase())?.[0].codePointAt(0) ?? 64) - 64;
const lastLetter = (mark: string): number =>
  letter(/[A-ZＡ-Ｚ](?=[^A-Za-z]*$)/.exec(mark)?.[0] ?? '');
const ROMAN = 'i ii iii iv v vi vii viii ix x xi xii'.split(' ');
const roman = (mark: string): number =>
  ROMAN.indexOf(/[ivx][ivx]*/.exec(mark.normalize('NFKC').toLowerCase())?.[0] ?? '') + 1;
const kana = (order: string) => (mark: string) =>
  Array.from(order).findIndex((each) => mark.includes(each)) + 1;
const codeOf = (mark: string): number => mark.codePointAt(0) ?? 0;
const kanji = (mark: string): number =>
  KANJI.indexOf(/[一二三四五六七八九十]/.exec(mark)?.[0] ?? '?') + 1;

/** The ways in which the world marks items: at the beginning of a line first, then within a line. */
const MARKINGS: readonly Marking[] = [
  // `1.`, `1)`, `(1)`, `１．`, `1、`, `**1.**`, `### 1.`, `No. 1`, `案1：`, `| 1 |`
  {
    pattern:
      /^[ \t]*(?:#{1,6}[ \t]+)?(?:[|>][ \t]*)?(?:\*\*|__)?(?:(?:No\.?|Option|Idea|Plan|Step|Case|案|例|候補|プラン|パターン|手順|ステップ|その|第|#)[ \t]*)?[(（【[]?[\d０-９]{1,2}(?:[.．)）】\]:：、]|つ目|番目|日目|案|位|[ \t]*\||[ \t][–—-](?=[ \t]))(?:\*\*|__)?(?!\d)[ \t]*/gimu,
    place: digits,
  },
  // `A.`, `(B)`, `案C：`, `Option D:`
  {
    pattern:
      /^[ \t]*(?:#{1,6}[ \t]+)?(?:[-*+・•][ \t]+)?(?:\*\*|__)?(?:(?:Option|Idea|Plan|案|候補|プラン|パターン)[ \t]*)?[(（【[]?[A-ZＡ-Ｚ](?:[.．)）】\]:：、]|案[:：、]?)(?:\*\*|__)?[ \t]*/gmu,
    place: letter,
  },
  // `Draft 1:`, `Tip 2 –`, `標語３：`, `Draft B:`
  {
    pattern:
      /^[ \t]*(?:[-*+・•#][-*+・•# \t]*)?(?:\*\*|__)?(?:[A-Za-z]{3,14}[ \t]|[\p{sc=Han}\p{sc=Katakana}ー]{1,8}[ \t]?)[\d０-９]{1,2}(?:[ \t]?\([^()\n]{1,40}\))?(?:\*\*|__)?(?:[:：.．、]|[ \t]?[–—-](?=\s))(?:\*\*|__)?(?!\d)[ \t]*/gmu,
    place: digits,
  },
  {
    pattern:
      /^[ \t]*(?:[-*+・•#][-*+・•# \t]*)?(?:\*\*|__)?(?:[A-Za-z]{3,14}[ \t]|[\p{sc=Han}\p{sc=Katakana}ー]{1,8}[ \t]?)[A-ZＡ-Ｚ](?:[ \t]?\([^()\n]{1,40}\))?(?:\*\*|__)?(?:[:：]|[ \t]?[–—-](?=\s))(?:\*\*|__)?[ \t]*/gmu,
    place: lastLetter,
  },
  // `a.`, `b)`, `(c)`
  { pattern: /^[ \t]*(?:[-*+][ \t]+)?[(（]?[a-h][.)）](?=\s)[ \t]*/gmu, place: letter },
  { pattern: /(?<![\w(])[a-h]\)(?=\s)|(?<![\w)])\([a-h]\)/gu, place: letter },
  // `1️⃣`
  {
    pattern: /(?<![\d])[1-9]\ufe0f?\u20e3|🔟/gu,
    place: (mark) => (mark === '🔟' ? 10 : digits(mark)),
  },
  { pattern: /[❶-❿]/gu, place: (mark) => codeOf(mark) - codeOf('❶') + 1 },
  { pattern: /[➀-➉]/gu, place: (mark) => codeOf(mark) - codeOf('➀') + 1 },
  { pattern: /[㈠-㈩]/gu, place: (mark) => codeOf(mark) - codeOf('㈠') + 1 },
  // `i.`, `(ii)`, `Ⅲ.`
  {
    pattern:
      /(?:^[ \t]*[(（]?|(?<![\w)])\()(?:ix|iv|v?i{1,3}|v|x)[.)）]\**[ \t]*|^[ \t]*(?:\*\*)?[Ⅰ-Ⅻⅰ-ⅻ][.．、:：) \t　]*/gimu,
    place: roman,
  },
  {
    pattern: /^[ \t]*[(（]?[イロハニホヘト][.．)）、:：][ \t]*/gmu,
    place: kana('イロハニホヘト'),
  },
  {
    pattern: /^[ \t]*[(（]?[アイウエオカキクケコ][.．)）、:：][ \t]*/gmu,
    place: kana('アイウエオカキクケコ'),
  },
  { pattern: /[①-⑳]/gu, place: (mark) => CIRCLED.indexOf(mark) + 1 },
  {
    pattern:
      /^[ \t]*(?:\*\*)?第?[(（]?[一二三四五六七八九十](?:つ目|番目|に|案|、|[.．:：)）])[はの：:]?[ \t]*/gmu,
    place: kanji,
  },
  { pattern: /[(（][A-ZＡ-Ｚ][)）]/gu, place: letter },
  { pattern: /(?<![\w)])[(（][\d０-９]{1,2}[)）]/gu, place: digits },
  {
    pattern: /(?:案|候補|プラン)[A-ZＡ-Ｚ][:：は]|(?<![A-Za-z])[A-ZＡ-Ｚ]案[:：は]/gu,
    place: letter,
  },
  { pattern: /(?<![\w.])\d{1,2}[.)](?=\s)/gu, place: digits },
  {
    pattern:
      /[一二三四五六七八九十](?:つ|番|個)目[はに：:、]?|その[一二三四五六七八九十][、。：: は]/gu,
    place: kanji,
  },
  {
    pattern:
      /(?<=^|[.;:,\n]\s{0,9}(?:and )?)(?:first|second|third|fourth|fifth|sixth|seventh|eighth)(?:ly| (?:option|idea|choice|plan|step|point))?[,:]/gimu,
    place: (mark) => WORDS.findIndex((word) => mark.toLowerCase().startsWith(word)) + 1,
  },
  // Bullets: on lines of their own.
  { pattern: /^(?:[-*+]|[・•▪◦‣–→⇒※]|\p{So}\ufe0f?)[ \t]*(?=\S)(?!\*)/gmu, place: () => 0 },
];

/** At most this many items are listed. */
const MAX_ITEMS = 40;

/** Finds the longest list of a text; the earliest among equally long ones. */
export function findList(text: string): FoundList | undefined {
  const prose = withoutCode(text).slice(0, 20_000);
  let best: FoundList | undefined;
  for (const marking of MARKINGS) {
    const found = listWith(prose, marking);
    if (found && found.items.length > (best?.items.length ?? 1)) best = found;
  }
  return best;
}

function listWith(text: string, { pattern, place }: Marking): FoundList | undefined {
  const marks = [...text.matchAll(pattern)];
  let best: RegExpExecArray[] = [];
  let run: RegExpExecArray[] = [];
  for (const mark of marks) {
    const at = place(mark[0]);
    if (at === 0) run.push(mark);
    else if (at === run.length + 1) run.push(mark);
    else run = at === 1 ? [mark] : [];
    if (run.length > best.length) best = [...run];
  }
  if (best.length < 2) return undefined;
  let label = '';
  const items = best.slice(0, MAX_ITEMS).map((mark, at) => {
    const from = mark.index + mark[0].length;
    const next = best[at + 1]?.index;
    const own = text.slice(from, next ?? text.length);
    // The label of the items after it, as of the cons after the pros.
    const [between = '', named = ''] = /\n\s{0,99}\n([^\n]{1,40}[:：])\s{0,99}$/.exec(own) ?? [];
    const whole = own.slice(0, own.length - between.length);
    // The last item ends at an empty line.
    const said = bare(next === undefined ? untilGap(own) : whole);
    const item = { mark: mark[0].trim(), text: label + said };
    label = next === undefined || named === '' ? '' : `(${bare(named.slice(0, -1))}) `;
    return item;
  });
  if (items.some((item) => item.text === '')) return undefined;
  const hasLetters = place === letter || place === lastLetter;
  return { before: text.slice(0, best[0]?.index ?? 0), items, hasLetters };
}

function untilGap(text: string): string {
  return text.split(/\n\s*\n|\n(?=\S)(?![-*])/)[0] ?? '';
}

function bare(text: string): string {
  return text
    .replace(/^\s*\[[ xX]\]/, '')
    .replaceAll(/[*_`]{1,3}(?=\S)|(?<=\S)[*_`]{1,3}/g, '')
    .replaceAll(/\s\s*/g, ' ')
    .replace(/^[\s:：、。,.)）-][\s:：、。,.)）-]*/, '')
    .replace(/(?<![\s、,;；。])[\s、,;；。][\s、,;；。]*(?:and|or)?$/, '')
    .trim();
}
