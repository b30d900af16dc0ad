import { codeAt } from '../code-at.ts';

const LOWER = 1;
const UPPER = 2;
const DIGIT = 4;

const KINDS = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  if (/[a-z]/.test(character)) return LOWER;
  if (/[A-Z]/.test(character)) return UPPER;
  return /\d/.test(character) ? DIGIT : 0;
});

/** Checks whether a text has characters of all these kinds: reading up to the last of them is faster than an expression. */
function hasAll(text: string, kinds: number): boolean {
  let missing = kinds;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code >= 128) continue;
    missing &= ~(KINDS[code] ?? 0);
    if (missing === 0) return true;
  }
  return false;
}

/** Checks whether a text has a digit. */
export function hasDigit(text: string): boolean {
  return hasAll(text, DIGIT);
}

/** Checks whether a text has a digit, or letters of both cases. */
export function isVaried(text: string): boolean {
  return hasDigit(text) || hasBothCases(text);
}

/** Checks whether a text has a digit and letters of both cases. */
export function isMixed(text: string): boolean {
  return hasAll(text, DIGIT | LOWER | UPPER);
}

/** Checks whether a text has a digit and letters of both cases, and is no name of words: `rt_can_only_be_used_in_ES5`. */
export function isMixedKey(text: string): boolean {
  return isMixed(text) && !/(?:[_-](?:[A-Za-z]+|\d(?=_))){4}/.test(text);
}

/** Checks for words, each with a number at most, which are joined: names, paths, `keys.KeyV1.2.3`, `Key-2026-07-01`. */
export function isJoinedWords(text: string): boolean {
  if (/[^\w./-]|\d(?:[A-Za-z]|\d{4})/.test(text)) return false;
  const letters = (text.match(/[A-Za-z]{1,400}/g) ?? [])
    .filter((part) => /[a-z]/.test(part))
    .join('');
  // Names in camel case have few capitals, and random letters as many as others.
  return letters.replaceAll(/[^A-Z]/g, '').length * 2 <= letters.replaceAll(/[^a-z]/g, '').length;
}

/** Checks for a word with a number: `Windows11`. */
export function isNumbered(text: string): boolean {
  return /^[A-Z]?[a-z]+\d{1,4}$/.test(text);
}

/** Checks for words with numbers between them and after them, or a letter at the end: `Module2Beta`, `Bearer1X`. */
export function isNameOfWords(text: string): boolean {
  return /^[A-Z]?[a-z]{3,}(?:[A-Z][a-z]{2,}|[A-Z]{3,4}(?=\d|[A-Z][a-z]|$)|[A-Z]$|[._-]?\d{1,4}(?!\d)(?:[a-z]{3,})?)*$/.test(
    text,
  );
}

const LONGEST_NAME = 100;

/** Parts of names that are no random text: models, lemmas, files: `claude-3-5-sonnet-20241022`, `bank.n.01`. */
const PART = /^(?:[A-Za-z]*\d{0,4}|\d+|\d{1,3}[A-Za-z]{1,3})$/;

/** Checks for words, numbers and dates with signs between them. */
export function isNameOfParts(value: string): boolean {
  // Most keys have other characters, or digits between letters, which no part has: a split would cost more.
  if (value.length > LONGEST_NAME || /[^\w./-]|[A-Za-z]\d{1,8}[A-Za-z]/.test(value)) return false;
  const parts = value.split(/[./_-]/);
  if (parts.length < 2 || !parts.every((part) => PART.test(part))) return false;
  const lowers = value.replaceAll(/[^a-z]/g, '').length;
  if (value.replaceAll(/[^A-Z]/g, '').length * 2 > lowers) return false;
  return /[A-Za-z][a-z]{4}/.test(value) || /(?:19|20)\d\d-?[01]\d-?[0-3]\d/.test(value);
}

/** Several numbers with units, and a name after them: `3h20m15sAvg`, `1920x1080Max`. */
const MEASURES = /^\d+[a-z]{1,2}\d+(?:[a-z]{1,2}\d+)*(?:[a-z]{1,2})?(?:[A-Z][a-z]+)?$/;

/** Checks for letters that are mostly those of words (`2024Q3Release`, `commit3fA9bC2d`) or units. */
export function isOfWords(text: string): boolean {
  const words = (text.match(/[A-Z]?[a-z]{3,}/g) ?? []).filter(isLikeWord);
  const letters = text.replaceAll(/[^A-Za-z]/g, '').length;
  return words.join('').length * 2 > letters || MEASURES.test(text);
}

