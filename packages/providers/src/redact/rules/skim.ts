import { codeAt } from '../code-at.ts';

/**
 * Ways to match the beginning of frequent rules without their patterns. They return the offset after what the
 * pattern of the rule matches at a keyword, -1 where it does not match, and nothing where it must be asked.
 */

const TAB = 9;
const BAR = 124;
const STAR = 42;
const COMMA = 44;
const DOT = 46;
const COLON = 58;
const EQUALS = 61;
const GREATER = 62;
const UNDERSCORE = 95;
const DASH = 45;
const AT = 64;
const LESS = 60;
const SLASH = 47;
const SPACE_CODE = 32;
const OPEN_BRACKET = 40;
const OPEN_SQUARE = 91;
const OPEN_BRACE = 123;
const PLUS = 43;

/** The classes of characters after the word of a name. */
const SPACE = 1;
const QUOTE = 2;
/** Letters before quotes in Python, C#, Rust and SQL. */
const QUOTE_PREFIX = 4;
/** Begins a suffix, the rest of a longer word, a type, or `value` and `default`; the pattern knows which. */
const OPEN = 8;
/** Begins what is between a name and its value; the pattern knows what. */
const GAP = 16;
const LETTER = 32;
/** Begins a word that may be between a name and a key without an operator. */
const LINK = 64;
const UPPER = 128;
const DIGIT = 256;
/** Other characters before the bracket of a call. */
const CALL = 512;

const KINDS = Uint16Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  return (
    (/\s/.test(character) ? SPACE : 0) |
    (/["'`]/.test(character) ? QUOTE : 0) |
    (/[bfrun@]/i.test(character) ? QUOTE_PREFIX : 0) |
    (/[bpdstlkvc&\d]/i.test(character) ? OPEN : 0) |
    (/[)\]",'`|?+{<*-]/.test(character) ? GAP : 0) |
    (/[a-z]/i.test(character) ? LETTER : 0) |
    (/[spatkio]/i.test(character) ? LINK : 0) |
    (/[A-Z]/.test(character) ? UPPER : 0) |
    (/\d/.test(character) ? DIGIT : 0) |
    (/[\w.:&[\]]/.test(character) ? CALL : 0)
  );
});

/** Reading past the end of a table would be slow. */
function kindAt(text: string, at: number): number {
  const code = codeAt(text, at);
  return code < 128 ? (KINDS[code] ?? 0) : 0;
}

const LONGEST_SPACE = 8;

/** Finds the beginning of the value after the word of a name, as the pattern of `assignment` does. */
export function skimAssignment(text: string, _: number, end: number): number | undefined {
  let at = end;
  let code = codeAt(text, at);
  if (code >= 128) return undefined;
  const kind = kindAt(text, at);
  if (kind & LETTER) return beginsSuffix(text, at) ? undefined : -1;
  if (code === DOT || code === UNDERSCORE || code === DASH) {
    const isOperator = code === DOT && codeAt(text, at + 1) === EQUALS;
    return isOperator || beginsSuffix(text, at + 1) ? undefined : -1;
  }
  if (kind & QUOTE) {
    at++;
    code = codeAt(text, at);
    if (code !== COLON && code !== EQUALS) return undefined;
  } else if (kind & SPACE) {
    while (at < end + LONGEST_SPACE && kindAt(text, at) & SPACE) {
      if (codeAt(text, at) === TAB) return undefined;
      at++;
    }
    code = codeAt(text, at);
    if (code >= 128 || code === DOT || kindAt(text, at) & (SPACE | OPEN | GAP)) return undefined;
  }
  if (code === EQUALS) return skimEquals(text, at + 1);
  if (code === COLON) return skimColon(text, at + 1);
  if (code === GREATER) return at === end ? skimGreater(text, at + 1) : undefined;
  return kindAt(text, at) & (OPEN | GAP) ? undefined : -1;
}

/** The end of a tag, unless a `value=` follows. */
function skimGreater(text: string, at: number): number | undefined {
  const code = codeAt(text, at);
  if (code >= 128 || code === LESS || kindAt(text, at) & (SPACE | OPEN | GAP)) return undefined;
  return code === GREATER ? undefined : afterQuote(text, at);
}

/**
 * Checks the first two letters of what may follow the word of a name: a suffix, `key` or the end of a plural.
 * Longer words than `pass` are keywords of their own.
 */
