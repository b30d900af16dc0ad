import { wordAnalyzer } from '@vizprompt/providers/text';
import type { SearchHit } from '@vizprompt/rag';

const analyzer = wordAnalyzer();

/**
 * Returns the answer of a program that understands nothing: of all passages, the sentence that shares most words with the
 * question, and the one after it, as they are.
 */
export function cutOutAnswer(question: string, hits: readonly SearchHit[]): string {
  const wanted = wordsOf(question);
  let best = { shared: -1, text: '' };
  for (const [at, { content }] of hits.entries()) {
    const sentences = content.split(/(?<=[。！？])|\n+/u).filter((one) => one.trim() !== '');
    for (const [start, sentence] of sentences.entries()) {
      const shared = [...wordsOf(sentence)].filter((word) => wanted.has(word)).length;
      const text = sentences.slice(start, start + 2).join('');
      if (shared > best.shared) best = { shared, text: `「${text}」[${at + 1}]` };
    }
  }
  return best.text;
}

function wordsOf(text: string): Set<string> {
  return new Set(analyzer.analyze(text, 'index').map((term) => term.text));
}
