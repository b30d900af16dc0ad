import type { Morpheme } from './analyzer.ts';
import type { Word } from './analyzer.ts';

/** A number in a text, which is one word however many morphemes it has. */
export interface NumberSpan {
  readonly end: number;
  /** In digits. */
  readonly value: string;
  /** Other numbers that it may be: of 二三人 it is 2, and they are 3 and 23. */
  readonly others?: readonly string[];
}

/** The numbers of a block: those that are words by where they begin, and those that begin a word of the dictionary. */
export interface BlockNumbers {
  readonly spans: ReadonlyMap<number, NumberSpan>;
  /** `一つ` is a word, in which there is a number: the word with it in digits, by where it begins. */
  readonly inside: ReadonlyMap<number, string>;
}

const PROPER = '固有名詞';
const NUMBER = '数';
/** Before numerals these make an unknown number of them: 数十人, 何百. */
const UNKNOWN = /[数何幾]$/u;
const KANJI = /[^0-9.,]/;
const POINTS = '.・．点,';
/** Characters of what is said as one of two. */
const LONGEST = 12;
/** Counters and units at the end of a word that begins with a number. */
export const COUNTED: RegExp =
  /^(?:[人名個つ回本件割倍番円種冊章巻話幕節頁部場号品歳才曲枚台隻機頭匹羽軒戸階位歩杯通条度分秒時日月年週晩夜泊世代級段畳坪里尺寸貫升合石両文銭]|世紀|時間|[年日週]間|[箇ヶカか]?[月国所]|[人番つ日回]目|丁目|番地|足らず|余り)/u;

/** Names and words that the dictionary cuts after their number, with what counts nothing. */
const NAMES = new Set('百合 三途 一橋 一澤 三澤 三毛 三渕'.split(' '));
/** Names of people with what is counted, too: 三橋を架ける. Not 三瓶 and 七尾, as there are prices and fish before さん. */
const NAMES_OF_PEOPLE = new Set('二橋 三橋 八橋 三園 三坂'.split(' '));
const PERSON = /^(?:さん|先生|[様氏君](?!\p{sc=Han}))/u;
/** After these they are numbers: 第一橋. */
const BEFORE_NUMBER = /第[ \u3000]?$/u;
/** After these 毛 is a part of them: 二厘三毛, 三銭三毛. */
const BEFORE_PART = /厘$|[0-9〇一二三四五六七八九十][分銭円]$/u;

/** Numbers of more are in no word of the dictionary. */
const MOST_DIGITS = 2;
/** A number whose value is known: not 数 and 十 of 数十. */
const IN_DIGITS = /^\d/;
/** In numbers that are not in digits alone. */
const KANJI_NUMERAL = /\p{sc=Han}/u;

/** Finds the numbers among the morphemes of a block. */
export function numbersOf(parts: readonly Morpheme[], text: string): BlockNumbers {
  const spans = new Map<number, NumberSpan>();
  const inside = new Map<number, string>();
  let reached = 0;
  for (const [place, part] of parts.entries()) {
    const { start, surface, features } = part;
    if (start < reached || !isNumeral(surface.charAt(0))) continue;
    if (features[0] !== '名詞' || features[1] === PROPER) continue;
    if (UNKNOWN.test(text.slice(Math.max(0, start - 1), start))) continue;
    if (isName(text, start)) continue;
    const run = runOf(parts, place, text);
    const either = approximateAt(run, text, start);
    if (either) {
      reached = either.end;
      spans.set(start, either);
      continue;
    }
    const number = readNumber(run);
    if (!number || !KANJI.test(run.slice(0, number.length))) continue;
    const end = start + number.length;
    const isWord = features[1] === NUMBER || end >= start + surface.length;
    if (isWord || isMonth(surface, number.length) || isOrdinal(part, number.length, text))
      spans.set(start, { end, value: number.value });
    else if (COUNTED.test(surface.slice(number.length)))
      inside.set(start, countedTerm(number.value, surface.slice(number.length)));
    reached = end;
  }
  return { spans, inside };
}

function isName(text: string, start: number): boolean {
  const name = text.slice(start, start + 2);
  const isPerson = NAMES_OF_PEOPLE.has(name) && PERSON.test(text.slice(start + 2, start + 5));
  if (!isPerson && !NAMES.has(name)) return false;
  const before = text.slice(Math.max(0, start - 2), start);
  if (isNumeral(before.slice(-1)) || BEFORE_NUMBER.test(before)) return false;
  return name !== '三毛' || !BEFORE_PART.test(before);
}

