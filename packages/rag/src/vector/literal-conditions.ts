import { SearchError } from '../errors.ts';
import type { Query, QueryClause } from '../query/query.ts';
import { textConditions } from '../search/answer-query.ts';

/** Checks whether a text with its titles may be found. */
export type TextPredicate = (text: string, titles: readonly string[]) => boolean;

/** Signs alone mean nothing. */
const MEANING = /[\p{L}\p{N}\p{Extended_Pictographic}]/u;

/** Returns the text to compare by meaning: the words and phrases of a query. Empty if it has none. */
export function meaningOf({ clauses }: Query): string {
  const text = clauses
    .flatMap((clause) => {
      const isText = clause.kind === 'words' || clause.kind === 'phrase' || clause.kind === 'part';
      return isText && clause.occur !== 'not' ? [clause.text] : [];
    })
    .join(' ')
    .trim();
  return MEANING.test(text) ? text : '';
}

/** Checks whether a query asks for anything but words in plain language, tags and paths. */
export function isLiteral({ clauses }: Query): boolean {
  return clauses.some(
    (clause) => !(clause.kind === 'tag' || clause.kind === 'path' || isPlain(clause)),
  );
}

/**
 * Returns the conditions of a query on the texts themselves, without an analyzer: words with a sign, in titles, and parts
 * of words must be there (or not) letter by letter.
 *
 * @throws SearchError for readings, which only an index of words knows.
 */
export async function literalConditions(query: Query): Promise<TextPredicate | undefined> {
  if (!isLiteral(query)) return undefined;
  const { accepts } = await textConditions(query);
  const checks = query.clauses.flatMap((clause) => checkOf(clause));
  return (text, titles) =>
    (accepts?.(text, titles) ?? true) &&
    checks.every((check) => check(fold(text), fold(titles.join('\n'))));
}

type Check = (text: string, titles: string) => boolean;

function checkOf(clause: QueryClause): readonly Check[] {
  if (isPlain(clause) || (clause.kind !== 'words' && clause.kind !== 'part')) return [];
  if (clause.kind === 'words' && clause.field === 'reading') {
    throw new SearchError(
      `'${clause.text}' is asked for by its reading, which a search by meaning does not know: ` +
        'use a backend of words, or HybridBackend',
      { position: clause.start },
    );
  }
  const word = fold(clause.text.trim());
  const isTitle = clause.kind === 'words' && clause.field === 'title';
  if (clause.kind === 'part' && clause.occur === 'should') return [];
  return [
    (text, titles) =>
      (titles.includes(word) || (!isTitle && text.includes(word))) === (clause.occur !== 'not'),
  ];
}

function isPlain(clause: QueryClause): boolean {
  return clause.kind === 'words' && clause.occur === 'should' && clause.field === 'any';
}

function fold(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}
