import { type FoundList, findList } from '../build/find-list.ts';
import type { StoredNode } from '../node/node.ts';
import { ELSEWHERE } from './pointers-elsewhere.ts';
import type { Bodies, ContextNode } from './scene.ts';

/** A reference in a prompt to something that it does not name. */
interface Pointer {
  /** An item of a list, by its place from 1 on; `-1`: the last; `0`: a list, without saying which item. */
  readonly item?: number;
  /** `true`: a letter names the item. */
  readonly hasLetter?: boolean;
  /** `true`: it may also be one of the two things that a question offers: `A or B?`. */
  readonly isChoice?: boolean;
  /** A turn, by its place from 1 on; negative: counted from the end. */
  readonly turn?: number;
  /** The kind of thing that a turn shows, where the prompt does not say which turn. */
  readonly shown?: Shown;
}

type Shown = 'code' | 'table';

const KANJI = '一二三四五六七八九十';
const COUNTED = 'ひと ふた みっ よっ いつ むっ なな やっ ここの'.split(' ');
const ENGLISH = 'first second third fourth fifth sixth seventh eighth ninth tenth'.split(' ');
const CARDINAL = 'one two three four five six seven eight nine ten'.split(' ');

function numberOf(word: string): number {
  const plain = word.normalize('NFKC').toLowerCase();
  const digits = /\d\d*/.exec(plain);
  if (digits) return Number(digits[0]);
  for (const list of [ENGLISH, CARDINAL]) if (list.includes(plain)) return list.indexOf(plain) + 1;
  const [ten = '', unit = ''] = plain.includes('十') ? plain.split('十') : ['', plain];
  const tens = plain.includes('十') ? (ten === '' ? 1 : KANJI.indexOf(ten) + 1) * 10 : 0;
  return tens + (unit === '' ? 0 : KANJI.indexOf(unit) + 1);
}

function letterOf(word: string): number {
  return (word.normalize('NFKC').toUpperCase().codePointAt(0) ?? 64) - 64;
}

const ORDINAL = `${ENGLISH.join('|')}|\\d{1,2}(?:st|nd|rd|th)`;
const NUMBER = '[\\d０-９]{1,2}|[一二三四五六七八九十]{1,3}';
const SAID =
  'questions?|messages?|prompts?|requests?|turns?|things?(?: (?:i|we|you)\\b)|answers?|replies|reply';

/** Ways of pointing at the turns of a conversation. */
const TURNS: readonly (readonly [RegExp, (found: RegExpExecArray) => number])[] = [
  [
    new RegExp(`\\b(?:my|your|the|our) (?:very )?(${ORDINAL}) (?:${SAID})`, 'gi'),
    ([, word = '']) => numberOf(word),
  ],
  [
    /\b(?:original(?:ly)?|initial(?:ly)?|at the (?:very )?(?:beginning|start|outset)|in the beginning|(?:start|beginning) of (?:this|our|the) (?:chat|conversation)|(?:began|started) with|first (?:of all )?(?:asked|told|said|mentioned|talked))\b/gi,
    () => 1,
  ],
  [
    new RegExp(
      `(${CARDINAL.join('|')}|\\d{1,2}) (?:questions|messages|turns|prompts|answers) (?:ago|back|earlier)`,
      'gi',
    ),
    ([, word = '']) => -numberOf(word),
  ],
  [
    /最初の(?:質問|話|お願い|依頼|メッセージ|相談|発言|要望|条件)|(?:一番|いちばん)?最初に|冒頭|はじめに|初めに|もともと|元々|当初/g,
    () => 1,
  ],
  [
    new RegExp(
      `(${NUMBER})(?:つ目|番目|回目|個目)の(?:質問|メッセージ|発言|相談|お願い|回答)`,
      'g',
    ),
    ([, word = '']) => numberOf(word),
  ],
  [
    new RegExp(`(${NUMBER})(?:つ|個|回)前の(?:質問|メッセージ|発言|回答|話)`, 'g'),
    ([, word = '']) => -numberOf(word),
  ],
];

