import type { RedactionRule } from '../redaction-rule.ts';
import { bitsPerCharacter, isUuid } from './judge.ts';
import { isPlaceholder } from './placeholder.ts';

/** Words of names that hold passwords: their values may be any text. */
const PASSWORDS = 'password|passwd|passphrase|passcode|pwd|pass';
/** Words of names that hold keys: their values look random. */
const KEYS =
  'secret|token|api[_.-]?key|apikey|access[_.-]?key|auth[_.-]?key|private[_.-]?key|secret[_.-]?key|signing[_.-]?key|' +
  'encryption[_.-]?key|master[_.-]?key|account[_.-]?key|subscription[_.-]?key|service[_.-]?key|anon[_.-]?key|' +
  'application[_.-]?key|license[_.-]?key|shared[_.-]?key|credentials?|_key|_pat|_auth|_dsn';
/** What may follow the word in a name: `PASSWORD_PROD`, `token2`. */
const SUFFIX = String.raw`(?:[_.-]?(?:base64|b64|value|prod|production|dev|development|staging|test|live|key|v?\d{1,3}))?`;
/** How a name ends: quotes, brackets, a type, colors. */
const NAME_END = String.raw`\\?["'\`\])]{0,3}(?:\s{0,2}:\s{0,2}(?:string|str|String|&str|&'static str|char\*)\s{0,2}(?==))?`;
/** From the name to the value: operators of languages, of lists of names and values, and of XML. */
const OPERATOR = String.raw`(?<operator>\s{0,8}(?:=>|:=|\?=|\|\|=|=(?!=)|:(?!:)|,(?=\s?["'\`])|["',\s>+-]{0,10}\bvalue["']?\s{0,4}[=:])\s{0,8}|>|=|<\/key>\s{0,8}<string>)`;
const VALUE = [
  String.raw`(?<mark>[bfru@]{0,2}["])(?<double>[^"\s]{4,500})(?:"|$)`,
  String.raw`[bfru@]{0,2}'(?<single>[^'\s]{4,500})(?:'|$)`,
  '`(?<back>[^`\\s]{4,500})(?:`|$)',
  String.raw`(?<bare>(?:(?!&[\w.-]{1,40}=)[^\s"'\`<>]){4,500})`,
].join('|');

/** Values that a name says are secret: in code, `.env`, YAML, JSON, XML, headers and addresses. */
export const assignmentRule: RedactionRule = {
  name: 'assignment',
  what: 'Values that their names say are secret',
  keywords: [
    ...PASSWORDS.split('|'),
    ...['secret', 'token', 'credential', '_key', '-key', '.key', '_pat', '_auth', '_dsn'],
    ...['apikey', 'accesskey', 'authkey', 'privatekey', 'signingkey', 'encryptionkey', 'masterkey'],
    ...['accountkey', 'subscriptionkey', 'servicekey', 'anonkey', 'sharedkey', 'applicationkey', 'licensekey'],
  ],
  pattern: new RegExp(
    `(?:(?<password>${PASSWORDS})|${KEYS}|[.-]key)${SUFFIX}(?![A-Za-z0-9_-])${NAME_END}${OPERATOR}(?:${VALUE})`,
    'diy',
  ),
  accepts: isSecretValue,
};

const ASCII = /^[\x21-\x7e]+$/;

function isSecretValue(match: RegExpExecArray): boolean {
  const groups: Readonly<Record<string, string | undefined>> = match.groups ?? {};
  const { bare, double, single, back } = groups;
  const quoted = double ?? single ?? back;
  const isPassword = groups['password'] !== undefined;
  const value = quoted ?? bare ?? '';
  if (!ASCII.test(value) || isPlaceholder(value)) return false;
  const name = nameOf(match);
  if (NOT_SECRET.test(name)) return false;
  if (groups['password'] === 'pass' && !/(?:^|[^a-z])pass$/i.test(name)) return false;
  if (quoted !== undefined) return isQuotedSecret(value, isPassword, match);
  return isBareSecret(value, isPassword, name, match, groups['operator'] ?? '');
}

/** Names of what is public, or of parts of a language. */
const NOT_SECRET =
  /public|primary|foreign|sort|partition|cache|next_?page|page_?token|continuation|next_?token|pad_|eos|bos_|unk_|cls_|sep_|mask_|cancel|csrf_?(?:param|header|name|cookie)|idempotency|compass|bypass|(?:^|_)(?:public|row|column|col|object|hash|index|unique|map|dict|sort|group|route|query|parent|data|i18n|lang|translation|json|s3|storage|registry|shortcut|hot|arrow|enter|ctrl|alt|shift|meta|query|react|query|event|node|item|cursor|first|last|any|press|pressed|function|f\d+)[_-]?key$/i;

const LONGEST_NAME = 60;

/** The whole name; the `-` of a diff, a list or an option is no part of it. */
function nameOf({ input, index, 0: whole }: RegExpExecArray): string {
  let start = index;
  while (start > 0 && index - start < LONGEST_NAME && /[\w.-]/.test(input.charAt(start - 1))) start--;
  while (start < index && /[.-]/.test(input.charAt(start))) start++;
  return input.slice(start, index) + whole.slice(0, whole.search(/[^\w.-]/));
}

const WORDS =
  /pass|secret|token|key|word|user|name|type|field|input|valid|require|incorrect|forgot|confirm|current|new-|old|hash|text|null|string|option|mismatch|login|error|missing|empty|auth|label|hint|reset|change|show|hide|enter|weak|strong|example|invalid|default|value|number|object|email|hidden|bearer|basic|oauth|saml|bcrypt|sha\d|md5|base64|utf/i;

