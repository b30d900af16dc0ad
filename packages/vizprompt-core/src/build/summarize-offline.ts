import { createTokenEstimator } from '@vizprompt/providers';
import type { VizNode } from '../node/node.ts';
import { ENGLISH_STOP_WORDS, keywordsOf } from './keywords.ts';
import { guessLanguage, type Language } from '@vizprompt/providers/internal';
import { firstWords, sentencesOf } from './language.ts';

/** The summary, tags and keywords of a node. */
export interface NodeDigest {
  /** 30 to 50 words. */
  readonly summary: string;
  /** 3 to 7, fewer where the text has no more. */
  readonly tags: readonly string[];
  /** The tags, and more words that the node can be found by. */
  readonly keywords: readonly string[];
}

/** Makes digests. */
export type Summarizer = (
  node: Pick<VizNode, 'prompt' | 'response'>,
  signal?: AbortSignal,
) => Promise<NodeDigest>;

/** The limits of a summary. */
export interface SummaryLimits {
  readonly maxWords: number;
  /** Default: no limit. */
  readonly maxTokens?: number;
}

/** At most so many words a summary; a model is asked for 30 at least. */
export const MAX_WORDS = 50;
/** At most so many tags a node. */
export const MAX_TAGS = 7;
/** At most so many keywords a node. */
export const MAX_KEYWORDS = 12;

const estimator = createTokenEstimator();
/** UTF-16 code units of a word at most, on the average of a text. */
const MAX_WORD = 30;

/** Whether a text is within the limits. */
function fits(text: string, { maxWords, maxTokens }: SummaryLimits): boolean {
  if (text.length > maxWords * MAX_WORD) return false;
  if (maxTokens !== undefined && estimator.count(text).tokens > maxTokens) return false;
  return firstWords(text, guessLanguage(text), maxWords + 1).length <= maxWords;
}

/** As many words of a text as are within the limits, with `…` where it was cut. */
export function shorten(text: string, limits: SummaryLimits): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
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

function cutBefore(line: string, index = 0): string {
  return `${line.slice(0, index).replace(/[\s、,;:]+$/, '')}…`;
}

/** Beyond this, more sentences only cost time. */
const MAX_SENTENCES = 200;
/** Words of a sentence that count. */
const MAX_SENTENCE = 100;
/** The prompt may take this share of a summary. */
const PROMPT_SHARE = 0.45;
const TAGS = 5;

/**
 * Makes digests without a model: the most central sentences of prompt and response, in their order.
 * A sentence is central when its words are frequent in the text, counted once in each sentence.
 *
 * Source: Nenkova, Vanderwende: The Impact of Frequency on Summarization (MSR-TR-2005-101).
 */
export function offlineSummarizer(limits: SummaryLimits): Summarizer {
  return async ({ prompt, response }) => {
    const keywords = keywordsOf(`${prompt}\n${response}`, MAX_KEYWORDS);
    return {
      summary: summarize(prompt, response, limits),
      tags: keywords.slice(0, TAGS),
      keywords,
    };
  };
}

function summarize(prompt: string, response: string, limits: SummaryLimits): string {
  const language = guessLanguage(`${prompt}\n${response}`);
  const asked = sentencesOf(prompt).slice(0, MAX_SENTENCES);
  const answered = sentencesOf(response).slice(0, MAX_SENTENCES);
  const whole = join([...asked, ...answered]);
  if (whole !== '' && fits(whole, limits)) return whole;
  if (whole === '') return shorten(`${prompt}\n${response}`, limits);

  const weights = wordWeights([...asked, ...answered], language);
  const score = (sentence: string): number => scoreOf(sentence, weights, language);
  const question = asked.length > 0 ? shorten(best(asked, score), scale(limits, PROMPT_SHARE)) : '';
  return fill(question, answered.length > 0 ? answered : asked.slice(1), score, limits);
}

function join(sentences: readonly string[]): string {
  return sentences
    .filter(Boolean)
    .join(' ')
    .replaceAll(/(?<=[。！？]) /g, '');
}

function scale({ maxWords, maxTokens }: SummaryLimits, share: number): SummaryLimits {
  return {
    maxWords: Math.floor(maxWords * share),
    ...(maxTokens === undefined ? {} : { maxTokens: Math.floor(maxTokens * share) }),
  };
}

/** Returns the share of sentences that contain each word. */
function wordWeights(sentences: readonly string[], language: Language): Map<string, number> {
  const weights = new Map<string, number>();
  for (const sentence of sentences) {
    for (const word of contentWords(sentence, language)) {
      weights.set(word, (weights.get(word) ?? 0) + 1 / sentences.length);
    }
  }
  return weights;
}

function contentWords(sentence: string, language: Language): Set<string> {
  const words = firstWords(sentence.toLowerCase(), language, MAX_SENTENCE);
  return new Set(
    words
      .map(({ word }) => word)
      .filter((word) => !ENGLISH_STOP_WORDS.has(word) && !/^[\p{sc=Hiragana}\d]$/u.test(word)),
  );
}

/** The mean weight of its words; very short sentences say little by themselves. */
function scoreOf(
  sentence: string,
  weights: ReadonlyMap<string, number>,
  language: Language,
): number {
  const words = contentWords(sentence, language);
  if (words.size === 0) return 0;
  const sum = [...words].reduce((total, word) => total + (weights.get(word) ?? 0), 0);
  return (sum / words.size) * Math.min(1, words.size / 5);
}

function best(sentences: readonly string[], score: (sentence: string) => number): string {
  return sentences.reduce((leader, sentence) =>
    score(sentence) > score(leader) ? sentence : leader,
  );
}

/** Adds sentences, the best first, as long as they fit, and puts them in their order. */
function fill(
  start: string,
  sentences: readonly string[],
  score: (sentence: string) => number,
  limits: SummaryLimits,
): string {
  // The first sentence of an answer tends to be the answer.
  const ranked = [...sentences.entries()].toSorted(
    ([a, x], [b, y]) => score(y) * (b === 0 ? 1.5 : 1) - score(x) * (a === 0 ? 1.5 : 1),
  );
  const chosen: [number, string][] = [];
  const text = (): string =>
    join([start, ...chosen.toSorted(([a], [b]) => a - b).map(([, sentence]) => sentence)]);
  for (const entry of ranked) {
    chosen.push(entry);
    if (!fits(text(), limits)) chosen.pop();
  }
  const [leader] = ranked;
  if (chosen.length === 0 && leader) chosen.push(leader);
  return shorten(text(), limits);
}