/** Returns the term by which a word that begins with a number is found in digits, and as no part of other words: 1つ. */
function countedTerm(value: string, counter: string): string {
  return `${value}${counter}~`;
}

/** After these, two digits are a number by place: 昭和二三年, 第二三回, 五時二三分. */
const LABELLED = /(?:[第和正成治月年.・0-9]|[〇一二三四五六七八九十][時分])$/u;
/** The counters of few things. */
const QUANTITY =
  /^(?:[人名個つ回本件度杯軒匹頭羽冊枚台歩分秒時週晩夜日年月里町尺寸間畳坪両銭円段発]|[箇ヶケヵカか][月所国年])/u;
const AGE = /^[歳才]/u;

/** Returns the number at an offset that is said as one of two, if there is one: 二三人, 十七八, 五、六十. */
function approximateAt(run: string, text: string, start: number): NumberSpan | undefined {
  const found = readApproximateNumber(text.slice(start, start + LONGEST));
  if (!found || found.length > run.length) return undefined;
  const { length, isPlain } = found;
  const end = start + length;
  const [value, other] = found.values;
  if (!isPlain) return { end, value, others: [other] };
  const after = text.slice(end, end + 2);
  const before = text.slice(Math.max(0, start - 2), start);
  if (LABELLED.test(before) || !(AGE.test(after) || QUANTITY.test(after))) return undefined;
  // Newspapers write numbers by place, novels one or the other.
  const whole = readNumber(text.slice(start, end))?.value;
  return { end, value, others: [other, ...(whole === undefined ? [] : [whole])] };
}

/** Returns the numerals from a morpheme on, as far as they are those of numbers: not 一 of 一緒. */
function runOf(parts: readonly Morpheme[], from: number, text: string): string {
  const start = parts[from]?.start ?? 0;
  let end = start;
  for (let place = from; place < parts.length; place++) {
    const part = parts[place];
    if (!part || part.start !== end) break;
    const length = numeralsIn(part.surface);
    const isPoint = part.surface.length === 1 && POINTS.includes(part.surface);
    const isNext = isNumeral(text[part.end] ?? '');
    if (isPoint && isNext && place > from) {
      end = part.end;
      continue;
    }
    const isWhole = length === part.surface.length;
    const isCounted = !isWhole && length > 0 && COUNTED.test(part.surface.slice(length));
    if (!isWhole && !isCounted) break;
    // 拾 of 弐拾円 is a name of the dictionary.
    if (part.features[1] === PROPER && place > from && part.surface !== '拾') break;
    end = part.start + length;
    if (!isWhole) break;
  }
  return text.slice(start, end);
}

function numeralsIn(surface: string): number {
  let length = 0;
  while (
    length < surface.length &&
    (isNumeral(surface[length] ?? '') ||
      (length > 0 &&
        POINTS.includes(surface[length] ?? '') &&
        isNumeral(surface[length + 1] ?? '')))
  ) {
    length++;
  }
  return length;
}

/** The twelve months are words of the dictionary, the days are not. */
function isMonth(surface: string, length: number): boolean {
  return surface.slice(length) === '月';
}

/** 第一部 has the number 1 and not the word 一部. */
function isOrdinal({ start, surface }: Morpheme, length: number, text: string): boolean {
  return text.charAt(start - 1) === '第' && COUNTED.test(surface.slice(length));
}

/** Counters that are written in several ways. */
const COUNTERS = new Map([
  ['才', '歳'],
  ...['ヶ', 'ケ', 'ヵ', 'カ', '箇', 'か'].flatMap((each) =>
    ['月', '所', '国', '条', '年', '月間'].map((rest) => [each + rest, `か${rest}`] as const),
  ),
]);
const FRACTION = /^(?:分の|\/|⁄)$/u;
/** Words of their own for small counts, by counter. */
const READ_OTHERWISE = new Map([
  ['人', ' ひとり ふたり'],
  ['つ', ' ひとつ ふたつ みっつ よっつ いつつ むっつ ななつ やっつ ここのつ'],
  ['日', ' ついたち ふつか みっか よっか いつか むいか なのか ようか ここのか とおか'],
  ['月', ' いちがつ にがつ さんがつ しがつ ごがつ ろくがつ しちがつ はちがつ くがつ じゅうがつ'],
]);
const OTHERS = new Map([
  ['20歳', 'はたち'],
  ['20才', 'はたち'],
  ['20日', 'はつか'],
]);

/**
 * Adds to numbers what else finds them: `1/3` finds 三分の一, and ひとり finds 一人. A number that is not in digits is found
 * as it is written, and by its digits: 一 is in words where 1 is in none.
 *
 * @param words - In the order of the text; they are changed in their places.
 */
