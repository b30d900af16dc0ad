import type { SnippetHit } from '@vizprompt/providers/internal';
import { COUNTED, readNumber } from '../analyze/number-words.ts';

/** Longer pieces are not counters: the numbers before and after them have nothing to do with each other. */
const LONGEST_COUNTER = 4;
/** Between numbers that are separate words. */
const APART = /[\s、。,，]/u;
/** Between the numbers of a range or of a row, which count the same: 10〜12月, 九・十月, 令和5〜令和7年, 3又は第4回. */
const RANGE =
  /^(?:[〜～~∼〰ー・･→⇒…&＆+＋][\p{sc=Han}a-z]{0,3}|(?:[とやか]|から|または|又は|および|及び|ないし|乃至|もしくは|若しくは|あるいは|或いは|or|and|to)第?)$/iu;
/** The same if the second number has a counter: this is between the parts of scores, too. */
const DASH = /^[−\p{Pd}][\p{sc=Han}a-z]{0,3}$/iu;
/** A counter: 月 of 5/6月号. Not the words of 3/10の and 10/3発売. */
const COUNTER = new RegExp(
  String.raw`${COUNTED.source}|^(?:\p{sc=Han}(?!\p{sc=Han})|[\p{sc=Katakana}a-zつ])`,
  'iu',
);
/** As much of a text as says whether there is a counter. */
const COUNTER_LENGTH = 4;
/** Every number begins with one of these. */
export const NUMERAL: RegExp = /[0-9０-９〇零一二三四五六七八九十百千万億壱弐参拾]/u;

/** The first characters of the counters of each number of a query: 月 of 10 and 日 of 3 for 10月3日. */
type Counters = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * Returns what finds the numbers of a text that have the counter of another number of a query, as 3月10日 has for
 * 10月3日. Undefined if the query has no numbers that could be exchanged.
 */
export function swappedNumbers(
  query: string,
): ((text: string, mark: SnippetHit) => boolean) | undefined {
  const all = new Set<string>();
  const counters = countersOf(query, all);
  if (counters.size < 2 || all.size < 2) return undefined;
  return (text, { start, end }) => {
    if (!NUMERAL.test(folded(text.charAt(start)))) return false;
    const surface = folded(text.slice(start, end));
    const number = readNumber(surface);
    const own = number?.length === surface.length ? counters.get(number.value) : undefined;
    const counter = folded(text.charAt(end));
    return own !== undefined && counter !== '' && all.has(counter) && !own.has(counter);
  };
}

/**
 * Reads the numbers of a query that follow each other with nothing but a counter between them.
 *
 * @param all - Gets all counters.
 */
function countersOf(query: string, all: Set<string>): Counters {
  const text = folded(query);
  const numbers = numbersIn(text);
  const found = new Map<string, Set<string>>();
  let rest = '';
  for (const [place, { value, start, end }] of [...numbers.entries()].toReversed()) {
    const before = text.slice(numbers[place - 1]?.end ?? start, start);
    const after = text.slice(end, numbers[place + 1]?.start ?? end);
    const isFirst = isRange(after, rest);
    if (!isFirst) rest = text.slice(end, end + COUNTER_LENGTH);
    const counter = counterOf(rest);
    if (!isCounter(before) && !isCounter(after)) continue;
    // Nothing says what a range without a counter counts.
    if (counter === '' && (isFirst || isRange(before, rest))) continue;
    all.add(counter);
    const own = found.get(value) ?? new Set<string>();
    // The sign after it in the query: in 1-2年生が3-1で勝つ both 1 have their own marks.
    found.set(value, own.add(counter).add(counterOf(text.slice(end, end + 1))));
  }
  return found;
}

interface PlacedNumber {
  readonly value: string;
  readonly start: number;
  readonly end: number;
}

function numbersIn(text: string): readonly PlacedNumber[] {
  const found: PlacedNumber[] = [];
  for (let start = 0; start < text.length; start++) {
    const number = NUMERAL.test(text.charAt(start)) ? readNumber(text.slice(start)) : undefined;
    if (!number) continue;
    const end = start + number.length;
    found.push({ value: number.value, start, end });
    start = end - 1;
  }
  return found;
}

function counterOf(after: string): string {
  return APART.test(after.charAt(0)) ? '' : after.charAt(0);
}

/** @param after - The text after the second number. */
function isRange(between: string, after: string): boolean {
  if (RANGE.test(between)) return true;
  if (DASH.test(between)) return counterOf(after) === '' || COUNTER.test(after);
  return between === '/' && COUNTER.test(after);
}

function isCounter(between: string): boolean {
  return between.length > 0 && between.length <= LONGEST_COUNTER && !APART.test(between);
}

/** One unit stays one: offsets are those of the text. */
function folded(text: string): string {
  return text.replace(/[０-９．：／－]/gu, (sign) =>
    String.fromCharCode(sign.charCodeAt(0) - 0xfee0),
  );
}
