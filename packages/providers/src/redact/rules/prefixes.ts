import { codeAt } from '../code-at.ts';
import { heldTexts, type Offsets, type RedactionRule } from '../redaction-rule.ts';
import { assignedName, isNamePart, isPublicName } from './assigned-name.ts';
import { isUuid } from './judge.ts';
import { prefixedKeys, SHORTEST_WORD } from './prefixed-keys.ts';
import { skimAnnounced, skimPrefix } from './skim.ts';
import { traitsOf } from './traits.ts';

/** Words that issuers begin keys with, most often after their own name: `acme_live_`, `acme-key-`. */
const WORDS = [
  'sk',
  'pk',
  'rk',
  'key',
  'apikey',
  'token',
  'tkn',
  'tok',
  'secret',
  'sec',
  'pat',
  'api',
  'act',
  'auth',
  'oauth',
  'access',
  'refresh',
  'live',
  'test',
  'prod',
  'production',
  'sandbox',
  'dev',
  'pri',
  'priv',
  'private',
  'prv',
  'svc',
  'sa',
  'ptr',
  'v1',
  'v2',
  'v3',
];

const LEAST_ENTROPY = 3.2;

/** Keys of issuers that no other rule knows, by their look. */
export const prefixedKeyRule: RedactionRule = {
  name: 'key',
  what: 'Keys that begin with any short word and look random',
  pattern: /[A-Za-z][A-Za-z0-9]{1,11}[_-][\w-]{20,}/dg,
  minLength: SHORTEST_WORD,
  find: prefixedKeys,
};

/** Keys of issuers that no other rule knows. */
export const prefixRules: readonly RedactionRule[] = [
  {
    name: 'key',
    what: 'Keys that begin with a word such as key, live or secret',
    keywords: WORDS.flatMap((word) => [`${word}_`, `${word}-`]),
    pattern: new RegExp(
      `(?<![A-Za-z0-9/]\\+?)(?:${WORDS.join('|')})[_-](?:[A-Za-z0-9]{1,12}[_-]){0,2}[A-Za-z0-9]{20,400}`,
      'y',
    ),
    minLength: 23,
    skim: skimPrefix,
    is: isKey,
    entropy: LEAST_ENTROPY,
  },
  prefixedKeyRule,
];

/** Is asked last: the other rules know the ends of values better. */
export const announcedRule: RedactionRule = {
  name: 'key',
  what: 'Keys that a word such as secret or token announces, without an operator',
  keywords: ['secret', 'private', 'access', 'token', 'key'],
  pattern:
    /(?:secret|private|access|token|key)[a-z]{0,12}[ .,_-]{1,2}(?:(?:secret|private|access|token|key|api|id|is|of)[ ._-]{1,2}){0,3}["']?/iy,
  skim: skimAnnounced,
  secretAfter: announced,
};

/** The text that was judged last, as several words announce the same. */
let judgedText = '';
let judgedAt = -1;
let judgedEnd = -1;

function announced(text: string, keyword: number, start: number): Offsets | undefined {
  if (start !== judgedAt || text !== judgedText) {
    if (judgedText === '') heldTexts.add(forget);
    judgedText = text;
    judgedAt = start;
    judgedEnd = endOfAnnounced(text, start);
  }
  if (judgedEnd < 0) return undefined;
  return isPublicName(assignedName(text, keyword, start)) ? undefined : [start, judgedEnd];
}

function forget(): void {
  judgedText = '';
  judgedAt = -1;
}

/** Returns the place after a key, or -1 if there is none. */
function endOfAnnounced(text: string, start: number): number {
  const limit = Math.min(text.length, start + LONGEST_KEY);
  let end = start;
  for (; end < limit; end++) {
    const code = codeAt(text, end);
    if (code >= 128 || OF_KEY[code] === 0) break;
  }
  if (end - start < SHORTEST_KEY || isNamePart(codeAt(text, end))) return -1;
  return isAnnounced(text.slice(start, end)) ? end : -1;
}

const SHORTEST_KEY = 16;
const LONGEST_KEY = 400;
const OF_KEY = Uint8Array.from({ length: 128 }, (_, code) =>
  /[A-Za-z0-9+/=.-]/.test(String.fromCharCode(code)) ? 1 : 0,
);

/** Names of archives with a time, and of pods of Kubernetes: `service-6h82hk6qp-zv1dq`. */
const NAMES = /^(?:\d+(?:\.[a-z]{2,4}){1,2}|(?:[a-z]+-)+[a-z\d]{8,10}-[a-z\d]{5})$/;

/** Checks whether a word is a key: it looks random, and is not a hash or number that `key` alone announces. */
function isAnnounced(text: string): boolean {
  const { length, digits, lowers, uppers, distinct, isHex } = traitsOf(text);
  if (digits < 3 || lowers + uppers < 3 || distinct < 8 || NAMES.test(text)) return false;
  if (isHex || isUuid(text)) return length >= 24 && digits >= 6;
  if (/[a-z]{9}|[A-Z]{12}|^[a-z]+[.-][a-z]+[.-]/.test(text) && length < 40) return false;
  return length >= 20 && (digits >= 5 || (lowers > 2 && uppers > 2));
}

/** Checks whether the last part is random: neither words nor a number, a date or a hash of a file. */
function isKey(text: string): boolean {
  let start = text.length;
  while (start > 0 && isLetterOrDigit(codeAt(text, start - 1))) start--;
  const part = text.slice(start);
  const { length, digits, lowers, uppers, distinct, isHex } = traitsOf(part);
  if (digits < 3 || lowers + uppers < 4 || distinct < 9) return false;
  if (isHex) return length >= 32;
  // Words with numbers, and times: long keys of lower-case letters have runs of them, too.
  if ((length < 24 || digits < 5) && /[a-z]{7}|[A-Z]{9}|\d{10}/.test(part)) return false;
  return length >= 20 && (digits >= 4 || (lowers > 2 && uppers > 2));
}

function isLetterOrDigit(code: number): boolean {
  const folded = code | 32;
  return (folded >= 97 && folded <= 122) || (code >= 48 && code <= 57);
}
