import { codeAt } from '../code-at.ts';
import { heldTexts, type Offsets, type RedactionRule } from '../redaction-rule.ts';
import {
  assignedName,
  isInNamespace,
  isLineEnd,
  isLineStart,
  isNamePart,
  isNameStart,
  isPublicName,
  LONGEST_VALUE,
} from './assigned-name.ts';
import { endOfDjangoKey, isDjangoKey } from './django-key.ts';
import { isNameOfParts, isUuid } from './judge.ts';
import { isPlaceholder } from './placeholder.ts';
import { skimAssignment } from './skim.ts';
import { type Traits, traitsOfPart } from './traits.ts';

/** Words of names that hold passwords: their values may be any text. */
const PASSWORDS = 'password|passwd|passphrase|passcode|pwd|pass';
/** Words of names that hold keys: their values look random. */
const KEYS =
  'secret|token|api[_. -]?key|access[_. -]?key|auth[_. -]?key|private[_. -]?key|secret[_. -]?key|' +
  'signing[_. -]?key|encryption[_. -]?key|master[_. -]?key|account[_. -]?key|subscription[_. -]?key|' +
  'service[_. -]?key|anon[_. -]?key|application[_. -]?key|license[_. -]?key|shared[_. -]?key|' +
  'credentials?|access|private|(?<=[_. -]|[a-z])key|_pat|_auth|_dsn';
/** Suffixes of the word in a name: `PASSWORD_PROD`, `token2`, `API_KEYS`. */
const SUFFIX = String.raw`s?(?:[_. -]?(?:base64|base|b64|value|prod|production|dev|development|staging|test|live|key|v?\d{1,3})){0,2}`;
/** Types between a name and its value: `password: str = `, `String? token = `. */
const TYPE = String.raw`\s{0,2}:?\s{0,2}(?:string|str|&str|&'static str|char\*|final|Secret(?:Str|String)?|Option(?:al)?[[<][\w:]{2,20}[\]>]|any|object)\??\s{0,2}(?==(?!=))`;
/** The end of a name: quotes, brackets, emphasis, a type, accessors of C#. */
const NAME_END = String.raw`["'\`\])*]{0,4}(?:${TYPE}|\s?\{\s?get;[ \w;]{0,24}\}(?=\s?=))?`;
/** A field of an object or a block that a value follows: `value: x`, `type = string default = x`. */
const FIELD = String.raw`["',\s>+→\d|{-]{0,24}(?:\b(?:type|sensitive|description|enabled|path|domain|https?only|secure|samesite|expires|protected|masked|hidden|scope|environment_scope)["']?\s{0,12}[=:]\s{0,4}["']?[\w ().*/-]{1,40}["']?[,\s"]{1,12}){0,5}\b(?:parameter_?value|val(?:ue)?|default)["']?\s{0,12}[=:]`;
/** The same in an object or a block of its own: `TOKEN: { value: x`. */
const NESTED = String.raw`[=:]\s{0,3}[{\n]${FIELD}`;
/** Tags around a name or before a value: `</key><string>`, `=<span class="s">`, `><![CDATA[`. */
const TAG = String.raw`<(?:\/?[A-Za-z][\w:-]{0,16}(?:\s[^<>\n]{0,60})?>|!\[CDATA\[)`;
/** A tag of YAML's own types and an anchor before a value: `!!str`, `&name`. Most others refer to one: `!secret name`. */
const PROPERTY = String.raw`(?:(?:!!(?:python/)?[a-z]{1,20}|!(?:unsafe|Sub)(?= {1,4}["'])|&[A-Za-z_][\w-]{0,40}) {1,4}(?=[^\s#])){0,2}`;
/** The start of a block of YAML or a document of HCL: `key: |`, `key: !!str >-`, `key = <<EOF`. */
const BLOCK = String.raw`(?::\s?${PROPERTY}[|>][+-]?\d?\s{0,2}\n|=\s?<<[-~]?["'\\]?[A-Za-z_]{1,20}["']?\s{0,2}\n)`;
/** The start of a list whose first element is a value: `["`, a line with a dash. */
const LIST = String.raw`[[(]\s{0,12}(?=["'\`])|(?<=\n[ \t]{0,12})- {1,3}(?![ -])`;
/** From the name to the value: operators of languages, of sentences, of lists of names and values, and of XML. */
const OPERATOR =
  String.raw`(?:\s{0,8}(?:${NESTED}|=>|:{1,3}=|\?=|[.+]=(?!=)|<-|\{(?=\s?["'])|\?\?=|\|\||\?\?|or(?=\s["'])|${BLOCK}|=(?!=)|:(?!:)(?: {1,4}${PROPERTY})?|[：＝はがをに是为為는은]|${FIELD}|,(?=\s?["'\`]|[!-+.-~-]{8})|\t\s{0,8}|\|)` +
  String.raw`[\s*]{0,24}(?:${LIST}|(?:${TAG}\s{0,4}){0,2})|>(?:\s{0,2}\n[ \t]{0,24})?(?:${TAG})?|<\/[\w:-]{1,16}>\s{0,12}(?:${TAG}\s{0,8}){1,3})`;
