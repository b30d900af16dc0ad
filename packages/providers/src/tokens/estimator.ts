import type { TokenCount } from '../models/request.ts';

/** Counts the tokens of a text, exactly or by estimate. */
export interface TokenCounter {
  count(text: string): TokenCount;
}

/** A {@link TokenCounter} that needs no tables and learns from what providers return. */
export interface TokenEstimator extends TokenCounter {
  /** `exact` is always `false`. */
  count(text: string): TokenCount;
  /** The present factor of estimates; 1 at the start. */
  readonly factor: number;
  /**
   * Corrects the factor by what a provider counted.
   *
   * @param text - The text that was sent.
   * @param tokens - The provider's count for it. Calls with 0 tokens are passed over.
   */
  calibrate(text: string, tokens: number): void;
}

/**
 * Tokens by character class, fitted to the o200k tokens of Japanese novels, Wikipedia, English chat
 * and program text by least squares: within 6 % on each of those, within 15 % on other text. A run is of
 * the first class that its first character is in, and as long as what follows is in that class.
 */
const CLASSES: readonly (readonly [
  has: (code: number) => boolean,
  tokens: (length: number) => number,
])[] = [
  [isLatin, (length) => 1.05 + Math.max(0, length - 12) / 4],
  [(code) => isIn(code, 0x30, 0x39), (length) => 0.66 * Math.ceil(length / 3)],
  [(code) => isIn(code, 0x30_41, 0x30_9f), (length) => 0.71 * length],
  [(code) => isIn(code, 0x30_a0, 0x30_ff), (length) => 0.66 * length],
  [isHan, (length) => 1.08 * length],
  [(code) => code === 0x0a || code === 0x0d, () => 0.55],
  [(code) => code === 0x20 || code === 0x09, (length) => (length > 1 ? 0.55 : 0)],
  [
    (code) => isIn(code, 0x30_00, 0x30_3f) || isIn(code, 0xff_00, 0xff_ef),
    (length) => 0.86 * length,
  ],
  [(code) => isIn(code, 0x21, 0x7e), (length) => 0.42 * length],
];
const HAN = /^\p{Script=Han}/u;
/** After the bits of the classes: what is in none of them is counted character by character. */
const OTHER: number = 1 << CLASSES.length;
/** The bits of UTF-16 units, as they come up; 0: not asked for yet. */
const classes = new Uint16Array(65_536);

/** How much one calibration moves the factor: the weight of an exponential moving average. */
const LEARNING_RATE = 0.2;

/**
 * Makes an estimator. Use one for each model: families of models differ by 40 % on Japanese, and
 * {@link TokenEstimator.calibrate} learns the difference.
 *
 * @example
 * ```ts
 * const estimator = createTokenEstimator();
 * estimator.count('吾輩は猫である。'); // { tokens: 7, exact: false }
 * ```
 */
export function createTokenEstimator(): TokenEstimator {
  let factor = 1;
  return {
    count: (text) => ({ tokens: Math.ceil(weigh(text) * factor), exact: false }),
    get factor() {
      return factor;
    },
    calibrate(text, tokens) {
      const estimate = weigh(text);
      if (estimate === 0 || !(tokens > 0)) return;
      factor += LEARNING_RATE * (tokens / estimate - factor);
    },
  };
}

function weigh(text: string): number {
  let tokens = 0;
  for (let at = 0; at < text.length;) {
    const all = classesAt(text, at);
    // The lowest bit is the first class.
    const own = all & -all;
    const start = at;
    at += lengthAt(text, at);
    const tokensOf = CLASSES[31 - Math.clz32(own)]?.[1];
    if (!tokensOf) {
      tokens += at - start;
      continue;
    }
    while (at < text.length && (classesAt(text, at) & own) !== 0) at += lengthAt(text, at);
    tokens += tokensOf(at - start);
  }
  return tokens;
}

/** Returns a bit for each class that the character at an offset is in. */
function classesAt(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  if (isSurrogate(unit)) return classesOf(text.codePointAt(at) ?? 0);
  const known = classes[unit] ?? 0;
  return known === 0 ? (classes[unit] = classesOf(unit)) : known;
}

function classesOf(code: number): number {
  return CLASSES.reduce((bits, [has], place) => bits | (has(code) ? 1 << place : 0), OTHER);
}

function lengthAt(text: string, at: number): number {
  return isSurrogate(text.charCodeAt(at)) && (text.codePointAt(at) ?? 0) > 0xff_ff ? 2 : 1;
}

function isSurrogate(unit: number): boolean {
  return (unit & 0xf8_00) === 0xd8_00;
}

function isIn(code: number, first: number, last: number): boolean {
  return code >= first && code <= last;
}

function isLatin(code: number): boolean {
  return isIn(code, 0x61, 0x7a) || isIn(code, 0x41, 0x5a);
}

function isHan(code: number): boolean {
  return HAN.test(String.fromCodePoint(code));
}
