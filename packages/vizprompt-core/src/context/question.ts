import type { TextAnalyzer } from '@vizprompt/providers/text';
import { keywordsOf } from '../build/keywords.ts';
import { ENGLISH_STOP_WORDS } from '../build/stop-words.ts';

/** Longer prompts are searched by their keywords. */
const MAX_LENGTH = 200;
const MAX_KEYWORDS = 32;

/** The words that say what a prompt is about: a search looks at no more than some dozens. */
export function queryOf(prompt: string): string {
  const plain = prompt.replaceAll('"', ' ');
  const words =
    plain.length > MAX_LENGTH
      ? keywordsOf(plain, MAX_KEYWORDS).join(' ')
      : plain.replaceAll(/[A-Za-z']+/g, (word) =>
          ENGLISH_STOP_WORDS.has(word.toLowerCase()) ? ' ' : word,
        );
  if (words.trim() === '') return plain.slice(0, MAX_LENGTH);
  // What is one word here may be two words there: 画像変換, 画像の変換.
  return words.replaceAll(/\p{sc=Han}{3,}/gu, (run) => pairsOf(Array.from(run)).join(' '));
}

function pairsOf(characters: readonly string[]): string[] {
  return characters.slice(1).map((character, at) => `${characters[at] ?? ''}${character}`);
}

/** The words of a query, each as the terms that a text with the word has. */
export function wordsOf(analyzer: TextAnalyzer, query: string): readonly (readonly string[])[] {
  const words = new Map<string, string[]>();
  for (const [at, { text, group, isWeak }] of analyzer.analyze(query, 'query').entries()) {
    if (isWeak) continue;
    const key = group === undefined ? `alone ${at}` : `group ${group}`;
    words.set(key, [...(words.get(key) ?? []), text]);
  }
  return [...new Map([...words.values()].map((terms) => [terms.join(' '), terms])).values()];
}
