import type { RedactionRule } from '../redaction-rule.ts';
import {
  assignedName,
  isInNamespace,
  isLineEnd,
  isLineStart,
  NOT_SECRET,
} from './assigned-name.ts';
import { isUuid } from './judge.ts';
import { isPlaceholder } from './placeholder.ts';
import { traitsOf, type Traits } from './traits.ts';

/** Words of names that hold passwords: their values may be any text. */
const PASSWORDS = 'password|passwd|passphrase|passcode|pwd|pass';
/** Words of names that hold keys: their values look random. */
const KEYS =
  'secret|token|api[_.-]?key|access[_.-]?key|auth[_.-]?key|private[_.-]?key|secret[_.-]?key|signing[_.-]?key|' +
  'encryption[_.-]?key|master[_.-]?key|account[_.-]?key|subscription[_.-]?key|service[_.-]?key|anon[_.-]?key|' +
  'application[_.-]?key|license[_.-]?key|shared[_.-]?key|credentials?|[_.-]key|_pat|_auth|_dsn';
/** What may follow the word in a name: `PASSWORD_PROD`, `token2`. */
const SUFFIX = String.raw`(?:[_.-]?(?:base64|base|b64|value|prod|production|dev|development|staging|test|live|key|v?\d{1,3}))?`;
/** How a name ends: quotes, brackets, a type. */
const NAME_END = String.raw`["'\`\])]{0,3}(?:\s{0,2}:?\s{0,2}(?:string|str|String|&str|&'static str|char\*)\s{0,2}(?==))?`;
/** From the name to the value: operators of languages, of lists of names and values, and of XML. */
const OPERATOR = String.raw`(?<operator>\s{0,8}(?:=>|:=|\?=|\|\||=(?!=)|:(?!:)|,(?=\s?["'\`])|["',\s>+→\d|{-]{0,16}\b(?:value|default)["']?\s{0,4}[=:])\s{0,8}|>|<\/key>\s{0,8}<string>)`;
const VALUE = [
  String.raw`[bfru@]{0,2}"(?<double>[^"\s]{4,500})(?:"|$)`,
  String.raw`[bfru@]{0,2}'(?<single>[^'\s]{4,500})(?:'|$)`,
  '`(?<back>[^`\\s]{4,500})(?:`|$)',
  // Of ASCII: a sentence in Japanese goes on without a space.
  String.raw`(?<bare>(?:[!#-%(-;=?-_a-~]|&(?![\w.-]{1,40}=)){4,500})`,
].join('|');

/** Values that a name says are secret: in code, `.env`, YAML, JSON, XML, headers and addresses. */
export const assignmentRule: RedactionRule = {
  name: 'assignment',
  what: 'Values that their names say are secret',
  keywords: (
    `${PASSWORDS}|secret|token|credential|_key|-key|.key|_pat|_auth|_dsn|apikey|accesskey|authkey|` +
    'privatekey|signingkey|encryptionkey|masterkey|accountkey|subscriptionkey|servicekey|anonkey|' +
    'sharedkey|applicationkey|licensekey'
  ).split('|'),
  pattern: new RegExp(
    `(?:(?<password>${PASSWORDS})|${KEYS})${SUFFIX}(?![A-Za-z0-9_-])${NAME_END}${OPERATOR}(?:${VALUE})`,
    'iy',
  ),
  isAssigned: true,
  accepts: isSecretValue,
};

/** The groups of the pattern, by number: a name takes longer to look up. */
const [PASSWORD, OPERATOR_GROUP, DOUBLE, SINGLE, BACK, BARE] = [1, 2, 3, 4, 5, 6] as const;

/** A value, and what stands around it. */
interface Assigned {
  readonly value: string;
  readonly traits: Traits;
  readonly operator: string;
  readonly match: RegExpExecArray;
}