export function addNumberTerms(words: Word[], surfaceOf: (word: Word) => string): void {
  const numbers = words.map(({ pos, basic }) => (pos === '名詞,数' ? basic : undefined));
  for (const [place, value] of numbers.entries()) {
    const word = words[place];
    if (!word || value === undefined) continue;
    const extra: string[] = [];
    const [next, after] = [words[place + 1], words[place + 2]];
    if (next?.start === word.end) {
      const between = surfaceOf(next);
      const counter = COUNTERS.get(between);
      if (counter !== undefined) words[place + 1] = { ...next, basic: counter };
      const other = numbers[place + 2];
      if (FRACTION.test(between) && other !== undefined && after?.start === next.end) {
        const [over, under] = between === '分の' ? [other, value] : [value, other];
        extra.push(`${over}/${under}`);
      }
      const read = READ_OTHERWISE.get(between)?.split(' ')[Number(value)];
      if (read !== undefined && read !== '') extra.push(read);
      extra.push(...(OTHERS.get(value + between)?.split(' ') ?? []));
      const isCounted = COUNTED.test(between) && !FRACTION.test(between);
      if (isCounted && IN_DIGITS.test(value) && value.length <= MOST_DIGITS)
        extra.push(countedTerm(value, between));
    }
    const surface = surfaceOf(word);
    const isInKanji = KANJI_NUMERAL.test(surface) && IN_DIGITS.test(value);
    const terms = [...(isInKanji ? [value] : []), ...(word.extra ?? []), ...extra];
    const basic = isInKanji ? surface : value;
    if (terms.length > 0) words[place] = { ...word, basic, extra: terms };
  }
}

/** A number at an offset of a text, in whatever way it is written. */
interface WrittenNumber {
  /** In digits, without signs between thousands: `17`, `1.5`, `35000000`. */
  readonly value: string;
  readonly length: number;
}

const DIGITS = new Map(
  ['〇零0', '一壱壹1', '二弐貳2', '三参參3', '四4', '五伍5', '六6', '七7', '八8', '九9'].flatMap(
    (same, value) => Array.from(same, (digit) => [digit, String(value)] as const),
  ),
);
/** Powers of ten of the units in a group of four digits, and of the groups. */
const UNITS = new Map(
  ['十', '拾', '百', '千'].map((unit) => [unit, unit === '千' ? 3 : unit === '百' ? 2 : 1]),
);
const TENS = new Map([
  ['廿', '二'],
  ['卅', '三'],
]);
const GROUPS = new Map([
  ['万', 4],
  ['萬', 4],
  ['億', 8],
  ['兆', 12],
  ['京', 16],
]);
const POINT = /^(?:[.・．](?=[0-9〇零一二三四五六七八九])|点(?=[〇零一二三四五六七八九]))/u;
const THOUSANDS = /^[0-9]{1,3}(?:,[0-9]{3})+(?![0-9])/;
/** More groups and digits than any number has that is written. */
const LONGEST_GROUP = 40;

/** Two digits of which the second is one more, that say "the first or the second": 二三 of 二三人 and 七八 of 十七八. */
const PAIR =
  /^(?<head>[十拾百千万億兆]{0,5})(?<digits>一二|二三|三四|四五|五六|六七|七八|八九)(?<tail>[十百千]?[万億兆]?)(?![〇零一二三四五六七八九十百千万億兆.・])/u;
/** The same with a sign between them, and a unit that counts for both: 五、六十. */
const APART =
  /^(?<first>[一二三四五六七八])[、,](?<second>[二三四五六七八九])(?<tail>[十百千][万億兆]?|[万億兆])/u;

/** A number that is said as one of two. */
interface ApproximateNumber {
  readonly values: readonly [string, string];
  /** The length of both; that of the first alone where a sign is between them. */
  readonly length: number;
  /** True if nothing but the two digits is written, which may be a number by place. */
  readonly isPlain: boolean;
}

/** Reads "one or the other" at the beginning of a text: 20 and 30 for 二三十. Undefined if there is none. */
export function readApproximateNumber(text: string): ApproximateNumber | undefined {
  const pair = PAIR.exec(text)?.groups;
  if (pair) {
    const { head = '', digits = '', tail = '' } = pair;
    const [first = '', second = ''] = Array.from(
      digits,
      (digit) => readNumber(head + digit + tail)?.value,
    );
    const length = head.length + digits.length + tail.length;
    return { values: [first, second], length, isPlain: head === '' && tail === '' };
  }
  const { first = '', second = '', tail = '' } = APART.exec(text)?.groups ?? {};
  if (first === '' || Number(valueOf(second)) !== Number(valueOf(first)) + 1) return undefined;
  const [low = '', high = ''] = [first, second].map((digit) => readNumber(digit + tail)?.value);
  return { values: [low, high], length: 1, isPlain: false };
}

