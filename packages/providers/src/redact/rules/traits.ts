import { codeAt } from '../code-at.ts';

/** The properties of a text; longer ones are judged by their beginning. */
export interface Traits {
  readonly length: number;
  readonly digits: number;
  readonly lowers: number;
  readonly uppers: number;
  /** Characters such as `!@#$%^&*+~=?/`, which names and numbers do not have. */
  readonly others: number;
  /** Counts the different characters. */
  readonly distinct: number;
  /** True if all characters are printable ASCII. */
  readonly isAscii: boolean;
  /** True if it could be a name of a program: letters, digits, `_`, `$`, `.` and `-`. */
  readonly isName: boolean;
  readonly isHex: boolean;
  /** True if it has letters, digits and `_` only: no expression, path or template does. */
  readonly isWord: boolean;
}

const JUDGED = 200;

/** Adds up to four counts of less than 256 at once: random characters make a branch for each kind slow. */
function countsOf(...kinds: readonly [RegExp, RegExp, RegExp, RegExp]): Int32Array {
  return Int32Array.from({ length: 128 }, (_, code) => {
    const character = String.fromCharCode(code);
    return kinds.reduce((sum, kind, at) => sum | ((kind.test(character) ? 1 : 0) << (8 * at)), 0);
  });
}

const LETTERS = countsOf(/\d/, /[a-z]/, /[A-Z]/, /[!@#$%^&*+~=?/]/);
const OTHERS = countsOf(/[\da-fA-F]/, /[_.-]/, /_/, /[^!-~]/);

/** A bit for each character that was seen. */
const seen = new Int32Array(4);

/** Counts the characters of a text, in one pass. */
export function traitsOf(text: string): Traits {
  return traitsOfPart(text, 0, text.length);
}

/** Counts the characters of a part of a text: those of a string that was cut off another are slower to read. */
export function traitsOfPart(text: string, start: number, end: number): Traits {
  seen[0] = seen[1] = seen[2] = seen[3] = 0;
  let letters = 0;
  let rest = 0;
  let isAscii = true;
  const whole = end - start;
  const length = Math.min(whole, JUDGED);
  for (let at = start, limit = start + length; at < limit; at++) {
    const code = codeAt(text, at);
    if (code >= 128) {
      isAscii = false;
      continue;
    }
    letters += LETTERS[code] ?? 0;
    rest += OTHERS[code] ?? 0;
    seen[code >> 5] = (seen[code >> 5] ?? 0) | (1 << (code & 31));
  }
  const digits = letters & 0xff;
  const lowers = (letters >> 8) & 0xff;
  const uppers = (letters >> 16) & 0xff;
  const names = (rest >> 8) & 0xff;
  const first = codeAt(text, start);
  return {
    length: whole,
    digits,
    lowers,
    uppers,
    others: letters >>> 24,
    distinct: onesOf(seen[1] ?? 0) + onesOf(seen[2] ?? 0) + onesOf(seen[3] ?? 0),
    isAscii: isAscii && rest >>> 24 === 0,
    isName: digits + lowers + uppers + names === length && !(first >= 48 && first <= 57),
    isHex: (rest & 0xff) === length,
    isWord: digits + lowers + uppers + ((rest >> 16) & 0xff) === whole,
  };
}

/** Counts the bits of a number. */
function onesOf(bits: number): number {
  let sum = bits - ((bits >>> 1) & 0x55555555);
  sum = (sum & 0x33333333) + ((sum >>> 2) & 0x33333333);
  return Math.imul((sum + (sum >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