/** Calls that make a value of a text: `String::from("`, `new String("`, `std::string("`, `SecretString::new("`. */
const MAKER = String.raw`(?:(?:new |&|\[\]|\[[\w.]{1,40}\]::)?(?:[A-Za-z_]\w{0,24}(?:::|\.)){0,3}(?:String|string|str|bytes?|Some|Just|Secret(?:Str|String|Value)?|SecureString|Password|Token|Ptr|To|from|new|valueOf|fromString|GetBytes|unsafePlainText|plainText|b64decode|atob|unescape)\(\s{0,4}){1,2}(?=[bfrun@]{0,2}["'\`])`;
/** The start of a text of several lines: `"""`, `@"` of PowerShell, a template of JavaScript. */
const LONG_QUOTE = String.raw`(?:"{3}|'{3}|(?<=@)["'](?=\s{0,2}\n)|\`(?=\s{0,2}\n))\\?(?:\s{0,2}\n[ \t]{0,12})?`;
/** The start of a value in quotes, in any language; CSV doubles them. */
const QUOTE = String.raw`(?:[bfrun@]{0,2}(?:${LONG_QUOTE}|""(?=[\w$!@/-])|["'\`]))?`;

/** Words of {@link ASSIGNED_NAME}. */
const ASSIGNED_KEYWORDS: readonly string[] = (
  `${PASSWORDS}|secret|token|credential|access|private|key|_pat|_auth|_dsn|apikey|accesskey|authkey|` +
  'privatekey|signingkey|encryptionkey|masterkey|accountkey|subscriptionkey|servicekey|anonkey|' +
  'sharedkey|applicationkey|licensekey'
).split('|');

/** The end of a name that says that its value is secret, and all up to the value. */
const ASSIGNED_NAME: RegExp = new RegExp(
  `(?:${PASSWORDS}|${KEYS})${SUFFIX}(?![A-Za-z0-9_-])${NAME_END}${OPERATOR}(?:${MAKER})?${QUOTE}`,
  'iy',
);

/** Values that a name says are secret: in code, `.env`, YAML, JSON, XML, headers and addresses. */
export const assignmentRule: RedactionRule = {
  name: 'assignment',
  what: 'Values that their names say are secret',
  keywords: ASSIGNED_KEYWORDS,
  pattern: ASSIGNED_NAME,
  isAssigned: true,
  skim: skimAssignment,
  secretAfter: secretValue,
};

/** A value, and the text around it. */
interface Assigned {
  readonly text: string;
  /** Where its name says that it is secret. */
  readonly keyword: number;
  readonly isPassword: boolean;
  readonly start: number;
  /** The end of all that might be the value. */
  readonly end: number;
  readonly value: string;
  readonly traits: Traits;
}

/** A value, whatever its name. */
type Value = Pick<Assigned, 'end' | 'traits'>;

/** The text that was read last, as several words of a name have the same value. */
let readText = '';
let readAt = -1;
let read: readonly Value[] = [];

/** Returns what may be the value at a place, the longest one first. */
function valuesAt(text: string, start: number): readonly Value[] {
  if (start !== readAt || text !== readText) {
    if (readText === '') heldTexts.add(forget);
    readText = text;
    readAt = start;
    read = readValues(text, start);
  }
  return read;
}

function forget(): void {
  readText = '';
  readAt = -1;
  read = [];
}

