/** Checks whether a text has a digit. */
export function hasDigit(text: string): boolean {
  return /\d/.test(text);
}

/** Checks whether a text has letters of both cases, or a letter and a digit beside hexadecimal ones. */
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

/** Returns the Shannon entropy over the characters of a text, in bits a character. */
export function bitsPerCharacter(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) {
    const share = count / text.length;
    bits -= share * Math.log2(share);
  }
  return bits;
}

/** Checks whether the Base64 of a text stands for `user:password`, as in HTTP Basic and Docker. */
export function isBasicCredentials(base64: string): boolean {
  if (!/^[\w+/-]{4,}={0,2}$/.test(base64) || base64.length > 4000) return false;
  let plain: string;
  try {
    plain = atob(base64.replaceAll('-', '+').replaceAll('_', '/'));
  } catch {
    return false;
  }
  // Texts in UTF-8 have bytes above 0x7f, control characters have none.
  return /^[^\u0000-\u001f\u007f:]*:[^\u0000-\u001f\u007f]+$/.test(plain);
}
