import { createTokenEstimator } from '@vizprompt/providers';
import { firstWords, languageOf } from './language.ts';
import type { SummaryLimits } from './summarizer.ts';

const estimator = createTokenEstimator();
/** UTF-16 code units of a word at most, on the average of a text. */
const MAX_WORD = 30;

/** Whether a text is within the limits. */
export function fits(text: string, { maxWords, maxTokens }: SummaryLimits): boolean {
  if (text.length > maxWords * MAX_WORD) return false;
  if (maxTokens !== undefined && estimator.count(text).tokens > maxTokens) return false;
  return firstWords(text, languageOf(text), maxWords + 1).length <= maxWords;
}

/** As many words of a text as are within the limits, with `…` where it was cut. */
export function shorten(text: string, limits: SummaryLimits): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  if (fits(line, limits)) return line;
  const words = firstWords(line, languageOf(line), limits.maxWords + 1);
  let [low, high] = [0, words.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(cutBefore(line, words[middle]?.index), limits)) low = middle;
    else high = middle - 1;
  }
  return cutBefore(line, words[low]?.index);
}

function cutBefore(line: string, index = 0): string {
  return `${line.slice(0, index).replace(/[\s、,;:]+$/, '')}…`;
}
