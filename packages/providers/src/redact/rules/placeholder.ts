import { codeAt } from '../code-at.ts';
import {
  hasDigit,
  isJoinedWords,
  isMixed,
  isNameOfWords,
  isOfWords,
  isScrambled,
  isUuid,
} from './judge.ts';

const STANDARD_WORDS = String.raw`your|my|the|insert|enter|replace|change|put|add|some|any|provide|paste|set|get|use|type|new|old|fake|dummy|mock|sample|placeholder|todo|tbd|fixme|none|null|undefined|nil|true|false|yes|no|optional|required|string|secret|redacted|hidden|masked|unset|empty|default`;

/** Words at the start of a text that ask for a secret or say that one was there. */
const FIRST_WORDS = String.raw`(.)\1+$|x+$|changeme$|test$|example$|(?:${STANDARD_WORDS})(?=$|[\s_.,:;|/'")\]}>-])`;

/** The same words anywhere, and masks of letters. */
const WORDS = String.raw`x{5}|redacted|[_-]here$`;

/** Variables, templates, expressions and masks, which have more than letters, digits and `_`; those at the start of a text. */
const FIRST_SIGNS = [
  String.raw`[<{[(]`,
  // A variable, with members or an index: a password may begin so, too.
  String.raw`\$(?:[({]|$|[A-Za-z_]\w*(?:(?:->|\.|::?)\w+|\[["']?\w+["']?\])*[;,)]*$|\d$)`,
  String.raw`%(?:[sd(]|\{)|@@?[a-z][\w.]*@?$|#[a-z_][\w-]*$`,
  String.raw`[x*.•#_-]+$`,
  String.raw`%[A-Za-z_]\w*%$`,
  String.raw`\w+\}$`,
  String.raw`[^]{0,11}(?:\.{3}|…)$`,
  String.raw`(?:process|import|os|env|secrets?|vars|config|settings|options|opts|props|this|self|args|params|req|request|ctx|context|data|user|input|body|app|var|local|module|github|inputs|steps|needs|vault|ssm|sm|op)\.[a-z_]`,
].join('|');

/** Those anywhere. */
const SIGNS = String.raw`[$#]\{|\{\{|<(?!private)[a-z_ -]+>$|\$\(|%s|\*{3}|•{3}|(?:\.{3}|…)(?!$)`;

const FIRST_OF_WORD = new RegExp(`^(?:${FIRST_WORDS})`, 'i');
const WORD = new RegExp(WORDS, 'i');
const OWNERS = 'your|my|example|sample|dummy|placeholder|change[_-]?me';
/** Most texts have nothing of these. */
const MAY_BE_WORD = new RegExp(`${WORDS}|${OWNERS}`, 'i');
const FIRST = new RegExp(`^(?:${FIRST_WORDS}|${FIRST_SIGNS})`, 'i');
const SIGN = new RegExp(`${SIGNS}|${WORDS}`, 'i');
const MAY_BE_SIGN = new RegExp(`${SIGNS}|${WORDS}|${OWNERS}`, 'i');

/** The value that a text asks for: `your_api_key`. A pattern for both and the words between them takes exponential time. */
const OWNER = new RegExp(OWNERS, 'gi');
const OWNED = /(?:key|token|secret|password|value|here|me)/iy;

const JUDGED = 100;

/**
 * Checks whether a text is not a secret, but says where one belongs or comes from: variables, templates, masks,
 * marks of a redaction, and words that ask for one.
 *
 * @param isWord - True if it has letters, digits and `_` only.
 */
export function isPlaceholder(text: string, isWord = false): boolean {
  const judged = text.length > JUDGED ? text.slice(0, JUDGED) : text;
  if ((isWord ? FIRST_OF_WORD : FIRST).test(judged)) return true;
  if (!(isWord ? MAY_BE_WORD : MAY_BE_SIGN).test(judged)) return false;
  return (isWord ? WORD : SIGN).test(judged) || isOwned(judged);
}

/** Checks for a word such as `your`, any words joined by `_` or `-`, and a word such as `key`. */
function isOwned(text: string): boolean {
  OWNER.lastIndex = 0;
  let scanned = 0;
  for (let match = OWNER.exec(text); match; match = OWNER.exec(text)) {
    const end = match.index + match[0].length;
    OWNER.lastIndex = match.index + 1;
    const joint = codeAt(text, end);
    if (isOwnedAt(text, end) || (isJoint(joint) && isOwnedAt(text, end + 1))) return true;
    // The words after an earlier one are the same.
    if (end < scanned) continue;
    const first = joint === DASH ? end + 1 : end;
    let at = first;
    for (; isInWords(text, at); at++) {
      // A joint follows a word.
      const isAfterWord = at > first && codeAt(text, at - 1) !== DASH;
      if (isAfterWord && isJoint(codeAt(text, at)) && isOwnedAt(text, at + 1)) return true;
    }
    scanned = at;
  }
  return false;
}

/** Checks for a letter, a digit, `_`, or a `-` that follows none. */
function isInWords(text: string, at: number): boolean {
  const code = codeAt(text, at);
  if (code === DASH) return codeAt(text, at - 1) !== DASH;
  return code < 128 && WORD_CHARACTERS[code] === 1;
}

const WORD_CHARACTERS = Uint8Array.from({ length: 128 }, (_, code) =>
  /\w/.test(String.fromCharCode(code)) ? 1 : 0,
);

function isOwnedAt(text: string, at: number): boolean {
  OWNED.lastIndex = at;
  return OWNED.test(text);
}

/** Checks for `_` and `-`. */
function isJoint(code: number): boolean {
  return code === UNDERSCORE || code === DASH;
}

const DASH = 45;
const UNDERSCORE = 95;

/** Checks whether a text is neither a plain word nor a placeholder. */
export function isValue(text: string): boolean {
  return (
    (hasDigit(text) || /[^\w.,:/-]/.test(text)) && !isPlaceholder(text) && !/[(){}[\]]/.test(text)
  );
}

/** Checks whether a text is not a word of a sentence, no name of a file, and no number. */
export function isStrongValue(text: string): boolean {
  if (!isValue(text) || !/[a-z]/i.test(text)) return false;
  return (
    isMixed(text) ||
    (/\d/.test(text) && /[!@#$%^&*+~?]/.test(text)) ||
    /^[\da-f-]{20,}$/i.test(text)
  );
}

/** Mail addresses, addresses and paths: `a@b.example`, `https://...`, `C:\\a`. */
const REFERENCE =
  /^[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){0,5}\.[a-z]{2,24}$|:\/\/|^(?:[a-z]:[\\/]|[./~])/i;

/** Checks whether a text says where something is. */
export function isReference(text: string): boolean {
  return REFERENCE.test(text);
}

/** Checks for a strong value that no word, name or address looks like: a sign within it, or no words. */
export function looksRandom(text: string): boolean {
  if (!isStrongValue(text) || isUuid(text) || isReference(text)) return false;
  if (/[!#$%^&*?]\w/.test(text) && !isNameOfWords(text)) return true;
  if (isOfWords(text) || isJoinedWords(text)) return false;
  return isScrambled(text) || /[!#$%^&*?]/.test(text);
}

/** Checks for the ports of a container: `1433:1433`. */
export function isPorts(text: string): boolean {
  return /^(?:\d{1,3}(?:\.\d{1,3}){3}:)?\d{1,5}:\d{1,5}(?:\/\w{3,4})?$/.test(text);
}