/** Nouns that have an order in the world: `the second law of …`, but not `the second law of your list`. */
const WORLDLY =
  'law|amendment|theorem|president|king|queen|emperor|pope|commandment|anniversary|derivative';
const OURS =
  '(?:your|yours|my|our|these|those|them|that|this|it|all|the (?:above|list|outline|plan|answer|ideas|options|items|summary|story|text|article|table))\\b';

/** Ways of pointing at an item of a list. */
const ITEMS: readonly (readonly [RegExp, (found: RegExpExecArray) => Pointer])[] = [
  [
    new RegExp(
      `(?<!\\ba )\\b(${ORDINAL})\\b(?! (?:time|of all|half|person|aid|grade|floor|world|class|century|glance|sight|place|name)| (?:${WORLDLY}) of (?!${OURS}))`,
      'gi',
    ),
    ([, word = '']) => ({ item: numberOf(word) }),
  ],
  [
    new RegExp(
      `\\b(?:number|no\\.?|nr\\.?|item|point|bullet|entry|line|row|step|stage|phase|idea|option|plan|choice|suggestion|recommendation|candidate|proposal|variant|version|scenario|solution|method|approach|strategy|title|name|draft|question|answer|task|reason|example|tip|rule|topic|slide|section|chapter) ?#?(\\d{1,2}|${CARDINAL.join('|')})\\b(?<!\\bchapter [^ ]{1,6}(?= of (?!the\\b|${OURS})))|#(\\d{1,2})\\b`,
      'gi',
    ),
    ([, a, b]) => ({ item: numberOf(a ?? b ?? '') }),
  ],
  // A prompt that says little more than a number or a letter: `I pick 3`, `2, 3 and 5`, `b)`, `4 it is`.
  [
    new RegExp(
      `^\\W{0,3}(?:(?:ok(?:ay)?|yes|no|hm+|then|so|please|let'?s|let us|i|we|i'll|i'd|would|do|go(?: with| for)?|pick|choose|take|want|like|love|prefer|try|use|keep|only|just|not|all|everything|but|except|skip|drop|delete|remove|more (?:on|about)|about|tell me|what|why|ad|re)[ ,]+){0,5}#?\\(?(\\d{1,2}|${CARDINAL.join('|')})\\)?(?:[ ,]*(?:and|or|vs\\.?|to|[,+&/–-])[ ,]*#?(?:\\d{1,2}|${CARDINAL.join('|')}))*(?:[ ,:]+(?:it|is|one|please|pls|then|only|again|thanks|too|sounds|looks|seems|was|good|best|great|fine|better|right|nice|nicest|why)\\b){0,4}\\W{0,3}$`,
      'gi',
    ),
    ([, word = '']) => ({ item: numberOf(word) }),
  ],
  [
    /^\W{0,3}(?:(?:ok(?:ay)?|let'?s|go(?: with| for)?|take|option) )?\(?([a-hA-H])\)?(?:[ ,]+(?:it is|please|then))?\W{0,3}$/g,
    ([, letter = '']) => ({ item: letterOf(letter), hasLetter: true }),
  ],
  [
    /\b(?:option|idea|plan|choice|suggestion|candidate|proposal|variant|version|item|point) ([A-Z])\b|\(([A-Z])\)|(?<![\w'’ァ-ヶー-])(?<!\b(?:[Vv]itamin|[Tt]ype|[Gg]rade|[Hh]epatitis|[Oo]bjective|[Cc]lass|[Gg]ate|[Tt]erminal) )([B-H])(?![\w'’-])/g,
    ([, a, b, c]) => ({ item: letterOf(a ?? b ?? c ?? ''), hasLetter: true }),
  ],
  [/\((\d{1,2})\)|（([\d０-９]{1,2})）/g, ([, a, b]) => ({ item: numberOf(a ?? b ?? '') })],
  [/[①-⑳]/gu, ([mark]) => ({ item: '①②③④⑤⑥⑦⑧⑨⑩⑪⑫⑬⑭⑮⑯⑰⑱⑲⑳'.indexOf(mark) + 1 })],
  [
    /\b(?:the|my|your) (?:final|last|bottom|top|remaining) (?:one|two|three|four|[2-9]|idea|option|item|suggestion|proposal|point|bullet|entry|row|line|name|title)s?\b|^\W{0,3}(?:top|bottom|last|first) (?:two|three|four|[2-9])\b|\b(?:next to last|last but one)\b|\b(?:but|except|without) the (?:first|last)\b|^\W{0,3}(?:final|last|bottom) (?:idea|option|item|suggestion|point|bullet|row)\b/gi,
    () => ({ item: 2 }),
  ],
  [
    new RegExp(
      `\\bthe (?:former|latter)\\b(?! [a-z]{2,20} of (?!${OURS}|the two\\b))|\\bboth\\b|\\beither\\b`,
      'gi',
    ),
    () => ({ item: 2, isChoice: true }),
  ],
  [
    /\bwhich (?:one|two)\b|\bwhich (?:would|do|should|is|are) (?:you|i|we|the|best|better)\b|\b(?:rank|sort|order|reorder|compare|combine|number|rate) (?:them|these|those)\b|\b(?:these|those) (?:two|three|four|five|[2-9])\b|\b(?:pick|choose) one\b/gi,
    () => ({ item: 0, isChoice: true }),
  ],
  [
    /\b(?:which|any|all|each|none|one|some|rest|other|others) of (?:them|those|these|the)\b|\b(?:your|the|that|this) (?:list|ideas|options|suggestions|candidates|proposals|choices|steps|points|names|titles)\b|\bthe other (?:one|two|idea|option)s?\b|\bthe one (?:before|after) (?:that|it)\b|(?:それ|これ)以外(?:[でのにをはも、。]|$)/gi,
    () => ({ item: 0 }),
  ],
  [
    new RegExp(
      `(${NUMBER})\\s*(?:つ|番|個|点|案|枚|冊|件|行|人|品|か所|本)目|(?:第(?![一二三]次|\\d次|[${KANJI}\\d]{1,2}(?:外国語|任|季|世界|世代|代|人者))|番号|案|候補|プラン|その|項目|No\\.?|ナンバー)\\s*(${NUMBER})|(?!一番[^でにのがをはとや、。！!？?目推])(${NUMBER})番(?![地号線台])|(?<![\\d０-９一二三四五六七八九十])(${NUMBER})の(?:案|方|ほう|やつ|候補)|(?:案の|項目|ポイント|理由|例|手順|ステップ|方法|質問|原因|対策|特徴|条件|提案|アイデア|選択肢|タイトル|パターン|シナリオ|ルール|課題|論点)\\s*(${NUMBER})(?![\\d０-９年月日時分秒円人歳度個冊本枚回つ点件%％])`,
      'gi',
    ),
    ([, a, b, c, d, e]) => ({ item: numberOf(a ?? b ?? c ?? d ?? e ?? '') }),
  ],
  [
    /(?:案|候補|プラン|パターン)\s*([A-ZＡ-Ｚ])|(?<![A-Za-z])([A-ZＡ-Ｚ])\s*(?:案|プラン|パターン|の(?:案|方|ほう))|(?<![A-Za-zァ-ヶー])([A-HＡ-Ｈ])(?=[はがをにでのと])/g,
    ([, a, b, c]) => ({ item: letterOf(a ?? b ?? c ?? ''), hasLetter: true }),
  ],
  [
    /前者|後者|両(?:[案者]|方(?!の(?!案|ほう|方|候補|やつ)))|どちら|どっち|二択|(?:先|後|あと)の(?:ほう|方)|(?:先|後|あと)に(?:言|挙|あ)[^。、]{0,4}(?:ほう|方|もの)/g,
    () => ({ item: 2, isChoice: true }),
  ],
  [
    /もう(?:一方|片方)(?:[でがをにはも。！？!?]|の(?:ほう|方(?!法)|案(?![件内])|やつ|候補(?!者)|[はがをも、。！？!?]|$)|$)|別の(?:やつ|案|候補|ほう)(?=[がをにではも、。！？!?]|$)(?!を[^、。]{1,8}[たんだ][一-龯])/g,
    () => ({ item: 2, isChoice: true }),
  ],
  // A table that was shown, or the last of several things.
  [
    /(?:(?<![一-龯々ァ-ヶーの])[上前]|さっき|先ほど|この|その)の?表(?=[をのにはがもで、。！？!?]|$)|(?<![一-龯々ァ-ヶーA-Za-zの])表の(?:[\d０-９]{1,2}|[一二三四五六七八九十]{1,3})[行列]目|\b(?:the|that|your|this) table above\b(?! (?:an?|the|my|your|his|her|our|their|its|it|sea)\b)|(?<!\b(?:set|setting|lay|laid|clear) )\b(?:the|that|your|this) table again(?=\s*(?:[.,;:!?)]|$)| (?:with|as|in|but|and|please)\b)|\b(?:first|last) of (?:them|these|those)\b(?! to\b)/gi,
    () => ({ item: 0 }),
  ],
  [
    /(?<![ァ-ヶー])[イロハニ](?=で[すいおす進よ]|が(?:いい|良)|を(?:採用|選)|案)/g,
    () => ({ item: 0 }),
  ],
  // A prompt that says little more than a number: `4でお願いします`, `3かな`, `三で`.
  [
    new RegExp(
      `^\\s*(?:じゃあ|では|やっぱり|やはり)?[、 ]?(${NUMBER})(?:で(?!割|掛|か?け|終)|に(?:する|し|決)|が(?:いい|良|好|気)|を(?:採用|選|お願|使|もう|詳)|かな|だ|です|も(?:お願|見)|[！!])[^。]{0,12}[。！!？?]?\\s*$`,
      'g',
    ),
    ([, word = '']) => ({ item: numberOf(word) }),
  ],
  [
    /\bthe (?:one before (?:the )?last|penultimate|middle|top|bottom|others?|rest)\b(?! of)(?= ?(?:one|two|three|idea|option|item|suggestion|point|[.?!,]|$))/gi,
    () => ({ item: 0 }),
  ],
  [
    /\b(?:combine|merge|mix|compare|explain|expand|keep|drop|skip|points?|options?|ideas?|items?|numbers?|steps?|numero) (\d{1,2})(?: ?(?:and|or|&|,|to|with|[-–~]) ?(\d{1,2}))?(?=[.!?,;]?(?:$| (?:please|further|in (?:more )?detail|for|into|from|only|first|more)\b))/gi,
    ([, a = '', b = a]) => ({ item: Math.max(numberOf(a), numberOf(b)) }),
  ],
  // A prompt that is only a number.
  [/^\s*#?([\d０-９]{1,2})\s*[.!。！]?\s*$/g, ([, a = '']) => ({ item: numberOf(a) })],
  [
    /(?<![\d０-９./:：])([\d０-９]{1,2})\s*(?:と|、|・|〜|～)\s*([\d０-９]{1,2})(?=番|を|の(?:違い|案|比較)|は|で|だけ|$)/g,
    ([, a = '', b = '']) => ({ item: Math.max(numberOf(a), numberOf(b)) }),
  ],
  [
    /(ひと|ふた|みっ|よっ|いつ|むっ|なな|やっ|ここの)つ(?:め|目)|([\d０-９]{1,2}|[一二三四五六七八九十])[こコ個つ]め/g,
    ([, word, digits]) => ({
      item: digits ? numberOf(digits) : COUNTED.indexOf(word ?? '') + 1,
    }),
  ],
  [
    /(?:真ん中|まん中)(?:の(?:案|もの|やつ|方|ほう|候補)|[でがを])|(?:最初|初め|はじめ|先頭|最後)の[二三四五2-5２-５]つ|^[^。、]{0,4}全部(?!で)|全部(?:まとめて|を|の)|残り(?:は|を|も|全部|すべて)|(?:全て|すべて)の(?:案|候補)|順番に|[1１一]つずつ|ひとつずつ|(?:一番|いちばん|最も)[^。、]{1,6}(?:の|やつ|案)(?:は|を|が|で|$)|(?:お勧め|おすすめ|オススメ)は/g,
    () => ({ item: 0 }),
  ],
  [
    /(?:上|下|前|後)の[二三四五2-5２-５]つ|(?:リスト|一覧|箇条書き)を(?!作|つく|書|くだ|教|出|お願|見せ)|もう[一二三四五\d１-５]つ(?:追加|足|加え|挙げ|考え|ほし|欲し|お願)|[奇偶]数番目/g,
    () => ({ item: 0 }),
  ],
  [
    /\b(?:turn|put|make|convert|change|translate|rewrite|shorten) (?:them|these|those|each)\b|\bmore like (?:that|those|these)\b|\b(?:odd|even)[- ]numbered ones?\b|\bthe other (?:three|four|five|six|[3-9])\b(?= ?(?:ideas|options|items|[.?!,]|$))|\b(?:any|pick|choose) (?:one|two|three|[1-5]) of (?:them|these|those)\b/gi,
    () => ({ item: 0 }),
  ],
  [
    /(?:最初|先頭|トップ)の(?:案|もの|やつ|方|ほう|候補|アイデア|プラン|名前)|一番上|いちばん上|(?:最後|末尾|ラスト|一番下|いちばん下)の(?:案|もの|やつ|方|ほう|候補|アイデア|プラン|名前|ひとつ|[一1１]つ)/g,
    () => ({ item: 1 }),
  ],
  [
    /(?:その|この|さっきの|先ほどの|上の|前の|挙げた|出した)[^。、]{0,6}(?:リスト|一覧|案|候補|選択肢|中|うち|プラン|アイデア|手順)|それぞれ|残りの(?:案|候補|もの|[二三四五\d]つ)|どれ(?!くらい|ぐらい|ほど|だけ)|他の(?:案|候補)|ほかの(?:案|候補)/g,
    () => ({ item: 0 }),
  ],
];

const CODE =
  '(?:source )?code|functions?|scripts?|snippets?|quer(?:y|ies)|regex|component|commands?|implementation';
/** Words that are code only where it is said who wrote it, or where it is. */
const CODE_THERE = `${CODE}|class(?:es)?|methods?|programs?`;
const CODE_JA =
  '(?:ソース)?コード|関数|メソッド|スクリプト|クエリ|SQL|正規表現|コマンド|コンポーネント|実装';
const BEFORE_JA = '上|前|上記|さっき|先ほど|先程|その|今|最初|書いてくれた|くれた|もらった';

/** Ways of pointing at what a turn shows. With a block of code, a prompt shows its own. */
const SHOWN: readonly (readonly [RegExp, Shown])[] = [
  [
    new RegExp(
      `\\b(?:that|your|the (?:above|previous|earlier|last|first|original)|those) (?:[a-z]{1,20} )?(?:${CODE})\\b|\\b(?:the|this) (?:[a-z]{1,20} )?(?:${CODE_THERE}) (?:above|earlier|again|before|from (?:above|before|earlier)|(?:that )?you (?:just )?(?:gave|wrote|sent|showed|made|posted))\\b`,
      'i',
    ),
    'code',
  ],
  [new RegExp(`(?:${BEFORE_JA})の?(?:${CODE_JA})(?![ァ-ヶー])`), 'code'],
  [
    /(?:上面|前面|刚才|之前|那)(?:的|段|个|那段|那个)?(?:代码|函数|脚本|程序|查询)|(?:위|아까|앞|그|방금)(?:의| 그)? ?(?:코드|함수|스크립트|쿼리)/,
    'code',
  ],
  [
    /\b(?:to|in|from|of|into|sort|extend|update|fix|format) (?:the|that|this|your) table\b|\bthat table\b|(?:その|この|さっきの|先ほどの|上の|前の)表(?=[のにをはがもで、。！？!?]|$)|(?<![一-龯々ァ-ヶーA-Za-zの])表の[^。、\n]{0,6}[行列]/i,
    'table',
  ],
];

/** Matches texts that show a thing. */
const SHOWS: Readonly<Record<Shown, RegExp>> = {
  code: /^[ \t]{0,9}(?:`{3}|~{3})/m,
  table: /^[ \t]*(?:\|[ \t]*)?:?--*:?[ \t]*\|[-|: \t]*$/mu,
};

function shownIn(text: string): readonly Pointer[] {
  return SHOWN.flatMap(([pattern, shown]) =>
    pattern.test(text) && !SHOWS[shown].test(text) ? [{ shown }] : [],
  );
}

/** Reads what a prompt points at: items of a list by their place, turns by theirs, and what a turn shows. */
function pointersOf(prompt: string): readonly Pointer[] {
  const text = prompt.slice(0, 2000);
  const turns = TURNS.flatMap(([pattern, turnOf]) =>
    Array.from(text.matchAll(pattern), (found): Pointer => ({ turn: turnOf(found) })),
  );
  const items = [...ITEMS, ...ELSEWHERE].flatMap(([pattern, itemOf]) =>
    Array.from(text.matchAll(pattern), (found): Pointer => itemOf(found)),
  );
  return [...turns, ...items, ...shownIn(text)].filter(
    ({ item = 0, turn = 0 }) => item <= 40 && Math.abs(turn) <= 40,
  );
}

/** A question that offers two things. */
const CHOICE =
  /\b(?:or|vs\.?|versus)\b[^?]{0,200}\?|\bchoose between\b|どちら|どっち|それとも|か、.{0,80}か[？?。]?$/iu;
/** Sentences in a row, and rows of a table. */
const IN_A_ROW = /(?:^|[。\n])\s*(?:まず|最初に|次に|続いて|さらに|最後に)[、は]/gu;

/** Returns how many things a text has in a row that are not marked as a list. */
function looseItems(text: string): number {
  const told = text.slice(0, 20_000);
  const head = SHOWS.table.exec(told);
  const rows = head
    ? told
        .slice(head.index + head[0].length)
        .trimStart()
        .split('\n')
    : [];
  const end = rows.findIndex((row) => !row.includes('|'));
  return Math.max([...told.matchAll(IN_A_ROW)].length, end < 0 ? rows.length : end);
}

/** Checks whether a prompt points at an item of a list, by its place or without saying which. */
export function pointsAtItem(prompt: string): boolean {
  return pointersOf(prompt).some(({ item }) => item !== undefined);
}

/** Lists are looked for in this many of the last turns. */
const MAX_LOOK = 120;
/** A prompt that points at an item may mean one of this many lists. */
const MAX_LISTS = 2;

/**
 * Returns the ancestors that a prompt points at: the nearest turns with a list that has the item, those that
 * the prompt has words of first, and turns that are named by their place.
 *
 * @param relevant - The ids of ancestors that share words with the prompt, the best first.
 */
export async function findReferents(
  prompt: string,
  ancestors: readonly ContextNode[],
  relevant: readonly string[],
  bodies: Bodies,
): Promise<readonly ContextNode[]> {
  const pointers = pointersOf(prompt);
  if (pointers.length === 0) return [];
  const turns = pointers.flatMap(({ turn = 0 }) => {
    const node = turn > 0 ? ancestors[turn - 1] : turn < 0 ? ancestors.at(turn) : undefined;
    return node ? [node] : [];
  });
  const items = pointers.flatMap(({ item, hasLetter = false, isChoice = false }) =>
    item === undefined ? [] : [{ item, hasLetter, isChoice }],
  );
  const shown = pointers.flatMap((each) => each.shown ?? []);
  if (items.length + shown.length === 0) return [...new Set(turns)];
  const least = Math.max(2, ...items.map(({ item }) => item));
  const wantsLetters = items.some(({ hasLetter }) => hasLetter);
  const mayBeChoice = items.every(({ isChoice }) => isChoice);
  const isMeant = (list: FoundList | undefined): boolean =>
    list !== undefined && list.items.length >= least && (!wantsLetters || list.hasLetters);
  const hasItem = ({ prompt: asked, response }: StoredNode): boolean =>
    isMeant(findList(response)) ||
    isMeant(findList(asked)) ||
    (mayBeChoice && CHOICE.test(asked)) ||
    (!wantsLetters && looseItems(response) >= least);
  const isNamedIn = (node: StoredNode): boolean =>
    shown.some((each) => SHOWS[each].test(node.response) || SHOWS[each].test(node.prompt)) ||
    (items.length > 0 && hasItem(node));
  const byWords = new Set(relevant.slice(0, 6));
  const found: ContextNode[] = [];
  for (const node of ancestors.slice(-MAX_LOOK).toReversed()) {
    if (!node.row || (found.length >= MAX_LISTS && !byWords.has(node.id))) continue;
    const stored = await bodies.find(node);
    if (!stored) continue;
    if (isNamedIn(stored)) found.push(node);
  }
  const isNamed = ({ id }: ContextNode): number => (byWords.has(id) ? 0 : 1);
  const [nearest] = found;
  const others = found.slice(1).toSorted((a, b) => isNamed(a) - isNamed(b));
  return [...new Set([...(nearest ? [nearest] : []), ...others.slice(0, MAX_LISTS - 1), ...turns])];
}

/** The beginning of a turn that says nothing without the one before it: a correction, or a pronoun. */
const LEANING =
  /^(?:and|but|so|then|also|actually|sorry|oops|no[,. ]|wait|correction|i mean|make (?:it|that|them)|change|what about|how about|same|instead|it |that |this |they |he |she |why|それ|その|これ|この|あれ|じゃあ|では|でも|やっぱり|やはり|すみません|ごめん|訂正|いや|あ、|あっ|ちなみに|もっと|もう少し|変更|間違え|なぜ|どうして)|\b(?:i meant|my mistake|scratch that|not \S\S* but|rather than that)\b|ではなく|じゃなくて|間違い|間違え|訂正/i;
/** A short prompt with a pronoun, or one that only asks for more. */
const SHORT_LEANING =
  /\b(?:it|that|this|those|these|they|them|he|him|his|she|her|above)\b(?! (?:is|was) (?:a|an|the) )|^(?:shorter|longer|more|again|continue|go on|keep going|do it again|anything else|for example|such as|ok(?:ay)?,? but|how so|really)\b|^(?:もう一度|もう一回|続け|続き|例を|例えば|たとえば|他に|ほかに|どういう|本当|ほんと|彼(?:は|の|が|女)|こっち|そっち|上の|前の(?:回答|答え|質問|文|案|話)|さっきの|先ほどの)/i;
const MAX_SHORT = 40;

/** Longer prompts speak for themselves. */
const MAX_LEANING = 160;

/** Checks whether a prompt needs the turn before it to be understood. */
export function isLeaning(prompt: string): boolean {
  const said = prompt.trim();
  if (said.length <= MAX_SHORT && SHORT_LEANING.test(said)) return true;
  return prompt.length <= MAX_LEANING && LEANING.test(said);
}