function beginsSuffix(text: string, at: number): boolean {
  const second = codeAt(text, at + 1);
  const folded = second | 32;
  const isDigit = second >= 48 && second <= 57;
  switch (codeAt(text, at) | 32) {
    case 98: // base, b64
      return folded === 97 || second === 54;
    case 118: // value, v2
      return folded === 97 || isDigit;
    case 112: // prod
      return folded === 114;
    case 100: // dev
    case 116: // test
    case 107: // key
      return folded === 101;
    case 108: // live
      return folded === 105;
    case 115: // staging, and the end of a plural
      return folded === 116 || !isLetter(text, at + 1) || beginsSuffix(text, at + 1);
    default:
      return (kindAt(text, at) & DIGIT) !== 0;
  }
}

function isLetter(text: string, at: number): boolean {
  return (kindAt(text, at) & LETTER) !== 0;
}

function skimEquals(text: string, at: number): number | undefined {
  const code = codeAt(text, at);
  if (code === EQUALS) return -1;
  return skimQuote(text, code === GREATER ? at + 1 : at);
}

function skimColon(text: string, at: number): number | undefined {
  const code = codeAt(text, at);
  // `::=`, and `:::=`.
  if (code === COLON)
    return text.startsWith('=', at + 1) || text.startsWith(':=', at + 1) ? undefined : -1;
  if (code === EQUALS) return skimQuote(text, at + 1);
  // A type may follow, and its value after that, and a tag or an anchor of YAML.
  const first = kindAt(text, at) & SPACE ? at + 1 : at;
  const second = kindAt(text, first) & SPACE ? first + 1 : first;
  if (isType(text, second)) return undefined;
  const value = skimSpaces(text, at);
  const isProperty = value > at && isPropertyStart(codeAt(text, value));
  return isProperty ? undefined : skimQuote(text, at);
}

function skimSpaces(text: string, from: number): number {
  let at = from;
  while (at < from + LONGEST_SPACE && codeAt(text, at) === SPACE_CODE) at++;
  return at;
}

/** Checks for `!` and `&`. */
function isPropertyStart(code: number): boolean {
  return code === 33 || code === 38;
}

/** Checks whether a type may begin at a place. */
function isType(text: string, at: number): boolean {
  const code = codeAt(text, at) | 32;
  return code === 115 || code === 99 || code === 111 || code === 38;
}

/** Returns the place after spaces and a quote. */
function skimQuote(text: string, from: number): number | undefined {
  let at = from;
  while (at < from + LONGEST_SPACE && kindAt(text, at) & SPACE) at++;
  const code = codeAt(text, at);
  if (
    code >= 128 ||
    code === OPEN_BRACE ||
    code === OPEN_SQUARE ||
    code === OPEN_BRACKET ||
    code === DASH ||
    code === STAR ||
    code === LESS ||
    code === BAR ||
    code === GREATER ||
    at >= from + LONGEST_SPACE
  )
    return undefined;
  // The field of an object or a block: `token: { value: "..." }`.
  if (code === LOWER_V ? text.startsWith('val', at) : isDefault(text, code, at)) return undefined;
  return mayBeCall(text, at) ? undefined : afterQuote(text, at);
}

const LOWER_V = 118;
const LOWER_D = 100;

function isDefault(text: string, code: number, at: number): boolean {
  return code === LOWER_D && text.startsWith('default', at);
}

const LONGEST_CALL = 80;

/** Checks whether names and an opening bracket are before a quote: `String::from("`; the pattern knows which. */
function mayBeCall(text: string, from: number): boolean {
  if (!(kindAt(text, from) & (LETTER | CALL))) return false;
  let at = from;
  const limit = from + LONGEST_CALL;
  while (at < limit && kindAt(text, at) & (LETTER | DIGIT | CALL)) at++;
  if (codeAt(text, at) === SPACE_CODE && text.startsWith('new', from)) {
    at++;
    while (at < limit && kindAt(text, at) & (LETTER | DIGIT | CALL)) at++;
  }
  return codeAt(text, at) === OPEN_BRACKET;
}

/** Returns the place after a quote with the letters of a language before it, if there is one. */
function afterQuote(text: string, at: number): number | undefined {
  let quote = at;
  while (quote < at + 2 && kindAt(text, quote) & QUOTE_PREFIX) quote++;
  if (!(kindAt(text, quote) & QUOTE)) return at;
  // Quotes in a row, or at the end of a line: the pattern knows what they begin.
  return kindAt(text, quote + 1) & (QUOTE | SPACE) ? undefined : quote + 1;
}

const LONGEST_REST = 12;

