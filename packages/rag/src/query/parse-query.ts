import { TEXT } from '@vizprompt/providers/config/internal';
import { checkArgument } from '../check-options.ts';
import { SearchError } from '../errors.ts';
import type { Query, QueryClause, QueryRange, Occurrence } from './query.ts';

/** How long a query may be, in UTF-16 code units. */
export const MAX_QUERY_LENGTH = 4096;

/**
 * Takes a query apart. Plain language needs no care: what is not clearly an operator is searched for,
 * so there are no errors of syntax. Operators begin a token, that is, are after a space or at the
 * beginning; full-width `＋`, `－`, `：`, `＂` and `＊` do too.
 *
 * | | |
 * |---|---|
 * | `灯台守の娘は誰？` | words, ranked; they stay together, so that they are analyzed in context |
 * | `"灯台守の娘"` | the text as it is, with its ruby or without; also in `“ ”`; `「」` are not quotes |
 * | `+嵐`, `-"灯台守の娘"`, `-tag:草稿` | must match, must not match |
 * | `tag:人物`, `path:設定/**`, `path:"a b/*.md"` | must be so; of several paths, one |
 * | `title:灯台`, `title:"灯台の夜"` | in titles and headings |
 * | `よみ:とうだい`, `yomi:トウダイ` | by the reading |
 * | `灯*`, `*守`, `*台*` | the front, the back, any part of a word |
 * | `/第[0-9]+章/i` | a regular expression in RE2 syntax; a slash inside is `\/` |
 *
 * A quote that is not closed is searched for as it is, and so is a sign before a number (`-5 度`, `10章 -12章`;
 * `-"5"` leaves out, and `-17歳`, which no negative number is). A regular expression is validated when it is compiled.
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
    const clause = readClause(source, at, words);
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

/** Where a clause begins, with its sign, and what the sign says. */
interface Head {
  readonly start: number;
  readonly occur: Occurrence;
  /** `occur` of what can only be true or false. */
  readonly demand: 'must' | 'not';
  /** The words right before it, without an operator. */
  readonly before: QueryRange | undefined;
}

type ClauseReader = (source: string, at: number, head: Head) => QueryClause | undefined;

/** Full-width signs and the minus sign too: that is what Japanese input methods write. */
const SIGNS: Readonly<Record<string, 'must' | 'not'>> = {
  '+': 'must',
  '＋': 'must',
  '-': 'not',
  '－': 'not',
  '−': 'not',
};

const FIELD = /(\p{L}{2,8})[:：]/uy;
const FIELDS: Readonly<Record<string, 'tag' | 'path' | 'title' | 'reading'>> = {
  tag: 'tag',
  path: 'path',
  title: 'title',
  yomi: 'reading',
  よみ: 'reading',
};

