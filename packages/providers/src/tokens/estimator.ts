import type { TokenCount } from '../chat/request.ts';

/** Counts the tokens of a text, exactly or by estimate. */
export interface TokenCounter {
  count(text: string): TokenCount;
}

/** A {@link TokenCounter} that needs no tables and learns from what providers return. */
export interface TokenEstimator extends TokenCounter {
  /** `exact` is always `false`. */
  count(text: string): TokenCount;
  /** What estimates are multiplied by at present; 1 at the start. */
  readonly factor: number;
  /**
   * Corrects the factor by what a provider counted.
   *
   * @param text - What was sent.
   * @param tokens - What the provider counted for it. Calls with 0 tokens are passed over.
   */
  calibrate(text: string, tokens: number): void;
}

/**
 * Tokens by character class, fitted to the o200k tokens of Japanese novels, Wikipedia, English chat
 * and program text by least squares: within 6 % on each of those, within 15 % on other text.
 */
const CLASSES: readonly (readonly [pattern: string, tokens: (length: number) => number])[] = [
  ['[A-Za-z]+', (length) => 1.05 + Math.max(0, length - 12) / 4],
  ['\\d+', (length) => 0.66 * Math.ceil(length / 3)],
  ['[\\u3041-\\u309f]+', (length) => 0.71 * length],
  ['[\\u30a0-\\u30ff]+', (length) => 0.66 * length],
  ['\\p{Script=Han}+', (length) => 1.08 * length],
  ['[\\r\\n]+', () => 0.55],
  ['[ \\t]+', (length) => (length > 1 ? 0.55 : 0)],
  ['[\\u3000-\\u303f\\uff00-\\uffef]+', (length) => 0.86 * length],
  ['[\\x21-\\x7e]+', (length) => 0.42 * length],
  ['[^]', (length) => length],
];
/** Made when a text is counted first: it takes longer than all else that a process may need at its start. */
let runs: RegExp | undefined;

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

/** Longer runs are more than the engine of regular expressions can hold. */
const SLICE = 65_536;

function weigh(text: string): number {
  let tokens = 0;
  for (let at = 0; at < text.length; at += SLICE) tokens += weighSlice(text.slice(at, at + SLICE));
  return tokens;
}

function weighSlice(text: string): number {
  runs ??= new RegExp(CLASSES.map(([pattern]) => `(${pattern})`).join('|'), 'gu');
  let tokens = 0;
  for (const run of text.matchAll(runs)) {
    const index = run.findIndex((group, position) => position > 0 && group !== undefined);
    tokens += CLASSES[index - 1]?.[1](run[0].length) ?? 0;
  }
  return tokens;
}
