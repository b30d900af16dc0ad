import { wordAnalyzer, type TextAnalyzer } from '@vizprompt/providers/text';

let analyzer: TextAnalyzer | undefined;

/** The analyser of every memory that is given none: the words that it remembers are shared. */
export function memoryAnalyzer(): TextAnalyzer {
  return (analyzer ??= wordAnalyzer({ stems: 'english' }));
}
