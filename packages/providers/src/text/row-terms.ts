import { termTexts, type TermTexts, type TextAnalyzer } from '../analysis/text-analyzer.ts';
import type { PutRow } from './text-index.ts';

/** The terms of a field of a row: those that were found before, then those of its text. */
export function rowTerms(
  analyzer: TextAnalyzer,
  { fields, terms = {} }: PutRow,
  name: string,
): TermTexts {
  const found = terms[name];
  const text = fields[name] ?? '';
  if (!found) return termTexts(analyzer, text);
  if (text === '') return found;
  const { line, extra } = termTexts(analyzer, text);
  return { line: [...found.line, ...line], extra: [...found.extra, ...extra] };
}