function readValues(text: string, start: number): readonly Value[] {
  const quote = codeAt(text, start - 1);
  const isQuoted = quote === DOUBLE || quote === SINGLE || quote === BACK;
  let end = isQuoted ? endOfQuoted(text, start, quote) : endOfBare(text, start);
  if (!isQuoted && codeAt(text, end) === AMPERSAND)
    end = Math.max(end, endOfDjangoKey(text, start));
  const value = readValue(text, start, end, isQuoted);
  const doubled = quote === SINGLE && end > start ? endOfDoubled(text, start, end) : -1;
  const longer = doubled < 0 ? undefined : readValue(text, start, doubled, isQuoted);
  if (longer) return value ? [longer, value] : [longer];
  return value ? [value] : [];
}

function readValue(text: string, start: number, end: number, isQuoted: boolean): Value | undefined {
  if (end - start < 4) return undefined;
  const traits = traitsOfPart(text, start, isQuoted ? end : withoutEnd(text, start, end));
  return traits.isAscii && traits.length >= 4 ? { end, traits } : undefined;
}

function secretValue(text: string, keyword: number, start: number): Offsets | undefined {
  for (const value of valuesAt(text, start)) {
    const secret = secretOf(text, keyword, start, value);
    if (secret) return secret;
  }
  return undefined;
}

function secretOf(
  text: string,
  keyword: number,
  start: number,
  { end, traits }: Value,
): Offsets | undefined {
  const quote = codeAt(text, start - 1);
  const isQuoted = quote === DOUBLE || quote === SINGLE || quote === BACK;
  const isPassword = isPasswordWord(text, keyword);
  // Such a key is a word.
  if (!isQuoted && !isPassword && traits.digits === 0 && traits.length < 20) return undefined;
  const value = text.slice(start, start + traits.length);
  const assigned = { text, keyword, isPassword, start, end, value, traits };
  if (isDjangoKey(text, start, end)) return [start, end];
  const isSecret = isQuoted
    ? isPassword
      ? isQuotedPassword(assigned, quote)
      : isRandomKey(value, traits) && (isKeyOfCharacters(value) || isLongKey(value, traits))
    : isBareSecret(assigned);
  if (!isSecret || isStandIn(value, traits) || (!traits.isWord && isPath(value))) return undefined;
  // The word alone: most names of passwords.
  if (isPassword && !isPass(text, keyword) && isNameStart(text, keyword)) return [start, end];
  const name = assignedName(text, keyword, start);
  // The names of types of resources: `"AWS::IAM::AccessKey": "72c2..."`.
  if (isPublicName(name) || isInNamespace(text, keyword)) return undefined;
  if (!isPassword && (isNameOfParts(value) || /(?:token|key|secret)s$/i.test(value)))
    return undefined;
  if (!isPassword && /(?:public|gpg|pgp|host) $/i.test(before(text, keyword, 8))) return undefined;
  if (isPassword && isPass(text, keyword) && !/(?:^|[^a-z])pass$|[a-z]Pass$/i.test(name))
    return undefined;
  return [start, end];
}

