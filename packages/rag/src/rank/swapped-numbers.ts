import type { SnippetHit } from '@vizprompt/providers/internal';
import { readNumber } from '../analyze/number-words.ts';

/** Longer pieces are not counters: the numbers before and after them have nothing to do with each other. */
const LONGEST_COUNTER = 4;
/** Between numbers that are separate words. */
const APART = /[\s、。,，]/u;
const NUMERAL = /[0-9〇零一二三四五六七八九十百千万億壱弐参拾]/u;

/** The first characters of the counters of each number of a query: 月 of 10 and 日 of 3 for 10月3日. */
type Counters = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * Returns what finds the numbers of a text that have the counter of another number of a query, as 3月10日 has for
 * 10月3日. Undefined if the query has no numbers that could be exchanged.
 */
export function swappedNumbers(
  query: string,
): ((text: string, mark: SnippetHit) => boolean) | undefined {
  const counters = countersOf(query);
  const all = new Set(Array.from(counters.values(), (own) => [...own]).flat());
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

/** Reads the numbers of a query that follow each other with nothing but a counter between them. */
function countersOf(query: string): Counters {
  const text = folded(query);
  const found = new Map<string, Set<string>>();
  let before: { readonly value: string; readonly end: number } | undefined;
  const add = (value: string, counter: string): void => {
    const own = found.get(value);
    if (own) own.add(counter);
    else found.set(value, new Set([counter]));
  };
  for (let at = 0; at < text.length; at++) {
    if (!NUMERAL.test(text.charAt(at))) continue;
    const number = readNumber(text.slice(at));
    if (!number) continue;
    const end = at + number.length;
    const between = before && text.slice(before.end, at);
    if (before && between !== undefined && isCounter(between)) {
      add(before.value, between.charAt(0));
      const after = text.charAt(end);
      add(number.value, APART.test(after) ? '' : after);
    }
    before = { value: number.value, end };
    at = end - 1;
  }
  return found;
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
