import { TEXT } from '@vizprompt/providers/config';
import { checkArgument } from '../check-options.ts';
import { SearchError } from '../errors.ts';
import type { Query, QueryClause, QueryRange } from './query.ts';
import { isSpace, tokenEnd } from './query-text.ts';
import { readClause } from './read-clause.ts';

/** How long a query may be, in UTF-16 code units. */
export const MAX_QUERY_LENGTH = 4096;

/**
 * Takes a query apart. Plain language needs no care: what is not clearly an operator is searched for,
 * so there are no errors of syntax. Operators begin a token, that is, stand behind a space or at the
 * beginning; full-width `＋`, `－`, `：`, `＂` and `＊` do too.
 *
 * | | |
 * |---|---|
 * | `灯台守の娘は誰？` | words, ranked; they stay together, so that they are analysed in context |
 * | `"灯台守の娘"` | the text as it stands, with its ruby or without; also in `“ ”`; `「」` are no quotes |
 * | `+嵐`, `-"灯台守の娘"`, `-tag:草稿` | must match, must not match |
 * | `tag:人物`, `path:設定/**`, `path:"a b/*.md"` | must be so; of several paths, one |
 * | `title:灯台`, `title:"灯台の夜"` | in titles and headings |
 * | `よみ:とうだい`, `yomi:トウダイ` | by the reading |
 * | `灯*`, `*守`, `*台*` | the front, the back, any part of a word |
 * | `/第[0-9]+章/i` | a regular expression in RE2 syntax; a slash inside is `\/` |
 *
 * A quote that is not closed is searched for as it stands, and so is a sign before a digit (`-5 度`;
 * `-"5"` leaves out). Whether a regular expression is right shows when it is compiled.
 *
 * @throws SearchError if the query is longer than 4,096 UTF-16 code units.
 *
 * @example
 * ```ts
 * parseQuery('灯台の 鍵 -tag:草稿').clauses.map(({ kind, start, end }) => [kind, start, end]);
 * // [['words', 0, 5], ['tag', 6, 13]]
 * ```
 */
export function parseQuery(source: string): Query {
  checkArgument('the query', source, TEXT);
  if (source.length > MAX_QUERY_LENGTH) {
    throw new SearchError(
      `the query has ${source.length} characters and may have ${MAX_QUERY_LENGTH}: ` +
        'search for the sentences that matter',
      { position: MAX_QUERY_LENGTH },
    );
  }
  const clauses: QueryClause[] = [];
  let words: QueryRange | undefined;
  const closeWords = (): void => {
    if (words === undefined) return;
    const { start, end } = words;
    const text = source.slice(start, end);
    clauses.push({ kind: 'words', start, end, occur: 'should', text, field: 'any' });
    words = undefined;
  };

  for (let at = 0; at < source.length;) {
    if (isSpace(source.charAt(at))) {
      at += 1;
      continue;
    }
    const clause = readClause(source, at);
    if (clause === undefined) {
      const end = tokenEnd(source, at);
      words = { start: words?.start ?? at, end };
      at = end;
    } else {
      closeWords();
      clauses.push(clause);
      at = clause.end;
    }
  }
  closeWords();
  return { source, clauses };
}
