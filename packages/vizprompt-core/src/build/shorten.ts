import { createTokenEstimator } from '@vizprompt/providers';
import { guessLanguage } from '@vizprompt/providers/internal';
import { firstWords } from './sentences.ts';

/** The limits of a summary. */
export interface SummaryLimits {
  readonly maxWords: number;
  /** Default: no limit. */
  readonly maxTokens?: number;
}

/** The most words of a summary; a model is asked for at least 30. */
export const MAX_WORDS = 50;

const estimator = createTokenEstimator();
/** UTF-16 code units of a word at most, on the average of a text. */
const MAX_WORD = 30;

/** Checks whether a text is within the limits. */
export function fits(text: string, { maxWords, maxTokens }: SummaryLimits): boolean {
  if (text.length > maxWords * MAX_WORD) return false;
  if (maxTokens !== undefined && estimator.count(text).tokens > maxTokens) return false;
  return firstWords(text, guessLanguage(text), maxWords + 1).length <= maxWords;
}

/** As many words of a text as are within the limits, with `…` where it was cut. */
export function shorten(text: string, limits: SummaryLimits): string {
  const line = text.replaceAll(/\s\s*/g, ' ').trim();
  if (fits(line, limits)) return line;
  const words = firstWords(line, guessLanguage(line), limits.maxWords + 1);
  let [low, high] = [0, words.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(cutBefore(line, words[middle]?.index), limits)) low = middle;
    else high = middle - 1;
  }
  return cutBefore(line, words[low]?.index);
}

/** A clause is kept whole if it leaves this share of what there is room for. */
const CLAUSE_SHARE = 0.6;

function cutBefore(line: string, index = 0): string {
  const room = line.slice(0, index);
  const border = /^.*(?:[、，；]|[,;](?=\s))/u.exec(room)?.[0] ?? '';
  const clause = border.length > room.length * CLAUSE_SHARE ? border : room;
  return closed(clause.replace(/(?<![\s、，；,;:：])[\s、，；,;:：][\s、，；,;:：]*$/, ''));
}

/** Adds `…`, and leaves no bracket open: the text ends before it, or it is closed. */
function closed(text: string): string {
  for (const [open, close] of ['「」', '『』', '（）', '()'].map((pair) => Array.from(pair))) {
    const at = text.lastIndexOf(open ?? '');
    if (open === undefined || at < 0 || text.includes(close ?? '', at)) continue;
    return at > text.length * CLAUSE_SHARE
      ? `${text.slice(0, at).trimEnd()}…`
      : `${text}…${close ?? ''}`;
  }
  return `${text}…`;
}
