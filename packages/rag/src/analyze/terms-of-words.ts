import type { Term } from '@vizprompt/providers/text';
import type { Word } from './analyzer.ts';

/** The terms of words: those that can be searched for, and beside the line what else finds them. */
export function termsOfWords(words: readonly Word[], mode: 'index' | 'query'): readonly Term[] {
  const terms: Term[] = [];
  let position = 0;
  for (const { start, end, basic, extra = [], isContent } of words) {
    if (isContent) terms.push({ text: basic, start, end, position: position++ });
    for (const text of extra) {
      terms.push({ text, start, end, ...(mode === 'query' && { isWeak: true }) });
    }
  }
  return terms;
}
