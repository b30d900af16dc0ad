import { codeAt } from '../code-at.ts';
import type { IsFound, Offsets } from '../redaction-rule.ts';
import { bitsPerCharacter } from './judge.ts';

/** Minimum length of a word: a shorter one has too few characters to show whether they are random. */
export const SHORTEST_WORD = 18;
const LONGEST_PREFIX = 12;
/** Longer words are judged by their beginning. */
const JUDGED = 200;

const LOWER = 1;
const UPPER = 2;
const DIGIT = 3;
/** `_` and `-`. */
const JOINT = 4;

const KINDS = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  if (/[a-z]/.test(character)) return LOWER;
  if (/[A-Z]/.test(character)) return UPPER;
  if (/\d/.test(character)) return DIGIT;
  return /[_-]/.test(character) ? JOINT : 0;
});

function kindAt(text: string, at: number): number {
  const code = codeAt(text, at);
  return code < 128 ? (KINDS[code] ?? 0) : 0;
}

/**
 * Finds the keys of issuers that no rule knows: a short word, `_` or `-`, and what looks random, such as
 * `acme_pk7Qd...`. Looks at every 18th character only where no word is long enough.
 */
export function prefixedKeys(text: string, isFound: IsFound): readonly Offsets[] {
  const found: Offsets[] = [];
  let start = 0;
  while (start + SHORTEST_WORD <= text.length) {
    let at = start + SHORTEST_WORD - 1;
    while (at >= start && kindAt(text, at) !== 0) at--;
    if (at >= start) {
      start = at + 1;
      continue;
    }
    let end = start + SHORTEST_WORD;
    while (end < text.length && kindAt(text, end) !== 0) end++;
    const from = isPart(text, start) ? -1 : keyIn(text, start, end, isFound);
    if (from >= 0) found.push([from, end]);
    start = end + 1;
  }
  return found;
}

/** Characters before parts of other things: of JSON Web Tokens, versions of packages, addresses and Base64. */
const PARTS: ReadonlySet<number> = new Set(Array.from('.@#%+', (part) => part.charCodeAt(0)));
const DASH = 45;

/** Checks whether a word continues the text before it. The `+` of a diff does not count. */
function isPart(text: string, start: number): boolean {
  const code = codeAt(text, start - 1);
  return PARTS.has(code) && (code !== PLUS || kindAt(text, start - 2) !== 0);
}

const PLUS = 43;

/** Digests, and numbers that are used once, are public. */
const PUBLIC = /^(?:sha\d{1,3}|md5|nonce|h1|etag|integrity|commit|rev|chunk)[_-]/i;

/**
 * The words that ids begin with, which are public: those of calls, answers and tools of models (OpenAI, Anthropic),
 * payments (Stripe), users and sessions of services (Clerk, WorkOS), deployments (Vercel), nodes of GitHub, and
 * resources of AWS.
 */
const IDS =
  /^(?:call|toolu|srvtoolu|mcptoolu|msg|req|resp|chatcmpl|cmpl|gen|rs|fc|ws|run|step|thread|asst|vs|file|batch|ftjob|item|event|evt|response|conv|agent|wrkspc|cus|pi|pm|ch|sub|si|in|il|price|prod|plan|txn|po|re|py|cs|card|ba|acct|seti|src|dp|ii|mandate|payout|refund|invoice|order|user|usr|org|team|prj|dpl|ep|conn|domain|email|page|task|job|pr|ic|prr|prrc|subnet|snap|vpce|ami|eni|vol)[_-](?![a-z\d_-]*secret)|^[a-z]{2,9}_01[1-9A-HJ-NP-Za-km-z]{22}(?![\w-])/i;

/** Returns where the key of a word begins: what joins it to something else is not part of it. -1 for none. */
function keyIn(text: string, start: number, end: number, isFound: IsFound): number {
  let from = start;
  // The margin of a diff, an option.
  while (codeAt(text, from) === DASH) from++;
  const first = kindAt(text, from);
  if (first !== LOWER && first !== UPPER) return -1;
  if (isFound(from, end)) return -1;
  let joint = from + 1;
  const limit = Math.min(end, from + LONGEST_PREFIX + 1);
  while (joint < limit && (kindAt(text, joint) === first || kindAt(text, joint) === DIGIT)) joint++;
  if (joint - from < 2 || joint >= end || kindAt(text, joint) !== JOINT) return -1;
  const word = text.slice(from, Math.min(end, joint + 80));
  if (PUBLIC.test(word) || IDS.test(word)) return -1;
  return isRandom(text, afterWords(text, joint + 1, end), end, isCutOff(text, end)) ? from : -1;
}

/** Checks whether a text ends at a place, or says that more was there. */
function isCutOff(text: string, end: number): boolean {
  return end === text.length || text.startsWith('...', end) || codeAt(text, end) === ELLIPSIS;
}

const ELLIPSIS = 0x2026;

/** Returns the offset after further short words: `acme_live_user_`. */
function afterWords(text: string, from: number, end: number): number {
  let start = from;
  for (let words = 0; words < 3; words++) {
    let at = start;
    while (at < end && at - start < LONGEST_PREFIX && kindAt(text, at) === LOWER) at++;
    if (at === start || at >= end || kindAt(text, at) !== JOINT) return start;
    start = at + 1;
  }
  return start;
}

/** Random characters change their kind in every second place, words of names in every fifth one. */
const CHANGES = 0.42;
const SHORTEST_TAIL = 20;
/** A truncated key needs fewer characters, of fewer kinds. */
const SHORTEST_CUT = 14;
const CHANGES_OF_CUT = 0.36;
const LEAST_ENTROPY = 3.7;
const LEAST_ENTROPY_OF_CUT = 3.3;

function isRandom(text: string, from: number, end: number, isCut: boolean): boolean {
  const length = Math.min(end - from, JUDGED);
  if (length < (isCut ? SHORTEST_CUT : SHORTEST_TAIL)) return false;
  const counts = [0, 0, 0, 0, 0];
  let changes = 0;
  let last = 0;
  let run = 0;
  let longest = 0;
  let capitals = 0;
  for (let at = from; at < from + length; at++) {
    const kind = kindAt(text, at);
    counts[kind] = (counts[kind] ?? 0) + 1;
    run = kind === last ? run + 1 : 1;
    if (run > longest) longest = run;
    if (kind !== last) changes++;
    if (kind === LOWER && last === UPPER) capitals++;
    last = kind;
  }
  const [, lowers = 0, uppers = 0, digits = 0, joints = 0] = counts;
  if (isCut && digits >= 6 && uppers === 0 && joints === 0 && changes >= CHANGES_OF_CUT * length)
    return true;
  return (
    lowers >= 3 &&
    uppers >= 3 &&
    digits >= (isCut ? 0 : 2) &&
    joints <= length / 8 &&
    changes >= (isCut ? CHANGES_OF_CUT : CHANGES) * length &&
    longest < 9 &&
    // Words that are written as one have a lower-case letter after nearly each upper-case one.
    (capitals < 0.8 * uppers || length >= 40) &&
    bitsPerCharacter(text.slice(from, from + length)) >=
      (isCut ? LEAST_ENTROPY_OF_CUT : LEAST_ENTROPY)
  );
}
