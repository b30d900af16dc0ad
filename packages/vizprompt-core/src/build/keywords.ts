import { languageOf } from './language.ts';
import { ENGLISH_STOP_WORDS, JAPANESE_STOP_WORDS } from './stop-words.ts';

/**
 * Words that can be keywords: runs of kanji (without those that count what a number says) or
 * katakana, and Latin words, identifiers whole.
 */
const CANDIDATE =
  /(?<![\d０-９\p{sc=Han}々])[\p{sc=Han}々]{2,8}|[\p{sc=Katakana}ー]{2,20}|[\p{sc=Latin}][\p{sc=Latin}\p{N}]*(?:[_.+#-][\p{sc=Latin}\p{N}+#]+)*[+#]*/gu;

interface Candidate {
  /** As it is written first. */
  readonly word: string;
  count: number;
  readonly first: number;
  /** It stands with a capital letter within a sentence somewhere. */
  isName: boolean;
}

/** Text beyond this length says nothing new. */
const MAX_LENGTH = 20_000;

/**
 * The keywords of a text, the most telling first: frequent words, longer and earlier ones before
 * others, without function words and without words that are part of a better one.
 */
export function keywordsOf(text: string, limit: number): string[] {
  const prose = text.replaceAll(/```[^]*?(?:```|$)/g, ' ').replaceAll(/https?:\/\/\S+/g, ' ');
  const sample = (prose.trim() === '' ? text : prose).slice(0, MAX_LENGTH);
  const isJapanese = languageOf(sample) === 'ja';
  const candidates = new Map<string, Candidate>();
  for (const { 0: word, index } of sample.matchAll(CANDIDATE)) {
    const key = word.normalize('NFKC').toLowerCase();
    if (!isTelling(key, isJapanese)) continue;
    const isName =
      /[_.#+]|\p{Ll}\p{Lu}/u.test(word) ||
      (/^\p{Lu}/u.test(word) && /[\p{Ll},]\s$/u.test(sample.slice(index - 2, index)));
    const known = candidates.get(key) ?? { word, count: 0, first: index, isName };
    known.count++;
    known.isName ||= isName;
    candidates.set(key, known);
  }
  const ranked = [...candidates.entries()]
    .map(([key, candidate]) => ({ key, ...candidate, score: scoreOf(key, candidate, sample) }))
    .toSorted((a, b) => b.score - a.score || a.first - b.first);
  const chosen: typeof ranked = [];
  for (const candidate of ranked) {
    if (chosen.length >= limit) break;
    if (chosen.some(({ key }) => overlaps(key, candidate.key))) continue;
    chosen.push(candidate);
  }
  return chosen.map(({ word }) => word);
}

function isTelling(key: string, isJapanese: boolean): boolean {
  if (/^[\p{sc=Latin}]/u.test(key)) {
    const letters = key.replaceAll(/[^\p{L}]/gu, '');
    return letters.length >= (isJapanese ? 2 : 3) && !ENGLISH_STOP_WORDS.has(key);
  }
  return !JAPANESE_STOP_WORDS.has(key) && !/^(?:ー+$|何)/.test(key);
}

function scoreOf(key: string, { count, first, isName }: Candidate, text: string): number {
  const length = Math.min(1.6, 0.8 + key.length / 10);
  const place = 1 + 0.5 * (1 - first / Math.max(1, text.length));
  return (1 + Math.log(count)) * length * place * (isName ? 1.3 : 1);
}

/** One holds the other, as 設定ファイル holds 設定. */
function overlaps(a: string, b: string): boolean {
  return a.includes(b) || b.includes(a);
}
