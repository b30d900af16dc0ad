import type { Analyzer } from '../analyze/analyzer.ts';
import { toHiragana } from '../dictionary/kana-and-scripts.ts';

/** Returns the kanji of a word. */
export function kanjiOf(text: string): string {
  return text.replaceAll(/[^\p{sc=Han}]/gu, '');
}

/** 御腹 for お腹, and the other way. */
export function otherPoliteness(term: string): readonly string[] {
  const rest = term.slice(1);
  if (term.startsWith('御') && rest !== '') return [`お${rest}`, `ご${rest}`];
  return /^[おご]\p{sc=Han}/u.test(term) ? [`御${rest}`] : [];
}

/** Kana between two kanji, or at the end. */
const OKURIGANA = /(?<=\p{sc=Han})[\u3041-\u3096]{1,3}(?=\p{sc=Han}|$)/gu;

/** Each of them has three spellings. */
const MOST_RUNS = 3;

/** Returns a word of several kanji with fewer of their kana: 問合わせ, 問い合せ and 問合せ for 問い合わせ. */
export function okurigana(term: string): ReadonlySet<string> {
  const runs = [...term.matchAll(OKURIGANA)];
  if (kanjiOf(term).length < 2 || runs.length > MOST_RUNS) return new Set();
  let spellings = [''];
  let reached = 0;
  for (const { 0: kana, index } of runs) {
    const before = term.slice(reached, index);
    const endings = new Set([kana, kana.slice(1), '']);
    spellings = spellings.flatMap((front) => Array.from(endings, (end) => front + before + end));
    reached = index + kana.length;
  }
  const found = new Set(spellings.map((front) => front + term.slice(reached)));
  found.delete(term);
  return found;
}

/** Returns a word of two kanji with the kana that each may have: 植え木 for 植木, 竜巻き for 竜巻, 書き留め for 書留. */
export function withOkurigana(
  term: string,
  reading: string,
  analyzer: Analyzer,
): ReadonlySet<string> {
  const found = new Set<string>();
  if (!/^\p{sc=Han}{2}$/u.test(term)) return found;
  const [front, back] = [term.slice(0, 1), term.slice(1)];
  for (const read of analyzer.readings(back)) {
    const rest = toHiragana(reading.slice(0, -read.length));
    if (reading.endsWith(read) && rest.length > 1) {
      found.add(front + rest.slice(-1) + back);
      break;
    }
  }
  for (let kana = 0; kana <= MOST_KANA; kana++) {
    const last = back + toHiragana(reading.slice(reading.length - kana));
    for (const read of analyzer.readings(last)) {
      if (!reading.endsWith(read) || read.length === reading.length) continue;
      const rest = reading.slice(0, -read.length);
      if (kana > 0) found.add(front + last);
      for (let more = 1; more <= MOST_KANA; more++) {
        const first = front + toHiragana(rest.slice(-more));
        if (analyzer.readings(first).includes(rest)) found.add(first + last);
      }
    }
  }
  return found;
}

/** A kanji of a compound has this many kana at most: 受け付け. */
const MOST_KANA = 2;

/** Returns a word with its first or its last characters in kana: 子ども and こ供 for 子供. */
export function partlyInKana(
  basic: string,
  reading: string,
  analyzer: Analyzer,
): ReadonlySet<string> {
  const found = new Set<string>();
  for (let cut = 1; cut < basic.length; cut++) {
    const [front, back] = [basic.slice(0, cut), basic.slice(cut)];
    if (kanjiOf(front) === '' || kanjiOf(back) === '') continue;
    for (const read of analyzer.readings(front)) {
      const rest = reading.slice(read.length);
      if (reading.startsWith(read) && rest !== '') found.add(front + toHiragana(rest));
    }
    for (const read of analyzer.readings(back)) {
      const rest = reading.slice(0, -read.length);
      if (reading.endsWith(read) && rest !== '') found.add(toHiragana(rest) + back);
    }
  }
  return found;
}
