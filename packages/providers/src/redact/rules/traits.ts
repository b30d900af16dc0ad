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
}

const JUDGED = 200;
const OTHERS = new Set(Array.from('!@#$%^&*+~=?/', (character) => character.charCodeAt(0)));

/** Counts the characters of a text, in one pass. */
export function traitsOf(text: string): Traits {
  let digits = 0;
  let lowers = 0;
  let uppers = 0;
  let others = 0;
  let hexes = 0;
  let names = 0;
  let isAscii = true;
  const seen = [0, 0, 0, 0];
  const length = Math.min(text.length, JUDGED);
  for (let at = 0; at < length; at++) {
    const code = text.charCodeAt(at);
    if (code < 0x21 || code > 0x7e) isAscii = false;
    const word = (code >> 5) & 3;
    seen[word] = (seen[word] ?? 0) | (1 << (code & 31));
    if (code >= 48 && code <= 57) {
      digits++;
      hexes++;
    } else if (code >= 97 && code <= 122) {
      lowers++;
      if (code <= 102) hexes++;
    } else if (code >= 65 && code <= 90) {
      uppers++;
      if (code <= 70) hexes++;
    } else if (code === 95 || code === 46 || code === 45) names++;
    else if (OTHERS.has(code)) others++;
  }
  const first = text.charCodeAt(0);
  return {
    length: text.length,
    digits,
    lowers,
    uppers,
    others,
    distinct: seen.reduce((sum, bits) => sum + onesOf(bits), 0),
    isAscii,
    isName: digits + lowers + uppers + names === length && !(first >= 48 && first <= 57),
    isHex: hexes === length,
  };
}

function onesOf(bits: number): number {
  let count = 0;
  for (let rest = bits; rest !== 0; rest &= rest - 1) count++;
  return count;
}
