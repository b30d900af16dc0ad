import type { RedactionRule } from '../redaction-rule.ts';
import { classAt, keywordsOf } from './keywords-of.ts';
import { hasDigit, isVaried } from './judge.ts';

/** The form of a UUID, also where an issuer takes letters that no UUID has. */
export const UUID = '[a-z0-9]{8}-[a-z0-9]{4}-[a-z0-9]{4}-[a-z0-9]{4}-[a-z0-9]{12}';

/** Bits a character below which a token is a placeholder such as `xxxxxxxx`. */
const LEAST_ENTROPY = 2.5;

const MIN_LENGTH = 16;

/** Describes how a token of a form of its own is judged. */
export interface ShapeOptions {
  /** Default: the literal texts that the pattern begins with. */
  readonly keywords?: readonly string[] | undefined;
  /** Default: 2.5 bits. */
  readonly entropy?: number | undefined;
  /** Default: 16, and 0 for a pattern with groups, which need not begin at the keyword. */
  readonly minLength?: number | undefined;
  /** Judges the secret. Default: it has a digit, or letters of both cases. */
  readonly is?: ((secret: string) => boolean) | undefined;
}

// Keywords are read from a pattern when the first text is redacted, not by all who import this package.

/**
 * Creates the rule of a token that begins with a literal, or has one after a lookbehind.
 * Nothing is required before it: in JSON a token follows the letter of `\n`, in a colored text that of the code.
 * Short literals that Base64 has by chance say `(?<![A-Za-z0-9/]\+?)`, which holds where the escapes are decoded.
 */
export function shape(
  name: string,
  what: string,
  pattern: RegExp,
  options: ShapeOptions = {},
): RedactionRule {
  const { entropy = LEAST_ENTROPY, is = isVaried } = options;
  let { keywords } = options;
  const { minLength = /\(\?<(?!!)/.test(pattern.source) ? 0 : MIN_LENGTH } = options;
  return {
    name,
    what,
    get keywords() {
      return (keywords ??= keywordsOf(pattern));
    },
    pattern: new RegExp(pattern, pattern.flags.includes('i') ? 'iy' : 'y'),
    minLength,
    entropy,
    is,
  };
}

/**
 * Creates the rule of a value without a form of its own: a name with the word of its issuer, an
 * operator, and a value of the issuer's form.
 *
 * @param word - A source of an expression that begins with a literal.
 * @param value - A source of an expression; what follows the value must not continue it.
 */
export function named(
  name: string,
  what: string,
  word: string,
  value: string,
  options: ShapeOptions = {},
): RedactionRule {
  const { entropy = LEAST_ENTROPY, is = hasDigit } = options;
  let { keywords } = options;
  let minValue: number | undefined;
  const source = `${word}${NAME_END}${OPERATOR}(?<secret>${value})(?![\\w+/=-])`;
  return {
    name,
    what,
    get keywords() {
      return (keywords ??= keywordsOf(new RegExp(word)));
    },
    pattern: new RegExp(source, 'iy'),
    isAssigned: true,
    get minValue() {
      return (minValue ??= leastOf(value));
    },
    entropy,
    is,
  };
}

/** How many characters a value has at least, if it is of one class of letters, digits and `+/=_-`. */
function leastOf(value: string): number {
  if (value === UUID) return UUID_LENGTH;
  const { table, count } = classAt(value, 'i') ?? { table: [], count: 0 };
  const isToken = table.every((is, code) => is === 0 || /[\w+/=-]/.test(String.fromCharCode(code)));
  return isToken ? count : 0;
}

const UUID_LENGTH = 36;

/** The rest of a name, in quotes or brackets or not: `_API_KEY"]`. */
const NAME_END = String.raw`[\w .-]{0,32}["'\`\])]{0,3}`;
/** The operators between a name and its value, as in `=`, `":`, `=>`, `:=`, `>` of XML, and `", "`. */
const OPERATOR = String.raw`\s{0,8}(?:=>|:=|[:=,>]|\|\|)\s{0,8}(?:Bearer\s|Token\s)?["'\`]?`;