/** Finds the beginning of a key after a word without an operator, as the pattern of the rule does. */
export function skimAnnounced(text: string, _: number, end: number): number {
  let at = end;
  while (at < end + LONGEST_REST && kindAt(text, at) & LETTER) at++;
  if (!isLink(codeAt(text, at))) return -1;
  at++;
  if (isLink(codeAt(text, at))) at++;
  for (let words = 0; words < MOST_LINKS; words++) {
    const length = linkAt(text, at);
    if (length === 0) break;
    at += length;
    const code = codeAt(text, at);
    if (isLink(code) && code !== COMMA) at++;
  }
  const code = codeAt(text, at);
  return code === 34 || code === 39 ? at + 1 : at;
}

const MOST_LINKS = 3;
const NONE: readonly string[] = [];
/** Words by the last five bits of their first letter, which upper case has, too. */
const LINKS = Array.from({ length: 32 }, (_, bits) =>
  ['secret', 'private', 'access', 'api', 'token', 'key', 'id', 'is', 'of'].filter(
    (word) => (word.charCodeAt(0) & 31) === bits,
  ),
);

/** Returns the length of a word such as `is` with a space, `.`, `_` or `-` after it, or 0. */
function linkAt(text: string, at: number): number {
  if (!(kindAt(text, at) & LINK)) return 0;
  for (const word of LINKS[codeAt(text, at) & 31] ?? NONE) {
    let length = 1;
    while (length < word.length && (codeAt(text, at + length) | 32) === word.charCodeAt(length)) {
      length++;
    }
    if (length < word.length) continue;
    const code = codeAt(text, at + length);
    if (isLink(code) && code !== COMMA) return length + 1;
  }
  return 0;
}

/** Checks for a space, `.`, `,`, `_` or `-`. */
function isLink(code: number): boolean {
  return code === 32 || code === DOT || code === COMMA || code === UNDERSCORE || code === DASH;
}

/** The classes of characters in an address: those that end its part before a colon, and those of tokens. */
const ENDS_USER = 1;
const OF_TOKEN = 2;
const OF_ADDRESS = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  return (
    (/[\s/:@?#"'<>`[\](){}|,]/.test(character) ? ENDS_USER : 0) |
    (/[\w.~%-]/.test(character) ? OF_TOKEN : 0)
  );
});

function isOfAddress(code: number, kind: number): boolean {
  return code < 128 && ((OF_ADDRESS[code] ?? 0) & kind) !== 0;
}

const LONGEST_USER = 100;

/** Says no where no colon follows the first part of an address, as the pattern of passwords does: most have none. */
export function skimUser(text: string, _: number, end: number): number | undefined {
  let at = codeAt(text, end) === SLASH ? end + 1 : end;
  const limit = Math.min(text.length, at + LONGEST_USER);
  while (at < limit && !isOfAddress(codeAt(text, at), ENDS_USER)) at++;
  return codeAt(text, at) === COLON ? undefined : -1;
}

const LONGEST_TOKEN = 255;

/** Says no where neither a colon nor `@` follows the characters of a token in an address. */
export function skimToken(text: string, _: number, end: number): number | undefined {
  let at = end;
  const limit = end + LONGEST_TOKEN;
  while (at < limit && isOfAddress(codeAt(text, at), OF_TOKEN)) at++;
  const code = codeAt(text, at);
  return code === COLON || code === AT ? undefined : -1;
}

const LONGEST_PART = 12;
const SHORTEST_KEY = 20;
const LONGEST_KEY = 400;

/** Finds the end of a key that begins with a word and `_` or `-`, as the pattern of the rule does. */
export function skimPrefix(text: string, keyword: number, end: number): number {
  // The pattern takes words of lower case only.
  for (let at = keyword; at < end; at++) if (kindAt(text, at) & UPPER) return -1;
  if (keyword > 0) {
    const isPlus = keyword > 1 && codeAt(text, keyword - 1) === PLUS;
    const before = isPlus ? keyword - 2 : keyword - 1;
    if (kindAt(text, before) & (LETTER | DIGIT) || codeAt(text, before) === SLASH) return -1;
  }
  let at = end;
  for (let parts = 0; ; parts++) {
    const start = at;
    const limit = start + LONGEST_KEY;
    while (at < limit && kindAt(text, at) & (LETTER | DIGIT)) at++;
    const length = at - start;
    if (length >= SHORTEST_KEY) return at;
    const after = codeAt(text, at);
    const isPart = parts < 2 && length > 0 && length <= LONGEST_PART;
    if (!isPart || (after !== UNDERSCORE && after !== DASH)) return -1;
    at++;
  }
}
