import { hasDigit, isMixed } from './judge.ts';

const STANDARD_WORDS = String.raw`your|my|the|insert|enter|replace|change|put|add|some|any|provide|paste|set|get|use|type|new|old|fake|dummy|mock|sample|placeholder|todo|tbd|fixme|none|null|undefined|nil|true|false|yes|no|optional|required|string|secret|redacted|hidden|masked|unset|empty|default`;

/** Words that ask for a secret or say that one was there, and masks of letters. */
const WORDS = [
  String.raw`^(?:(.)\1+$|x+$|changeme$|test$|example$|(?:${STANDARD_WORDS})(?=$|[\s_.,:;|/'")\]}>-]))`,
  String.raw`x{5,}`,
  String.raw`redacted`,
  String.raw`(?:your|my|example|sample|dummy|placeholder|changeme|change-me|change_me)[_-]?(?:\w+[_-])*(?:key|token|secret|password|value|here|me)`,
  String.raw`[_-]here$`,
];

/** Variables, templates, expressions and masks, which have more than letters, digits and `_`. */
const STRANGE = [
  String.raw`^[<{[(]`,
  // A variable, with members or an index: a password may begin so, too.
  String.raw`^\$(?:[({]|$|[A-Za-z_]\w*(?:(?:->|\.|::?)\w+|\[["']?\w+["']?\])*[;,)]*$|\d$)`,
  String.raw`^%(?:[sd(]|\{)|^@@?[a-z][\w.]*@?$|^#[a-z_][\w-]*$`,
  String.raw`^[x*.•#_-]+$`,
  String.raw`[$#]\{|\{\{|<(?!private)[a-z_ -]+>$|\$\(|%s|^%[A-Za-z_]\w*%$`,
  String.raw`^\w+\}$`,
  String.raw`\*{3}|•{3}|(?:\.{3}|…)(?!$)|^[^]{0,11}(?:\.{3}|…)$`,
  String.raw`^(?:process|import|os|env|secrets?|vars|config|settings|options|opts|props|this|self|args|params|req|request|ctx|context|data|user|input|body|app|var|local|module|github|inputs|steps|needs|vault|ssm|sm|op)\.[a-z_]`,
];

const WORD_STAND_IN = new RegExp(WORDS.join('|'), 'i');
const STAND_IN = new RegExp([...STRANGE, ...WORDS].join('|'), 'i');

const JUDGED = 100;

/**
 * Checks whether a text is not a secret, but says where one belongs or comes from: variables, templates, masks,
 * marks of a redaction, and words that ask for one.
 *
 * @param isWord - True if it has letters, digits and `_` only.
 */
export function isPlaceholder(text: string, isWord = false): boolean {
  const judged = text.length > JUDGED ? text.slice(0, JUDGED) : text;
  return (isWord ? WORD_STAND_IN : STAND_IN).test(judged);
}

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

/** Checks for the ports of a container: `1433:1433`. */
export function isPorts(text: string): boolean {
  return /^(?:\d{1,3}(?:\.\d{1,3}){3}:)?\d{1,5}:\d{1,5}(?:\/\w{3,4})?$/.test(text);
}