/** Checks for vowels, and for what random letters have and words have not: many consonants, and `q` without `u`. */
function isLikeWord(word: string): boolean {
  return (
    /[aeiou]/i.test(word) &&
    !/[^aeiouy]{4}|q(?!u)|[jvxz][^aeiouy]|[^aeiouy][jxz]/i.test(word) &&
    !/^(?!s[cpt][lr]|sch|[cpst]h[lr])[^aeiouy]{3}/i.test(word)
  );
}

/** Checks whether cases and digits change more often than in a name of a program, where they begin words. */
export function isShuffled(text: string): boolean {
  const changes = text.match(/[a-z](?=[A-Z\d])|[A-Z](?=[a-z\d])|\d(?=[A-Za-z])/g) ?? [];
  return changes.length >= text.length * 0.45;
}

/** Checks for a text of letters and digits that no name looks like: they change often, or it is long and has no words. */
export function isScrambled(text: string): boolean {
  if (isShuffled(text)) return true;
  return text.length >= 20 && /\d.*\d.*\d/.test(text) && !isOfWords(text);
}

/** Checks whether a text has letters of both cases. */
export function hasBothCases(text: string): boolean {
  return hasAll(text, LOWER | UPPER);
}

/** Accepts every text. */
export function isAny(): boolean {
  return true;
}

const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;

const UUID_LENGTH = 36;

/** Checks whether a text is a UUID. */
export function isUuid(text: string): boolean {
  return text.length === UUID_LENGTH && UUID.test(text);
}

/** How often each unit was seen: of ASCII, and of all others. */
const counts = new Int32Array(128);
const others = new Uint16Array(65_536);

/** By how much one more of a unit raises the sum of `n * log2(n)`. */
const RISES = Float64Array.from({ length: 512 }, (_, n) => riseAt(n));

function riseAt(n: number): number {
  return (n + 1) * Math.log2(n + 1) - (n > 1 ? n * Math.log2(n) : 0);
}

/**
 * Returns the Shannon entropy over the UTF-16 units of a text, in bits a unit.
 *
 * @param most - The most units of a text that are counted; less than 65,536.
 */
export function bitsPerCharacter(text: string, most = 65_535): number {
  const length = Math.min(text.length, most);
  if (length === 0) return 0;
  counts.fill(0);
  let sum = 0;
  let isAscii = true;
  for (let at = 0; at < length; at++) {
    const code = codeAt(text, at);
    if (code >= 128) {
      isAscii = false;
      const count = others[code] ?? 0;
      others[code] = count + 1;
      sum += RISES[count] ?? riseAt(count);
      continue;
    }
    const count = counts[code] ?? 0;
    counts[code] = count + 1;
    sum += RISES[count] ?? riseAt(count);
  }
  if (!isAscii) for (let at = 0; at < length; at++) others[codeAt(text, at)] = 0;
  return Math.log2(length) - sum / length;
}

/** The longest user or password, in characters of Base64. */
const LONGEST_BASIC = 4000;
const LONGEST_USER = 100;
const COLON = 58;

/**
 * Checks whether Base64 is that of `user:password`, as in HTTP Basic and Docker, or of `:` and a long password.
 * Decodes as far as the first character that neither has.
 */
export function isBasicCredentials(base64: string): boolean {
  let end = base64.length;
  while (end > base64.length - 2 && codeAt(base64, end - 1) === EQUALS) end--;
  if (end > LONGEST_BASIC || end % 4 === 1) return false;
  let bits = 0;
  let user = -1;
  let length = 0;
  let isSpaced = false;
  for (let at = 0; at < end; at++) {
    const digit = BASE64[codeAt(base64, at)] ?? 0;
    if (digit === 0) return false;
    bits = ((bits << 6) | (digit - 1)) & 0xffffff;
    const place = at & 3;
    if (place === 0) continue;
    const code = (bits >> (6 - 2 * place)) & 0xff;
    if (code < 32 || code > 126) return false;
    if (user >= 0) isSpaced ||= code === 32;
    else if (code === COLON) user = length;
    else if (length >= LONGEST_USER || OF_USER[code] !== 1) return false;
    length++;
  }
  const password = length - user - 1;
  return user > 0 ? password >= 3 : user === 0 && password >= 10 && !isSpaced;
}

const EQUALS = 61;

/** The digits of Base64 and of its form for addresses, plus one; 0 for what is none. */
const BASE64 = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code).replace('-', '+').replace('_', '/');
  return 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'.indexOf(character) + 1;
});

const OF_USER = Uint8Array.from({ length: 128 }, (_, code) =>
  /[\w.@+$%!~-]/.test(String.fromCharCode(code)) ? 1 : 0,
);
