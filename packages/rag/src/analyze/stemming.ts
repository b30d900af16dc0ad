import { porterStem } from '@vizprompt/providers/internal';

/** Longer words are cut: they are keys, hashes and encoded data. */
const MAX_LENGTH = 64;
const ASCII_LETTERS = /^[a-z]{3,}$/;
const ASCII = /^[\0-\x7f]*$/;
const LATIN = /\p{sc=Latin}/u;
const MARKS = /\p{M}/gu;

/** The form by which a word is found: small letters without accents, English without endings. */
export function stemForeign(word: string): string {
  const small = withoutAccents(word.toLowerCase());
  if (ASCII_LETTERS.test(small)) return porterStem(small.slice(0, MAX_LENGTH));
  if (small.length <= MAX_LENGTH) return small;
  return Array.from(small).slice(0, MAX_LENGTH).join('');
}

function withoutAccents(word: string): string {
  if (ASCII.test(word) || !LATIN.test(word)) return word;
  return word.normalize('NFD').replace(MARKS, '').normalize('NFC');
}