function isKeyOfCharacters(value: string): boolean {
  return /^[\w+/=.~:$!@#%^&*-]+$/.test(value);
}

/** Checks for a key of any characters: code in quotes has fewer signs, or white space. */
function isLongKey(value: string, { length, digits, lowers, others }: Traits): boolean {
  return length >= 40 && digits >= 3 && lowers >= 3 && others >= 8 && !isCode(value);
}

function isStandIn(value: string, { isWord, digits, lowers, uppers, distinct }: Traits): boolean {
  // All words that ask for a secret have more letters.
  if (isWord && digits > 1 && lowers + uppers < 5) return distinct === 1;
  return isPlaceholder(value, isWord);
}

const DOUBLE = 34;
const SINGLE = 39;
const BACK = 96;
const AMPERSAND = 38;
const COMMA = 44;
const BRACKET = 93;
const COLON = 58;
const EQUALS = 61;
const QUESTION = 63;

/** Returns the place of the quote after a value, or the end of the text; -1 if white space is before it. */
function endOfQuoted(text: string, start: number, quote: number): number {
  const limit = Math.min(text.length, start + LONGEST_VALUE);
  for (let at = start; at < limit; at++) {
    const code = codeAt(text, at);
    if (code === quote) return at;
    if (code <= 32 || code === 0x3000) return -1;
  }
  return limit === text.length ? limit : -1;
}

/** Returns the end of a value in which YAML and SQL double the quote at a place; -1 if the first of both closes it. */
function endOfDoubled(text: string, start: number, first: number): number {
  const limit = Math.min(text.length, start + LONGEST_VALUE);
  let at = first;
  while (at < limit && codeAt(text, at) === SINGLE && codeAt(text, at + 1) === SINGLE) {
    at += 2;
    const isPart = at < limit && BARE[codeAt(text, at)] === 1 && ENDS[codeAt(text, at)] !== 1;
    if (!isPart) return -1;
    at = endOfQuoted(text, at, SINGLE);
    if (at === text.length) return -1;
  }
  return at > first ? at : -1;
}

/** Returns the place after printable characters of ASCII that are not quotes and no brackets of HTML. */
function endOfBare(text: string, start: number): number {
  const limit = Math.min(text.length, start + LONGEST_VALUE);
  const isInList = codeAt(text, start - 1) === COMMA;
  let at = start;
  for (; at < limit; at++) {
    const code = codeAt(text, at);
    if (code >= 128 || BARE[code] !== 1) break;
    if ((code === AMPERSAND || code === COMMA) && isParameter(text, at + 1)) break;
    if (code === COMMA && isInList) break;
    // Changed words in the output of git.
    if (code === BRACKET && text.startsWith('-]{+', at - 1)) return at - 1;
  }
  return at;
}

const BARE = Uint8Array.from({ length: 128 }, (_, code) =>
  /[^"'`<>]/.test(String.fromCharCode(code)) && code > 32 && code < 127 ? 1 : 0,
);

const LONGEST_PARAMETER = 40;

/** Checks whether the next part of a query begins at a place: `b=`. */
function isParameter(text: string, start: number): boolean {
  let at = start;
  while (at < start + LONGEST_PARAMETER && isNamePart(codeAt(text, at))) at++;
  return at > start && codeAt(text, at) === EQUALS;
}

/** Checks whether the word of a name is one of {@link PASSWORDS}: no other begins with `pa` or `pw`. */
function isPasswordWord(text: string, keyword: number): boolean {
  const second = codeAt(text, keyword + 1) | 32;
  return (codeAt(text, keyword) | 32) === 112 && (second === 97 || second === 119);
}

/** Checks whether the word is `pass`, which is a part of many. */
function isPass(text: string, keyword: number): boolean {
  if ((codeAt(text, keyword + 1) | 32) !== 97) return false;
  // `passwd`, `password`, `passphrase`, `passcode`.
  const next = codeAt(text, keyword + 4) | 32;
  return next !== 119 && next !== 112 && next !== 99;
}

/** The end of a value without quotes: what ends a statement, a call or a list is not part of it. */
function withoutEnd(text: string, start: number, end: number): number {
  let at = end;
  while (at > start && ENDS[codeAt(text, at - 1)] === 1) at--;
  return at;
}

/** `,`, `;`, `)`, `]` and `}`. */
const ENDS = Uint8Array.from({ length: 128 }, (_, code) =>
  /[,;)\]}]/.test(String.fromCharCode(code)) ? 1 : 0,
);

/** Words of labels, messages and names of types: such a text is not a password. */
const WORDS =
  /pass|secret|token|key|word|user|name|type|field|input|valid|require|incorrect|forgot|confirm|current|new-|old|hash|text|null|string|option|mismatch|login|error|missing|empty|auth|label|hint|reset|change|show|hide|enter|weak|strong|example|value|number|object|email|hidden|bearer|basic|oauth|saml|bcrypt|sha\d|md5|base64|utf/i;

