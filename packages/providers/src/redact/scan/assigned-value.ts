import { codeAt } from '../code-at.ts';

/** The characters from a keyword to the operator after its name, at most. */
const LONGEST_NAME = 64;
/** White space, quotes and prefixes between an operator and a value, at most. */
const LONGEST_GAP = 32;
/** As much of a value is looked at. */
const JUDGED = 32;

const NAME = 1;
const OPERATOR = 2;
const GAP = 4;
const LETTER = 8;
/** Digits, and what else no plain word has. */
const STRANGE = 16;
const UPPER = 32;
const TOKEN = 64;

const KINDS = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  return (
    (/[\w\s."'`)\]>{}+*?;-]/.test(character) ? NAME : 0) |
    (/[=:,>|\t]/.test(character) ? OPERATOR : 0) |
    (/[\s"'`=>*[]/.test(character) ? GAP : 0) |
    (/[a-z]/.test(character) ? LETTER : 0) |
    (/[\d!@#$%^&*+~?/]/.test(character) ? STRANGE : 0) |
    (/[A-Z]/.test(character) ? UPPER : 0) |
    (/[\w+/=-]/.test(character) ? TOKEN : 0)
  );
});

/** Colon and equals sign of Japanese, and the words of CJK languages between a name and its value. */
const WIDE_OPERATORS: ReadonlySet<number> = new Set(
  Array.from('：＝はがをに是为為는은', (character) => character.charCodeAt(0)),
);

/** Returns the kind of a character; reading past the end of the table would be slow. */
function kindAt(text: string, at: number): number {
  const code = codeAt(text, at);
  return code < 128 ? (KINDS[code] ?? 0) : 0;
}

/** Values of the names of a text. */
export class AssignedValues {
  readonly #text: string;
  /** From here on there is no operator... */
  #plainFrom = 0;
  /** ... up to here. */
  #plainUpTo = 0;
  /** The operator whose value was judged last. */
  #judged = -1;
  #judgement = NONE;
  /** How long it is, if that was asked for. */
  #length = -1;
  /** Where the letters, digits and `+/=_-` end that were read last. */
  #tokenEnd = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /**
   * Checks whether a keyword may be part of a name that is given a value that is not a plain word. Says no much
   * faster than a pattern, and never where a pattern would find something.
   */
  mayFollow(keyword: number): boolean {
    const operator = this.#operatorAfter(keyword);
    if (operator < 0) return false;
    if (operator !== this.#judged) {
      this.#judged = operator;
      this.#judgement = judge(this.#text, operator);
      this.#length = -1;
    }
    if (this.#judgement !== WORD) return this.#judgement === SECRET;
    // A word may be a password in properties: `spring.datasource.password=swordfish`.
    const text = this.#text;
    return (kindAt(text, keyword + 1) & UPPER) !== 0 || codeAt(text, keyword - 1) === 46;
  }

  /** Checks whether the value of the last name that may have one begins with this many letters, digits and `+/=_-`. */
  isLong(count: number): boolean {
    if (this.#length >= 0) return this.#length >= count;
    const text = this.#text;
    const start = afterGap(text, this.#judged);
    const code = codeAt(text, start) | 32;
    // The common part of values is read once.
    let end = Math.max(start, this.#tokenEnd);
    if (end - start < LONGEST_TOKEN) {
      const limit = start + LONGEST_TOKEN;
      while (end < limit && kindAt(text, end) & TOKEN) end++;
      this.#tokenEnd = end;
    }
    // `Bearer ` or `Token ` may be before it.
    this.#length = code === 98 || code === 116 ? LONGEST_TOKEN : end - start;
    return this.#length >= count;
  }

  /** Returns the place of the operator after a name, or -1. Keywords of one name share the way to it. */
  #operatorAfter(keyword: number): number {
    const text = this.#text;
    const limit = Math.min(text.length, keyword + LONGEST_NAME);
    let at = keyword;
    if (keyword >= this.#plainFrom && keyword < this.#plainUpTo) at = this.#plainUpTo;
    else this.#plainFrom = keyword;
    for (; at < limit; at++) {
      const code = codeAt(text, at);
      // Numbers of lines have arrows, and Japanese has operators of its own.
      const kind = code < 128 ? (KINDS[code] ?? 0) : WIDE_OPERATORS.has(code) ? OPERATOR : NAME;
      if (kind & OPERATOR) {
        this.#plainUpTo = at;
        return at;
      }
      // An arrow of R, and the braces of C++: `token <- "..."`, `token{"..."}`.
      const next = codeAt(text, at + 1);
      if ((code === LESS && next === DASH) || (code === OPEN_BRACE && isQuote(next))) {
        this.#plainUpTo = at;
        return code === LESS ? at + 1 : at;
      }
      // A fallback: `process.env.TOKEN ?? "..."`.
      if (code === QUESTION && codeAt(text, at + 1) === QUESTION) {
        this.#plainUpTo = at;
        return at + 1;
      }
      // The value is in the next element: `<key>TOKEN</key><string>`.
      if (code === LESS && codeAt(text, at + 1) === SLASH) {
        this.#plainUpTo = at;
        return endOfTag(text, at);
      }
      if (!(kind & NAME)) break;
    }
    this.#plainUpTo = Math.max(at, keyword);
    return -1;
  }
}

/** Returns the place of the `>` of a short tag, or -1: a search for it would read the text once for each tag without it. */
function endOfTag(text: string, start: number): number {
  const limit = Math.min(text.length, start + LONGEST_TAG + 1);
  for (let at = start; at < limit; at++) if (codeAt(text, at) === GREATER) return at;
  return -1;
}

const OPEN_BRACKET = 40;
const SPACE = 32;
const DASH = 45;
const SLASH = 47;
const COLON = 58;
const LESS = 60;
const EQUALS = 61;
const GREATER = 62;
const QUESTION = 63;
const OPEN_BRACE = 123;
const LONGEST_TAG = 18;

const NONE = 0;
/** A value that is a plain word, which is a secret for some names only. */
const WORD = 1;
const SECRET = 2;

/** Judges what follows an operator. */
function judge(text: string, operator: number): number {
  let at = operator + 1;
  // `::=` of grammars and of make.
  while (codeAt(text, at) === COLON && at < operator + 3) at++;
  const lastGap = Math.min(text.length, operator + LONGEST_GAP);
  let isQuoted = false;
  while (at < lastGap) {
    const code = codeAt(text, at);
    if (code >= 128 || !((KINDS[code] ?? 0) & GAP || isItem(text, at))) break;
    // A block of YAML: `token: >-`.
    if (code === GREATER && codeAt(text, operator) === COLON && at > operator + 1) return SECRET;
    if (isQuote(code)) isQuoted = true;
    at++;
  }
  // Secrets are of ASCII.
  if (text.length - at < 4 || codeAt(text, at) >= 128) return NONE;
  if (codeAt(text, at) === LESS) return SECRET;
  const first = at;
  const lastValue = Math.min(text.length, at + JUDGED);
  let kinds = 0;
  for (; at < lastValue; at++) {
    const kind = kindAt(text, at) & ~TOKEN;
    if (kind & STRANGE) return SECRET;
    if (kind & GAP && !(kind & OPERATOR)) break;
    kinds |= kind === LETTER || kind === (LETTER | NAME) ? LETTER : kind || 256;
  }
  // Long values of letters continue, those of both cases look random, and in quotes a word may be a password.
  if (at === lastValue || (kinds & LETTER && kinds & UPPER)) return SECRET;
  // A type or a block, whose value follows: `token: str = "..."`, `token: |`.
  if (!isQuoted && codeAt(text, operator) === COLON && isBeforeValue(text, first, at))
    return SECRET;
  // A call that makes a value of a text: `String::from("..."`, `new String("..."`.
  if (!isQuoted && (codeAt(text, at - 1) === OPEN_BRACKET || startsAt(text, 'new ', first)))
    return SECRET;
  // The field of a value after that of a name: `"name": "X-Auth-Token", "value": "..."`, also in an object or a block.
  const field = codeAt(text, first);
  if (field === OPEN_BRACE) return SECRET;
  if (codeAt(text, operator) !== EQUALS && field >= 100 && isFieldAt(text, first)) return SECRET;
  // The type of a variable, whose value follows: `variable "password" { type = string default = "..." }`.
  if (startsAt(text, 'type', operator - 5) || startsAt(text, 'type', operator - 8)) return SECRET;
  const isClosed = isQuote(codeAt(text, at));
  const isPlain = (kinds & ~(LETTER | NAME)) === 0;
  return isQuoted && isClosed && isPlain && at - first >= 8 ? SECRET : WORD;
}

/** The fields of an object in which a name is the value of one. */
const FIELDS = [
  'value',
  'val"',
  'ParameterValue',
  'default',
  'path"',
  'domain"',
  'masked',
  'protected',
  'variable_type',
];

/** Checks for the dash of an item of a list. */
function isItem(text: string, at: number): boolean {
  return codeAt(text, at) === DASH && codeAt(text, at + 1) === SPACE;
}

function isFieldAt(text: string, at: number): boolean {
  for (const field of FIELDS) if (startsAt(text, field, at)) return true;
  return false;
}

/** Checks for a word at a place: most texts differ in the first letter. */
function startsAt(text: string, word: string, place: number): boolean {
  const at = Math.max(0, place);
  return codeAt(text, at) === word.charCodeAt(0) && text.startsWith(word, at);
}

function isQuote(code: number): boolean {
  return code === 34 || code === 39 || code === 96;
}

/** Checks whether a word after a colon is a type or the mark of a block, which a value follows. */
function isBeforeValue(text: string, first: number, end: number): boolean {
  if (codeAt(text, first) === BAR) return true;
  return codeAt(text, end) === EQUALS || codeAt(text, end + 1) === EQUALS;
}

/** Values are not read beyond this many characters. */
const LONGEST_TOKEN = 400;

/** Returns the place after what may be between an operator and a value. */
function afterGap(text: string, operator: number): number {
  let at = operator + 1;
  const lastGap = Math.min(text.length, operator + LONGEST_GAP);
  // `||` has no gap of its own.
  while (at < lastGap && (kindAt(text, at) & GAP || codeAt(text, at) === BAR || isItem(text, at)))
    at++;
  return at;
}

const BAR = 124;
