import type { TextAnalyzer } from '@vizprompt/providers/text';
import { wordsOf } from './question.ts';

/** Text beyond this length is not looked at. */
const MAX_LENGTH = 20_000;
/** Where one thing that is said ends, code included. */
const BORDER = /[。．！？!?\n]+|\.\s/;

/**
 * How much of a question one sentence of each text has at best: the words that both have, rare ones
 * counting more. A long text in which the words are only scattered scores low.
 *
 * @returns For each text, the share of the question: from 0 to 1, where one sentence has all of it.
 */
export function scorePassages(
  analyzer: TextAnalyzer,
  query: string,
  texts: readonly string[],
): number[] {
  const words = wordsOf(analyzer, query);
  const sentences = texts.map((text) =>
    text
      .slice(0, MAX_LENGTH)
      .split(BORDER)
      .map((sentence) => shared(analyzer, words, sentence)),
  );
  const all = sentences.flat();
  const counts = words.map((_, word) => all.filter((found) => found.includes(word)).length);
  const weights = counts.map((count) => Math.log(1 + all.length / Math.max(1, count)));
  const weigh = (found: readonly number[]): number =>
    found.reduce((sum, word) => sum + (weights[word] ?? 0), 0);
  const whole = weigh([...words.keys()]);
  return sentences.map((list) => (whole > 0 ? Math.max(0, ...list.map(weigh)) / whole : 0));
}

/** Which of the words a sentence has. */
function shared(
  analyzer: TextAnalyzer,
  words: readonly (readonly string[])[],
  sentence: string,
): number[] {
  const terms = new Set(analyzer.analyze(sentence, 'index').map(({ text }) => text));
  return words.flatMap((word, at) => (word.every((term) => terms.has(term)) ? [at] : []));
}