/** Checks whether a unit may be part of a number. */
function isNumeral(unit: string): boolean {
  return DIGITS.has(unit) || UNITS.has(unit) || GROUPS.has(unit) || TENS.has(unit);
}

/**
 * Reads the number at the beginning of a text in normal form: digits, kanji by place (`二〇二五`) or with units
 * (`二千二十五`), both mixed (`3億5千万`), with a fraction (`三・五`, `1.5万`). Undefined if there is none.
 */
export function readNumber(text: string): WrittenNumber | undefined {
  let at = 0;
  let total = 0n;
  let last = Infinity;
  let fraction: string | undefined;
  let plain: string | undefined;
  for (;;) {
    const group = readGroup(text.slice(at, at + LONGEST_GROUP), at === 0 || last < Infinity);
    if (!group) break;
    const power = GROUPS.get(text[at + group.length] ?? '');
    if (power === undefined || power >= last) {
      if (at > 0 && (group.fraction !== '' || group.digits.length > last)) break;
      if (at === 0) plain = group.isPlain ? group.digits : undefined;
      total += BigInt(group.digits);
      fraction = group.fraction;
      at += group.length;
      break;
    }
    total += scaled(group, power);
    at += group.length + 1;
    last = power;
    if (group.fraction !== '') break;
  }
  if (at === 0) return undefined;
  const whole = plain ?? String(total);
  return { value: fraction ? `${whole}.${fraction}` : whole, length: at };
}

interface Group {
  readonly digits: string;
  readonly fraction: string;
  readonly length: number;
  /** True if it is written by place, so that zeros in front count. */
  readonly isPlain: boolean;
}

function readGroup(text: string, mayBeFraction: boolean): Group | undefined {
  const [thousands] = THOUSANDS.exec(text) ?? [];
  if (thousands !== undefined) {
    const { fraction, length } = readFraction(text.slice(thousands.length));
    const digits = thousands.replaceAll(',', '');
    return { digits, fraction, length: thousands.length + length, isPlain: true };
  }
  const at = readDigits(text);
  const digits = valueOf(text.slice(0, at));
  if (!TENS.has(text[at] ?? '') && !UNITS.has(text[at] ?? '')) {
    if (at === 0) return undefined;
    const { fraction, length } = mayBeFraction ? readFraction(text.slice(at)) : NO_FRACTION;
    return { digits, fraction, length: at + length, isPlain: true };
  }
  // With units: each lower than the one before it, and at most one digit before it.
  let sum = 0;
  let last = 4;
  let end = 0;
  for (let place = 0; ;) {
    const length = readDigits(text.slice(place));
    const tens = TENS.get(text[place + length] ?? '');
    const power = tens === undefined ? UNITS.get(text[place + length] ?? '') : 1;
    if (power === undefined || power >= last) {
      // 十七八 is seventeen or eighteen: the first counts.
      const taken = end === 0 ? 0 : Math.min(length, last);
      sum += Number(valueOf(text.slice(place, place + taken)));
      end += taken;
      break;
    }
    if (length > 1 && end > 0) break;
    const factor =
      tens === undefined ? valueOf(text.slice(place, place + length)) || '1' : valueOf(tens);
    sum += Number(factor) * 10 ** power;
    place = end = place + length + 1;
    last = power;
  }
  if (end === 0) return undefined;
  const { fraction, length } = readFraction(text.slice(end));
  return { digits: String(sum), fraction, length: end + length, isPlain: false };
}

const NO_FRACTION = { fraction: '', length: 0 };

function readFraction(text: string): { readonly fraction: string; readonly length: number } {
  if (!POINT.test(text)) return NO_FRACTION;
  const length = 1 + readDigits(text.slice(1));
  return { fraction: valueOf(text.slice(1, length)), length };
}

function readDigits(text: string): number {
  let at = 0;
  while (DIGITS.has(text[at] ?? '')) at++;
  return at;
}

function valueOf(digits: string): string {
  return Array.from(digits, (digit) => DIGITS.get(digit) ?? '').join('');
}

function scaled({ digits, fraction }: Group, power: number): bigint {
  const shift = fraction.slice(0, power).padEnd(power, '0');
  return BigInt(digits) * 10n ** BigInt(power) + BigInt(shift === '' ? '0' : shift);
}