const PART = /^([*＊]?)([\p{L}\p{N}_](?:[\p{L}\p{N}\p{M}_・.'’-]*[\p{L}\p{N}\p{M}_])?)([*＊]?)$/u;

/** The first character of a regex is not space and not that of a comment. */
const REGEX = /\/((?![\s/*])(?:[^/\\\n]|\\[^\n])*)\/([gimsu]*)(?!\S)/uy;

/**
 * Matches what a minus sign excludes. Digits are only where their counter says that they are an age or a place in an order,
 * which are never negative: `-17歳` and `-3章`, but `-5 度` and `前年比 -5人` are. `-〇〇` and `-①` are none.
 */
const SIGNED =
  /^(?:[\p{L}\p{Nl}\p{So}\u2460-\u249b\u24ea-\u24ff\u2776-\u2793\u3220-\u3229\u3251-\u325f\u3280-\u3289\u32b1-\u32bf「『【《]|[0-9０-９]{1,12}(?:[歳才章話巻部編号頁幕節]|ページ|丁目|世紀))/u;
/** A number and its counter. */
const COUNTED = /^[0-9０-９]{1,12}([歳才章話巻部編号頁幕節]|ページ|丁目|世紀)/u;
const COUNTED_BEFORE = /[0-9０-９]([歳才章話巻部編号頁幕節]|ページ|丁目|世紀)[~〜～]?\s{0,9}$/u;

/** Returns the operator that begins here; nothing if there are words here. */
function readClause(
  source: string,
  at: number,
  before: QueryRange | undefined,
): QueryClause | undefined {
  if (!isTokenStart(source, at)) return readPhrase(source, at, headOf(at, undefined, before));
  const sign = Object.hasOwn(SIGNS, source.charAt(at)) ? SIGNS[source.charAt(at)] : undefined;
  const body = sign === undefined ? at : at + 1;
  const head = headOf(at, sign, before);
  for (const read of [readPhrase, readRegex, readField, readPart]) {
    const clause = read(source, body, head);
    if (clause !== undefined) return clause;
  }
  return sign === undefined ? undefined : readSigned(source, body, head);
}

function headOf(
  start: number,
  sign: 'must' | 'not' | undefined,
  before: QueryRange | undefined,
): Head {
  return { start, occur: sign ?? 'should', demand: sign ?? 'must', before };
}

const readPhrase: ClauseReader = (source, at, { start, demand: occur }) => {
  const quoted = readQuoted(source, at);
  return (
    quoted && { kind: 'phrase', start, end: quoted.end, occur, text: quoted.text, field: 'any' }
  );
};

const readRegex: ClauseReader = (source, at, { start, demand }) => {
  REGEX.lastIndex = at;
  const [all, pattern = '', flags = ''] = REGEX.exec(source) ?? [];
  // `A /B / C` is a list, `/x/mm` a path.
  if (all === undefined || /\s$/u.test(pattern) || new Set(flags).size < flags.length) {
    return undefined;
  }
  return { kind: 'regex', start, end: at + all.length, occur: demand, source: pattern, flags };
};

const readField: ClauseReader = (source, at, { start, occur, demand }) => {
  FIELD.lastIndex = at;
  const [head, name = ''] = FIELD.exec(source) ?? [];
  const key = name.normalize('NFKC').toLowerCase();
  if (head === undefined || !Object.hasOwn(FIELDS, key)) return undefined;
  const valueAt = at + head.length;
  const quoted = readQuoted(source, valueAt);
  const end = quoted?.end ?? tokenEnd(source, valueAt);
  const text = quoted?.text ?? source.slice(valueAt, end);
  if (text === '' || (quoted === undefined && /^["＂“”]/u.test(text))) return undefined;
  switch (FIELDS[key]) {
    case 'tag':
      return { kind: 'tag', start, end, occur: demand, tag: text };
    case 'path':
      return { kind: 'path', start, end, occur: demand, glob: text };
    case 'title': {
      const words = { start, end, text, field: 'title' } as const;
      return quoted === undefined
        ? { kind: 'words', occur, ...words }
        : { kind: 'phrase', occur: demand, ...words };
    }
    default:
      return { kind: 'words', start, end, occur, text, field: 'reading' };
  }
};

const readPart: ClauseReader = (source, at, { start, occur }) => {
  const end = tokenEnd(source, at);
  const [, before = '', text = '', behind = ''] = PART.exec(source.slice(at, end)) ?? [];
  if (before === '' && behind === '') return undefined;
  const place = before === '' ? 'front' : behind === '' ? 'back' : 'anywhere';
  return { kind: 'part', start, end, occur, text, at: place };
};

const readSigned: ClauseReader = (source, at, { start, occur, before }) => {
  const end = tokenEnd(source, at);
  const text = source.slice(at, end);
  // `-運命の夜-` is how subtitles are set.
  if (!SIGNED.test(text) || (occur === 'not' && /[-－−]$/u.test(text))) return undefined;
  // `10章 -12章` is from one to the other, but of `-10章 -12章` each is left out.
  const [, counter] = COUNTED.exec(text) ?? [];
  const from = before && source.slice(Math.max(before.start, start - 16), start);
  const [, same] = COUNTED_BEFORE.exec(from ?? '') ?? [];
  if (occur === 'not' && counter !== undefined && counter === same) return undefined;
  return { kind: 'words', start, end, occur, text, field: 'any' };
};

const SPACE = /\s/gu;

/** Checks whether a token can begin here: at the beginning of the query or after a space. */
function isTokenStart(source: string, at: number): boolean {
  return at === 0 || isSpace(source.charAt(at - 1));
}

/** Spaces, also the full-width one. */
function isSpace(character: string): boolean {
  return character !== '' && character.trim() === '';
}

/** Returns the end of the token that begins here: at the next space or the end of the query. */
function tokenEnd(source: string, at: number): number {
  SPACE.lastIndex = at;
  return SPACE.exec(source)?.index ?? source.length;
}

/** The text in quotes. */
interface Quoted {
  readonly text: string;
  /** After the closing quote. */
  readonly end: number;
}

/** Quotes of one set close each other: input methods mix them. `「」` quote speech, not phrases. */
const QUOTE_SETS = [/["＂]/gu, /[“”]/gu];

/** Returns the quoted text that begins here; nothing if the quote is not closed or holds only spaces. */
function readQuoted(source: string, at: number): Quoted | undefined {
  for (const quote of QUOTE_SETS) {
    quote.lastIndex = at;
    if (quote.exec(source)?.index !== at) continue;
    const close = quote.exec(source)?.index;
    const text = close === undefined ? '' : source.slice(at + 1, close).trim();
    return close === undefined || text === '' ? undefined : { text, end: close + 1 };
  }
  return undefined;
}
