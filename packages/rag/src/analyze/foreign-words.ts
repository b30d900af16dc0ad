import { porterStem } from '@vizprompt/providers/internal';
import { JAPANESE } from '../dictionary/kana-and-scripts.ts';
import { koreanPairs, koreanStems } from '../spelling/korean-stems.ts';
import type { Word } from './analyzer.ts';

const UNSPACED = '\\p{sc=Hangul}\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}\\p{sc=Myanmar}';
const LETTER = `[[\\p{L}\\p{M}\\p{N}]--[${JAPANESE}${UNSPACED}]]`;
/** `2.0` and `2,026` are one number each, `don't` and `snake_case` one word. */
const INNER = `(?<=\\p{Nd})(?:\\.(?=\\p{Nd})|,(?=\\p{Nd}{3}(?!\\p{Nd})))|['’](?=\\p{L})|_+(?=${LETTER})`;
const WORDS = new RegExp(
  `(?<word>${LETTER}(?:${LETTER}|${INNER}){0,99999})|(?<unspaced>[${UNSPACED}]{1,32})|\\p{Extended_Pictographic}`,
  'gv',
);
const HANGUL = /^[\uac00-\ud7a3]+$/;
const NUMBER = /^\p{Nd}[\p{Nd}.,]*$/u;
const NUMBER_POS = '名詞,数';
/** Longer words are cut: they are keys, hashes and encoded data. */
const MAX_LENGTH = 64;
const ASCII_LETTERS = /^[a-z]{3,}$/;
const ASCII = /^[\0-\x7f]*$/;
const LATIN = /\p{sc=Latin}/u;
const MARKS = /\p{M}/gu;
/** English words that questions are full of; they have the parts of speech of their like. */
const WEAK_WORDS = new Map([
  ...'what when where who whom whose how why which'
    .split(' ')
    .map((word) => weak(word, '名詞,代名詞')),
  ...'do does did has have had'.split(' ').map((word) => weak(word, '動詞,非自立')),
]);
/** Where identifiers fall apart: `snake_case`, `camelCase`, `HTTPServer`, `utf8`, `v2.0`. */
const PARTS = /\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{Lo}\p{Lm}\p{M}]+|\p{N}+(?:\.\p{N}+)*/gu;
const ENDING = /['’](?:s|re|ve|ll|d|m)$/i;
const APOSTROPHE = /['’]/;
const GLUE = /[_'’,]/g;
/** Words longer than this are not identifiers. */
const MAX_IDENTIFIER = 64;

/**
 * Returns the words in other scripts that begin in `line[from..to)`; the last one may reach further.
 *
 * @param at - Where the line begins: their offsets count from there.
 */
export function foreignWords(line: string, from: number, to: number, at: number): Word[] {
  const found: Word[] = [];
  /** The words joined by hyphens up to here. */
  let chain: Word[] = [];
  WORDS.lastIndex = from;
  for (let match = WORDS.exec(line); match && match.index < to; match = WORDS.exec(line)) {
    const previous = found.at(-1);
    const { index: start } = match;
    const word = foreignWord(match[0], at + start, match.groups?.['unspaced'] !== undefined);
    const isJoined = line[start - 1] === '-' && previous?.end === at + start - 1;
    if (!isJoined) {
      joinChain(found, chain, line, at);
      chain = [];
    }
    chain.push(word);
    found.push(word);
  }
  joinChain(found, chain, line, at);
  return found;
}

/** `e-mail` is found by `email` too. */
function joinChain(found: Word[], chain: readonly Word[], line: string, at: number): void {
  const [first] = chain;
  const last = chain.at(-1);
  if (!first || !last || chain.length < 2 || chain.every(({ pos }) => pos === NUMBER_POS)) return;
  const joined = stemForeign(line.slice(first.start - at, last.end - at).replaceAll('-', ''));
  found[found.length - chain.length] = { ...first, extra: [...(first.extra ?? []), joined] };
}

function foreignWord(text: string, start: number, isUnspaced: boolean): Word {
  const word = { start, end: start + text.length, reading: '', pos: '', isContent: true };
  if (isUnspaced) {
    const extra = HANGUL.test(text) ? [...koreanStems(text), ...koreanPairs(text)] : pairsOf(text);
    return { ...word, basic: text, ...extraTerms(extra) };
  }
  if (NUMBER.test(text)) {
    return { ...word, basic: stemForeign(text.replaceAll(',', '')), pos: NUMBER_POS };
  }
  const stripped = text.replace(ENDING, '');
  const basic = stemForeign(stripped.replace(GLUE, ''));
  const parts = partsOf(stripped).map(stemForeign);
  const pos = WEAK_WORDS.get(basic) ?? '';
  return { ...word, pos, basic, ...extraTerms(parts.filter((part) => part !== basic)) };
}

function weak(word: string, pos: string): [basic: string, pos: string] {
  return [stemForeign(word), pos];
}

function extraTerms(extra: readonly string[]): Pick<Word, 'extra'> {
  return extra.length > 0 ? { extra } : {};
}

/** Returns the parts of an identifier or a word with an apostrophe; nothing if it is of one piece. */
function partsOf(word: string): readonly string[] {
  if (word.length > MAX_IDENTIFIER) return [];
  if (APOSTROPHE.test(word)) return word.split(APOSTROPHE).filter((part) => part.length > 2);
  const parts = word.match(PARTS) ?? [];
  return parts.length > 1 ? parts : [];
}

/** Overlapping pairs, for scripts without spaces. */
function pairsOf(run: string): readonly string[] {
  const characters = Array.from(run);
  if (characters.length < 3) return [];
  return characters.slice(1).map((second, index) => (characters[index] ?? '') + second);
}

/** Returns the form by which a word is found: small letters without accents, English without endings. */
function stemForeign(word: string): string {
  const small = withoutAccents(word.toLowerCase());
  if (ASCII_LETTERS.test(small)) return porterStem(small.slice(0, MAX_LENGTH));
  if (small.length <= MAX_LENGTH) return small;
  return Array.from(small).slice(0, MAX_LENGTH).join('');
}

function withoutAccents(word: string): string {
  if (ASCII.test(word) || !LATIN.test(word)) return word;
  return word.normalize('NFD').replace(MARKS, '').normalize('NFC');
}
