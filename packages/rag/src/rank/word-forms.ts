import type { Word } from '../analyze/analyzer.ts';
import { isKana } from '../dictionary/kana-and-scripts.ts';
import { WEIGHTS } from './weights.ts';

const NUMBER = '名詞,数';
const KATAKANA = /^[\u30a1-\u30fa\u30fc]+$/;
/** A number, and what is counted: `17`, `1部~`. */
const IN_DIGITS = /^\d[\d.]*(?:\p{sc=Han}.*~|つ~)?$/u;

/** Returns how much a further term of a word counts: forms of Korean and pairs of Chinese as much as itself, what is only in it less. */
export function factorOfForm(term: string, { pos, basic }: Pick<Word, 'pos' | 'basic'>): number {
  if (KATAKANA.test(term) && isKana(basic.replaceAll('・', ''))) return WEIGHTS.sameSound;
  if (IN_DIGITS.test(term)) return WEIGHTS.digits;
  if (term.endsWith('~') || (pos === NUMBER && isKana(term))) return WEIGHTS.otherForm;
  return term.endsWith('^') ? WEIGHTS.syllables : WEIGHTS.extra;
}

/** Checks whether a further term of a word is another form of it: pairs of syllables, and parts of foreign words, are not. */
export function isForm(term: string, { pos }: Pick<Word, 'pos'>): boolean {
  return !term.endsWith('^') && (pos !== '' || term.endsWith('~'));
}
