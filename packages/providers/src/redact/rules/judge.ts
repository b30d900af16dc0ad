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

/** Checks whether a text is a UUID. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}

const counts = new Uint16Array(65_536);

function add(code: number): void {
  counts[code] = (counts[code] ?? 0) + 1;
}

/** Returns the Shannon entropy over the UTF-16 units of a text of less than 65,536, in bits a unit. */
export function bitsPerCharacter(text: string): number {
  const { length } = text;
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

/** Checks whether the Base64 of a text stands for `user:password`, as in HTTP Basic and Docker. */
export function isBasicCredentials(base64: string): boolean {
  if (base64.length > 4000) return false;
  const packed = base64
    .replace(/={1,2}$/, '')
    .replaceAll('-', '+')
    .replaceAll('_', '/');
  // What follows is no Base64, which `atob` would tell by throwing.
  if (packed.length % 4 === 1 || /[^A-Za-z0-9+/]/.test(packed)) return false;
  const plain = atob(packed);
  return /^[\w.@+$%!~-]{1,100}:[ -~]{3,}$/.test(plain) || /^:[!-~]{10,}$/.test(plain);
}