function isSecretValue(match: RegExpExecArray): boolean {
  const password = match[PASSWORD];
  const operator = match[OPERATOR_GROUP] ?? '';
  const bare = match[BARE];
  const quoted = match[DOUBLE] ?? match[SINGLE] ?? match[BACK];
  const isPassword = password !== undefined;
  const value = quoted ?? withoutEnd(bare ?? '');
  const traits = traitsOf(value);
  if (!traits.isAscii || traits.length < 4) return false;
  const assigned = { value, traits, operator, match };
  const isSecret =
    quoted === undefined
      ? isBareSecret(assigned, isPassword)
      : isPassword
        ? isQuotedPassword(assigned)
        : isRandomKey(value, traits) && /^[\w+/=.~:$!@#%^&*-]+$/.test(value);
  if (!isSecret || isPlaceholder(value, traits.isWord) || (!traits.isWord && isPath(value)))
    return false;
  const name = assignedName(match);
  // The names of types of resources: `"AWS::IAM::AccessKey": "72c2..."`.
  if (NOT_SECRET.test(name) || isInNamespace(match)) return false;
  return password?.length !== 4 || /(?:^|[^a-z])pass$|[a-z]Pass$/i.test(name);
}

/** What ends a statement, a call or a list is no part of a value without quotes. */
function withoutEnd(bare: string): string {
  let end = bare.length;
  while (end > 0 && ',;)]}'.includes(bare.charAt(end - 1))) end--;
  return end === bare.length ? bare : bare.slice(0, end);
}

/** Words of labels, messages and names of types: such a text is no password. */
const WORDS =
  /pass|secret|token|key|word|user|name|type|field|input|valid|require|incorrect|forgot|confirm|current|new-|old|hash|text|null|string|option|mismatch|login|error|missing|empty|auth|label|hint|reset|change|show|hide|enter|weak|strong|example|value|number|object|email|hidden|bearer|basic|oauth|saml|bcrypt|sha\d|md5|base64|utf/i;

function isQuotedPassword({ value, traits, match }: Assigned): boolean {
  const { length, digits, lowers, uppers, others } = traits;
  const letters = lowers + uppers;
  if (length < 5) return false;
  if (letters === 0) return digits >= 6;
  if (digits > 0) return !(traits.isName && digits < 2 && WORDS.test(value));
  if (!traits.isName) return others > 0 && !WORDS.test(value) && !isCode(value);
  // A word alone is a password only where it is assigned, not in a list of names.
  const isPass = /^pass$|^pwd$/i.test(match[PASSWORD] ?? '');
  const isWord = length >= 8 && /^[a-z]+(?:[._-][a-z]+)*$/.test(value) && match[BACK] === undefined;
  return isWord && !isPass && !WORDS.test(value) && !/[,([]\s{0,2}$/.test(before(match, 3));
}

/** Without quotes a value can be code: it must stand where `.env`, YAML, a header or an address has it. */
function isBareSecret(assigned: Assigned, isPassword: boolean): boolean {
  const { value, traits, operator, match } = assigned;
  const { digits, others, lowers, uppers, length } = traits;
  const second = match.input.charCodeAt(match.index + 1);
  const isUpper = second >= 65 && second <= 90;
  const isTight = operator === '=' || operator === '=>' || operator === ':=';
  const end = match.index + match[0].length;
  const next = match.input.charAt(end);
  const hasBoth = lowers + uppers > 0 && digits + others > 0;
  if (digits === 0 && others === 0 && !isUpper) {
    return isPassword && isInProperties(match) && isPlainWord(value) && isLine(assigned, end);
  }
  if (!traits.isWord && isCode(value)) return false;
  if (isPassword && isStrong(value, traits)) return true;
  if (operator === '>') return next === '<' && (isPassword ? hasBoth : isRandomKey(value, traits));
  if (lowers + uppers === 0) return isUpper && isPassword && digits >= 6;
  if (isUpper && isTight && /^[A-Z][A-Z\d_.-]*$/.test(assignedName(match))) {
    if (traits.isName && lowers === 0 && digits === 0) return false;
    if (isPassword) return true;
    return isRandomKey(value, traits) || (length >= 6 && hasBoth && isLineStart(match));
  }
  if (isPassword) {
    if (isTight && '?&;'.includes(match.input.charAt(match.index - 1) || ' ')) return true;
    if (isTight && hasBoth && (!traits.isName || digits >= 2) && value === match[BARE]) return true;
    if (!hasBoth || value !== match[BARE]) return false;
    if (isTight && isInProperties(match) && !WORDS.test(value)) return true;
    return length >= 6 && isLine(assigned, end);
  }
  if (isRandomKey(value, traits)) {
    return (
      (length >= 16 && /^[\w+/=.~:-]+$/.test(value)) ||
      (isTight && /[?&;]/.test(before(match, 40))) ||
      isLine(assigned, end)
    );
  }
  return isUpper && length >= 8 && hasBoth && value === match[BARE] && isLine(assigned, end);
}

/** Checks whether an assignment is all of its line. */
function isLine({ operator, match }: Assigned, end: number): boolean {
  return isLineEnd(match.input, end) && (operator.includes('value') || isLineStart(match));
}

/** A name with dots, as in properties of Java: `spring.datasource.password`. */
function isInProperties(match: RegExpExecArray): boolean {
  return (
    match.input.charCodeAt(match.index - 1) === 46 &&
    /^[a-z][\w-]*(?:\.[\w-]+)+$/.test(assignedName(match))
  );
}

function isPlainWord(value: string): boolean {
  return /^[a-z]{6,40}$/.test(value) && !WORDS.test(value);
}

/** A password that no name of a program looks like, so that it may stand anywhere. */
function isStrong(value: string, { length, digits, lowers, uppers, distinct }: Traits): boolean {
  return (
    length >= 8 &&
    digits > 0 &&
    lowers > 0 &&
    uppers > 0 &&
    distinct >= 6 &&
    !/^[A-Za-z]?[a-z]+(?:[A-Z][a-z]*)*\d{0,2}$/.test(value) &&
    !/[.(){}[\]/]/.test(value) &&
    !WORDS.test(value)
  );
}

function before({ input, index }: RegExpExecArray, length: number): string {
  return input.slice(Math.max(0, index - length), index);
}

/** A key looks random: it has letters and several digits, and is not a name with a number. */
function isRandomKey(value: string, traits: Traits): boolean {
  const { length, digits, lowers, uppers, isHex, distinct } = traits;
  if (length < 8) return false;
  if (lowers + uppers === 0) return digits === length && length >= 12;
  if (digits === 0) {
    return (
      length >= 20 &&
      lowers > 0 &&
      uppers > 0 &&
      /^[A-Za-z+/=]+$/.test(value) &&
      !isCamelCase(value)
    );
  }
  // Fewer kinds of characters than this are a pattern, not a key.
  if (distinct < 6) return false;
  if (isHex) return length >= 16 || digits >= 4;
  if (isUuid(value)) return true;
  if (digits < 4 && length < 24 && WORDS.test(value)) return false;
  return (
    digits >= 3 ||
    (digits >= 2 && length >= 12) ||
    (length >= 16 && uppers > 0 && lowers > 0 && !/[a-z]{8}/.test(value))
  );
}

/** Words that are written as one: `terminateInstancesOnSuccess`. */
function isCamelCase(value: string): boolean {
  return /^[A-Z]?[a-z]+(?:[A-Z][a-z]+)+$/.test(value) || WORDS.test(value);
}

/** Paths, addresses without a password, digests and references to secrets that are elsewhere. */
function isPath(value: string): boolean {
  return /^(?:\.{1,2}\/|\/[\w.@-]*[a-z][\w.@-]*(?:\/|$)|~\/|[A-Za-z]:\\|(?:https?|file|data|wss?|ftp|s3|gs|arn|urn|secretsmanager|op|vault|env|ref\+\w+):|sha(?:1|256|384|512)-|@[\w-]+\/|[\w-]+\/[\w-]+\.\w{2,4}$)/i.test(
    value,
  );
}

/** Expressions of a language: calls, members, generics, templates. */
function isCode(value: string): boolean {
  return /^[A-Za-z_$][\w$]*(?:\.|->|::|\?\.)[A-Za-z_$]|\w\(|^[A-Za-z_$][\w$]*\[|=>|^[!&*(]+[A-Za-z_]|\|\||&&|\)$|[;{}]$/.test(
    value,
  );
}