function isQuotedSecret(value: string, isPassword: boolean, { input, index }: RegExpExecArray): boolean {
  if (isPath(value)) return false;
  const isName = /^[A-Za-z_$][\w$.-]*$/.test(value);
  if (isPassword) {
    if (value.length < 5) return false;
    if (/\d/.test(value) && /[A-Za-z]/.test(value)) return !(isName && WORDS.test(value) && digitsOf(value) < 2);
    if (/^\d+$/.test(value)) return value.length >= 6;
    if (!isName) return /[^\w\s.,:;-]/.test(value) && !WORDS.test(value) && !isCode(value);
    return /^[a-z]{8,}$/.test(value) && !WORDS.test(value) && !/[,([]\s*$/.test(input.slice(Math.max(0, index - 3), index));
  }
  return isRandomKey(value);
}

/** What may stand before a name at the start of a line: margins of diffs and quotations, numbers, exports. */
const LINE_START =
  /[\n\r][\s>+#|*-]*(?:\d{1,6}[→:|\t ]{1,2})?[\s>+#|*-]*(?:export |set |ENV |ARG |env: |- )?["'$]?(?:env:)?$/;

/** Without quotes a value can be code: it must stand where `.env`, YAML, a header or an address has it. */
function isBareSecret(
  given: string,
  isPassword: boolean,
  name: string,
  { input, index, 0: whole }: RegExpExecArray,
  operator: string,
): boolean {
  const value = given.replace(/[,;)\]}]+$/, '');
  const after = input[index + whole.length] ?? '\n';
  const isTight = operator === '=' || operator === '>' || operator === '=>';
  const isEnv = /^[A-Z][A-Z\d_.-]*$/.test(name) && !/[a-z]/.test(name);
  const start = index - (name.length - whole.search(/[^\w.-]/));
  const before = input.slice(Math.max(0, start - 16), start);
  const startsLine =
    operator.includes('value') || LINE_START.test(start < 16 ? `\n${before}` : before);
  const isCut = given !== value;
  if (isPath(value) || isCode(value)) return false;
  if (/^\d+$/.test(value)) return isEnv && isPassword && value.length >= 6;
  if (operator === '>') return after === '<' && (isPassword ? hasBoth(value) : isRandomKey(value));
  if (isEnv && isTight) {
    if (/^[A-Za-z_]\w*$/.test(value) && /^[A-Z_]+$/.test(value)) return false;
    if (isPassword) return value.length >= 4;
    return isRandomKey(value) || (startsLine && value.length >= 6 && hasBoth(value));
  }
  const isWholeLine = startsLine && !isCut && (after === '\n' || after === '\r' || after === '\t' || /^[ \t]*(?:[\n\r#]|$)/.test(input.slice(index + whole.length, index + whole.length + 8)));
  if (isTight && /[?&;]$/.test(before)) return isPassword ? value.length >= 4 : isRandomKey(value);
  if (isWholeLine) {
    if (isPassword) return value.length >= 6 && hasBoth(value) || /[!@#$%^&*~]/.test(value);
    return isRandomKey(value) || (isEnv && value.length >= 8 && hasBoth(value));
  }
  if (isPassword) return isTight && hasBoth(value) && (!/^[A-Za-z_$][\w$]*$/.test(value) || digitsOf(value) >= 2) && !isCut;
  return isRandomKey(value) && bitsPerCharacter(value) > 3 && value.length >= 16 && /^[\w+/=.~-]+$/.test(value);
}

function hasBoth(value: string): boolean {
  return /[A-Za-z]/.test(value) && /[\d!@#$%^&*+~=]/.test(value);
}

/** A key looks random: it has letters and several digits, and is not a name with a number. */
function isRandomKey(value: string): boolean {
  if (value.length < 8 || !/[A-Za-z]/.test(value)) return /^\d{12,}$/.test(value);
  if (isUuid(value)) return true;
  const digits = digitsOf(value);
  if (digits === 0) return value.length >= 20 && /[a-z]/.test(value) && /[A-Z]/.test(value) && /^[A-Za-z0-9+/=]+$/.test(value) && !/[a-z]{6}/.test(value);
  if (bitsPerCharacter(value.slice(0, 200)) < 2.8) return false;
  if (/^[\da-f]+$/i.test(value)) return value.length >= 16 || digits >= 4;
  if (WORDS.test(value) && digits < 4) return false;
  return digits >= 3 || (digits >= 2 && value.length >= 12) || (value.length >= 16 && /[A-Z]/.test(value) && /[a-z]/.test(value) && !/[a-z]{6}/.test(value));
}

function digitsOf(value: string): number {
  return value.replaceAll(/\D/g, '').length;
}

function isPath(value: string): boolean {
  return /^(?:\.{0,2}\/[\w.@-]*[a-z]|~\/|[A-Za-z]:\\|(?:https?|file|data|wss?|ftp|s3|gs|arn|urn|secretsmanager|op|vault|env|ref\+\w+):|sha(?:1|256|384|512)-|@[\w-]+\/|[\w-]+\/[\w-]+\.\w{2,4}$)/i.test(value);
}

/** Expressions of a language: calls, members, generics, templates. */
function isCode(value: string): boolean {
  return /^[A-Za-z_$][\w$]*(?:\.|->|::|\?\.)[A-Za-z_$]|\w\(|^[A-Za-z_$][\w$]*\[|=>|^[!&*(]+[A-Za-z_]|\|\||&&|\)$|[;{}]$/.test(value);
}
