import { codeAt } from '../code-at.ts';
import type { RedactionRule } from '../redaction-rule.ts';
import { shape } from './shape.ts';
import { traitsOf } from './traits.ts';

/** The characters that Django takes 50 of at random, brackets and the signs of expressions included. */
const ALPHABET = String.raw`[a-z0-9!@#$%^&*(\-_=+)]`;
const PREFIX = 'django-insecure-';
const KEY = new RegExp(`^(?:${PREFIX})?${ALPHABET}{46,50}$`);
const LONGEST = PREFIX.length + 50;

/** Fewer kinds of signs are those between words, or of a query. */
const FEWEST_SIGNS = 5;

/** Checks whether a text is 50 random characters, of which a few may be missing where nothing quotes them. */
function isRandom(key: string): boolean {
  const { digits, distinct } = traitsOf(key);
  const signs = new Set(key.replaceAll(/[a-z0-9]/g, ''));
  return digits > 0 && distinct >= 18 && signs.size >= FEWEST_SIGNS;
}

/** Calls with what they are given: two of them are in less than one of a thousand random keys. */
const CALLS = /[a-z_]{3,}\([^()]*\).*[a-z_]{3,}\([^()]*\)/;
const JOINED_WORDS = /[a-z]{2,}(?:_[a-z]{2,})+/g;
const FEWEST_LETTERS = 8;

/** Checks for an expression without spaces: `hash(name)-xor(key)`, `user_name+1`. */
function isExpression(value: string): boolean {
  if (CALLS.test(value)) return true;
  return (value.match(JOINED_WORDS) ?? []).some((name) => {
    const words = name.split('_');
    return words.join('').length >= FEWEST_LETTERS && words.every(isPronounced);
  });
}

/** Checks for a word with vowels: letters at random often have none. */
function isPronounced(word: string): boolean {
  return /[aeiouy]/.test(word) && !/[^aeiouy]{4}/.test(word);
}

/** Checks whether a value is a key that Django made, whatever it looks like, unless it is an expression. */
export function isDjangoKey(text: string, start: number, end: number): boolean {
  if (end - start < 46 || end - start > LONGEST) return false;
  const value = text.slice(start, end);
  if (!KEY.test(value)) return false;
  if (value.startsWith(PREFIX)) return isRandom(value.slice(PREFIX.length));
  return isRandom(value) && !isExpression(value);
}

/** Returns the end of such a key that is all up to the end of its line, also past what begins a parameter; or -1. */
export function endOfDjangoKey(text: string, start: number): number {
  const isPrefixed = codeAt(text, start) === 100 && text.startsWith(PREFIX, start);
  const length = isPrefixed ? LONGEST : LONGEST - PREFIX.length;
  const end = start + length;
  const isLine = end === text.length || codeAt(text, end) === 10 || codeAt(text, end) === 13;
  return isLine && isDjangoKey(text, start, end) ? end : -1;
}

/** Keys of new projects of Django say so. */
export const djangoRule: RedactionRule = shape(
  'django-key',
  'Secret key of a project of Django',
  new RegExp(`${PREFIX}${ALPHABET}{40,50}`),
  { is: (key) => isRandom(key.slice(PREFIX.length)) },
);
