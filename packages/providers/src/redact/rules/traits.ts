/** What a text is made of; longer ones are judged by their beginning. */
export interface Traits {
  readonly length: number;
  readonly digits: number;
  readonly lowers: number;
  readonly uppers: number;
  /** Characters such as `!@#$%^&*+~=?/`, which names and numbers do not have. */
  readonly others: number;
  /** Counts the different characters. */
  readonly distinct: number;
  /** Tells whether all characters are printable ASCII. */
  readonly isAscii: boolean;
  /** Tells whether it could be a name of a program: letters, digits, `_`, `$`, `.` and `-`. */
  readonly isName: boolean;
  readonly isHex: boolean;
  /** Tells whether it has letters, digits and `_` only: no expression, path or template does. */
  readonly isWord: boolean;
}

const JUDGED = 200;

const DIGIT = 1;
const LOWER = 2;
const UPPER = 4;
const HEX = 8;
const UNDERSCORE = 16;
const OF_NAME = 32;
const OTHER = 64;
const PRINTABLE = 128;

const KINDS = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  return (
    (/\d/.test(character) ? DIGIT : 0) |
    (/[a-z]/.test(character) ? LOWER : 0) |
    (/[A-Z]/.test(character) ? UPPER : 0) |
    (/[\da-fA-F]/.test(character) ? HEX : 0) |
    (character === '_' ? UNDERSCORE : 0) |
    (/[_.-]/.test(character) ? OF_NAME : 0) |
    (/[!@#$%^&*+~=?/]/.test(character) ? OTHER : 0) |
    (/[!-~]/.test(character) ? PRINTABLE : 0)
  );
});

/** Counts the characters of a text, in one pass. */
export function traitsOf(text: string): Traits {
  let digits = 0;
  let lowers = 0;
  let uppers = 0;
  let others = 0;
  let hexes = 0;
  let names = 0;
  let underscores = 0;
  let isAscii = true;
  // Numbers of 32 bits: a bit for each character of ASCII that is printable.
  let marks = 0;
  let upperLetters = 0;
  let lowerLetters = 0;
  const length = Math.min(text.length, JUDGED);
  for (let at = 0; at < length; at++) {
    const code = text.charCodeAt(at);
    const kind = code < 128 ? (KINDS[code] ?? 0) : 0;
    if (!(kind & PRINTABLE)) isAscii = false;
    const bit = 1 << (code & 31);
    if (code < 64) marks |= bit;
    else if (code < 96) upperLetters |= bit;
    else lowerLetters |= bit;
    if (kind & HEX) hexes++;
    if (kind & LOWER) lowers++;
    else if (kind & DIGIT) digits++;
    else if (kind & UPPER) uppers++;
    else if (kind & OF_NAME) {
      names++;
      if (kind & UNDERSCORE) underscores++;
    } else if (kind & OTHER) others++;
  }
  const first = text.charCodeAt(0);
  return {
    length: text.length,
    digits,
    lowers,
    uppers,
    others,
    distinct: onesOf(marks) + onesOf(upperLetters) + onesOf(lowerLetters),
    isAscii,
    isName: digits + lowers + uppers + names === length && !(first >= 48 && first <= 57),
    isHex: hexes === length,
    isWord: digits + lowers + uppers + underscores === text.length,
  };
}

function onesOf(bits: number): number {
  let count = 0;
  for (let rest = bits; rest !== 0; rest &= rest - 1) count++;
  return count;
}