function isQuotedPassword({ text, keyword, value, traits }: Assigned, quote: number): boolean {
  const { length, digits, lowers, uppers, others } = traits;
  const letters = lowers + uppers;
  if (length < 5) return false;
  if (letters === 0) return digits >= 6;
  if (digits > 0) return !(traits.isName && digits < 2 && WORDS.test(value));
  if (!traits.isName) return others > 0 && !WORDS.test(value) && !isCode(value);
  // A word alone is a password only where it is assigned, not in a list of names.
  const isWord = length >= 8 && quote !== BACK && /^[a-z]+(?:[._-][a-z]+)*$/.test(value);
  if (!isWord || WORDS.test(value) || /[,([]\s{0,2}$/.test(before(text, keyword, 3))) return false;
  return !isPass(text, keyword) && (codeAt(text, keyword + 1) | 32) !== 119;
}

/** Without quotes a value can be code: it must be where `.env`, YAML, a header or an address has it. */
function isBareSecret(assigned: Assigned): boolean {
  const { text, keyword, isPassword, start, end, value, traits } = assigned;
  const { digits, others, lowers, uppers, length } = traits;
  const second = codeAt(text, keyword + 1);
  const isUpper = second >= 65 && second <= 90;
  if (isInCell(text, start)) return isCellSecret(assigned);
  const operator = codeAt(text, start - 1);
  const hasBoth = lowers + uppers > 0 && digits + others > 0;
  if (digits === 0 && others === 0 && !isUpper) {
    return (
      isPassword && isInProperties(text, keyword, start) && isPlainWord(value) && isLine(assigned)
    );
  }
  if (!traits.isWord && !isDotted(value, traits) && isCode(value)) return false;
  const isAll = length === end - start;
  if (isPassword && hasBoth && isAll && length >= 6 && operator !== GREATER && isLine(assigned))
    return true;
  if (isPassword && isStrong(value, traits)) return true;
  if (operator === GREATER && codeAt(text, start - 2) !== EQUALS) {
    return (
      codeAt(text, end) === LESS &&
      (isPassword ? hasBoth && !isLabel(assigned) : isRandomKey(value, traits))
    );
  }
  if (lowers + uppers === 0) return isUpper && isPassword && digits >= 6;
  const isTight = isTightAt(text, start, operator);
  if (isUpper && isTight && /^[A-Z][A-Z\d_.-]*$/.test(assignedName(text, keyword, start))) {
    if (traits.isName && lowers === 0 && digits === 0) return false;
    if (isPassword) return true;
    return isRandomKey(value, traits) || (length >= 6 && hasBoth && isLineStart(text, keyword));
  }
  if (isPassword) {
    if (isTight && isSeparator(codeAt(text, keyword - 1))) return true;
    if (isTight && hasBoth && isAll && (!traits.isName || digits >= 2 || isInFields(text, keyword)))
      return true;
    if (!hasBoth || !isAll || !isTight) return false;
    return isInProperties(text, keyword, start) && !WORDS.test(value);
  }
  if (isRandomKey(value, traits)) {
    return (
      (length >= 16 && /^[\w+/=.~:-]+$/.test(value)) ||
      (isTight && /[?&;]/.test(before(text, keyword, 40))) ||
      isLine(assigned)
    );
  }
  return isUpper && length >= 8 && hasBoth && isAll && isLine(assigned);
}

const SPACE = 32;
const LESS = 60;
const GREATER = 62;
const TAB = 9;
const BAR = 124;

/** Checks whether a value is in a table: after a bar, a tab, or the comma of a list of values. */
function isInCell(text: string, start: number): boolean {
  let at = start - 1;
  while (codeAt(text, at) === SPACE) at--;
  const code = codeAt(text, at);
  return code === BAR || code === TAB || (code === COMMA && at === start - 1);
}

/** In a table a value is all of its cell. Types are written with bars, too: `password | Sha256`. */
function isCellSecret({ text, keyword, isPassword, start, end, value, traits }: Assigned): boolean {
  const { length, digits, others, lowers, uppers } = traits;
  if (length !== end - start || !/^[ \t`*]{0,80}(?:[|\n\r,\t]|$)/.test(text.slice(end, end + 82)))
    return false;
  if (codeAt(text, start - 1) === COMMA && !isLineStart(text, keyword)) return false;
  if (!isPassword) return length >= 12 && isRandomKey(value, traits);
  return (
    isStrong(value, traits) ||
    (length >= 8 && lowers + uppers > 0 && digits + others > 1 && !WORDS.test(value))
  );
}

/** Checks whether a word about passwords is in another element than their name: `<b>Password</b><i>Password1</i>`. */
function isLabel({ text, keyword, start, value }: Assigned): boolean {
  return WORDS.test(value) && text.slice(keyword, start).includes('</');
}

/** Checks whether a field of a connection is before a name: `host=db user=app password=`. */
function isInFields(text: string, keyword: number): boolean {
  return /\b(?:user|username|user id|uid|host|server|dbname|database|port)=[^\s;,"'()]{1,40}[ ;]$/i.test(
    before(text, keyword, 56),
  );
}

/** Checks whether no space is around an operator: `=`, `=>`, `:=`, and those of Japanese. */
function isTightAt(text: string, start: number, last: number): boolean {
  const isWide = last === 0xff1a || last === 0xff1d;
  if (last !== EQUALS && last !== GREATER && !isWide) return false;
  let at = start - 2;
  if (last === GREATER || codeAt(text, at) === COLON) at--;
  const code = codeAt(text, at);
  return code > 32 && code !== QUESTION;
}

/** Checks for what is between the parameters of an address and the fields of a connection: `?`, `&` and `;`. */
function isSeparator(code: number): boolean {
  return code === QUESTION || code === AMPERSAND || code === 59;
}

/** Checks whether an assignment is all of its line. */
function isLine({ text, keyword, start, end }: Assigned): boolean {
  if (!isLineEnd(text, end)) return false;
  if (isLineStart(text, keyword)) return true;
  return /\W(?:value|default)["']?\s{0,4}[=:]\s{0,8}$/i.test(text.slice(keyword, start));
}

/** A name with dots, as in properties of Java: `spring.datasource.password`. */
function isInProperties(text: string, keyword: number, limit: number): boolean {
  return (
    codeAt(text, keyword - 1) === 46 &&
    /^D?[a-z][\w-]*(?:\.[\w-]+)+$/.test(assignedName(text, keyword, limit))
  );
}

function isPlainWord(value: string): boolean {
  return /^[a-z]{6,40}$/.test(value) && !WORDS.test(value);
}

/** A password that no name of a program looks like, so that it may be anywhere. */
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

function before(text: string, place: number, length: number): string {
  return text.slice(Math.max(0, place - length), place);
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

/** Paths, addresses without a password, digests, references to secrets that are elsewhere, and sealed ones. */
function isPath(value: string): boolean {
  return /^(?:\.{1,2}\/|\/[\w.@-]*[a-z][\w.@-]*(?:\/|$)|~\/|[A-Za-z]:\\|(?:https?|file|data|wss?|ftp|s3|gs|arn|urn|secretsmanager|op|vault|env|ref\+\w+):|sha(?:1|256|384|512)-|@[\w-]+\/|[a-z][\w+.-]{1,20}:\/\/[^\s@?#]*$|Ag[A-D][\w+/]{300}|[\w-]+\/[\w-]+\.\w{2,4}$)/i.test(
    value,
  );
}

/** Checks whether a value with dots is a key of parts, and no members of objects. */
function isDotted(value: string, { length, digits, lowers, uppers }: Traits): boolean {
  return (
    length >= 24 &&
    digits >= 4 &&
    lowers > 2 &&
    (uppers > 2 || digits >= 6) &&
    /^[\w.=-]+$/.test(value) &&
    !/[a-z]{8}/.test(value)
  );
}

/** Expressions of a language: calls, members, generics, templates. */
function isCode(value: string): boolean {
  return hasSignOfCode(value) && CODE.test(value);
}

const CODE =
  /^[A-Za-z_$][\w$]*(?:\.|->|::|\?\.)[A-Za-z_$]|\w\(|^[A-Za-z_$][\w$]*\[|=>|^[!&*(]+[A-Za-z_][\w.]*[()]*$|\|\||&&|\)$|[;{}]$/;

/** Most values have none of the signs that all expressions have. */
function hasSignOfCode(value: string): boolean {
  for (let at = 0; at < value.length; at++)
    if (SIGNS_OF_CODE[value.charCodeAt(at)] === 1) return true;
  return value.includes('::');
}

const SIGNS_OF_CODE = Uint8Array.from({ length: 128 }, (_, code) =>
  /[.>()[|&;{}]/.test(String.fromCharCode(code)) ? 1 : 0,
);
