import type { Analyzer } from '../analyze/analyzer.ts';
import type { QueryClause } from '../query/query.ts';

/** A part of speech that only bends the word before it: た of 走った. */
const ENDING = /^助動詞/;

/**
 * Checks whether an excluded clause is about its text alone: a phrase, or several words, such as `-灯台守の娘`. All of these may
 * be far from each other in a chunk that is about something else.
 */
export function isTextAlone(clause: QueryClause, analyzer: Analyzer): boolean {
  if (clause.kind === 'phrase') return true;
  if (clause.kind !== 'words' || clause.field === 'reading') return false;
  const [, ...others] = analyzer.words(clause.text).filter(({ pos }) => !ENDING.test(pos));
  return others.length > 0;
}
