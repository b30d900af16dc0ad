/** Checks whether a text has a digit. */
export function hasDigit(text: string): boolean {
  return /\d/.test(text);
}

/** Checks whether a text has a digit, or letters of both cases. */
export function isVaried(text: string): boolean {
  return hasDigit(text) || hasBothCases(text);
}

/** Checks whether a text has a digit and letters of both cases. */
export function isMixed(text: string): boolean {
  return /\d/.test(text) && /[A-Z]/.test(text) && /[a-z]/.test(text);
}

/** Checks whether a text has letters of both cases. */
export function hasBothCases(text: string): boolean {
  return /[a-z]/.test(text) && /[A-Z]/.test(text);
}

/** Accepts every text. */
export function isAny(): boolean {
  return true;
}

const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;

const UUID_LENGTH = 36;

/** Checks whether a text is a UUID. */
export function isUuid(text: string): boolean {
  return text.length === UUID_LENGTH && UUID.test(text);
}

const counts = new Uint16Array(65_536);

function add(code: number): void {
  counts[code] = (counts[code] ?? 0) + 1;
}

/**
 * Returns the Shannon entropy over the UTF-16 units of a text, in bits a unit.
 *
 * @param most - Of a longer text only so many units are looked at; less than 65,536.
 */
export function bitsPerCharacter(text: string, most = 65_535): number {
  const length = Math.min(text.length, most);
  if (length === 0) return 0;
  for (let at = 0; at < length; at++) add(text.charCodeAt(at));
  let sum = 0;
  for (let at = 0; at < length; at++) {
    const code = text.charCodeAt(at);
    const count = counts[code] ?? 0;
    // Counted once for each unit, and put back for the next text.
    if (count > 1) sum += count * Math.log2(count);
    counts[code] = 0;
  }
  return Math.log2(length) - sum / length;
}

/** The longest user or password, in characters of Base64. */
const LONGEST_BASIC = 4000;
const LONGEST_USER = 100;
const COLON = 58;

/**
 * Checks whether Base64 is that of `user:password`, as in HTTP Basic and Docker, or of `:` and a long password.
 * Decodes as far as the first character that neither has.
 */
export function isBasicCredentials(base64: string): boolean {
  let end = base64.length;
  while (end > base64.length - 2 && base64.charCodeAt(end - 1) === EQUALS) end--;
  if (end > LONGEST_BASIC || end % 4 === 1) return false;
  let bits = 0;
  let user = -1;
  let length = 0;
  let isSpaced = false;
  for (let at = 0; at < end; at++) {
    const digit = BASE64[base64.charCodeAt(at)] ?? 0;
    if (digit === 0) return false;
    bits = ((bits << 6) | (digit - 1)) & 0xffffff;
    const place = at & 3;
    if (place === 0) continue;
    const code = (bits >> (6 - 2 * place)) & 0xff;
    if (code < 32 || code > 126) return false;
    if (user >= 0) isSpaced ||= code === 32;
    else if (code === COLON) user = length;
    else if (length >= LONGEST_USER || OF_USER[code] !== 1) return false;
    length++;
  }
  const password = length - user - 1;
  return user > 0 ? password >= 3 : user === 0 && password >= 10 && !isSpaced;
}

const EQUALS = 61;

/** The digits of Base64 and of its form for addresses, plus one; 0 for what is none. */
const BASE64 = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code).replace('-', '+').replace('_', '/');
  return 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'.indexOf(character) + 1;
});

const OF_USER = Uint8Array.from({ length: 128 }, (_, code) =>
  /[\w.@+$%!~-]/.test(String.fromCharCode(code)) ? 1 : 0,
);
