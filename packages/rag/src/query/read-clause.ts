import type { Occurrence, QueryClause } from './query.ts';
import { isTokenStart, readQuoted, tokenEnd } from './query-text.ts';

/** Where a clause begins, with its sign, and what the sign says. */
interface Head {
  readonly start: number;
  readonly occur: Occurrence;
  /** `occur` of what can only be true or false. */
  readonly demand: 'must' | 'not';
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

/** The first character of a regex is no space and not that of a comment. */
const REGEX = /\/((?![\s/*])(?:[^/\\\n]|\\[^\n])*)\/([gimsu]*)(?!\S)/uy;

/** What a sign can stand before. Digits are not among it: `-5 度` is a temperature. */
const SIGNED = /^[\p{L}\p{So}「『【《]/u;

/** The operator that begins here; nothing if what stands here are words. */
export function readClause(source: string, at: number): QueryClause | undefined {
  if (!isTokenStart(source, at)) return readPhrase(source, at, headOf(at, undefined));
  const sign = Object.hasOwn(SIGNS, source.charAt(at)) ? SIGNS[source.charAt(at)] : undefined;
  const body = sign === undefined ? at : at + 1;
  const head = headOf(at, sign);
  for (const read of [readPhrase, readRegex, readField, readPart]) {
    const clause = read(source, body, head);
    if (clause !== undefined) return clause;
  }
  return sign === undefined ? undefined : readSigned(source, body, head);
}

function headOf(start: number, sign: 'must' | 'not' | undefined): Head {
  return { start, occur: sign ?? 'should', demand: sign ?? 'must' };
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

const readSigned: ClauseReader = (source, at, { start, occur }) => {
  const end = tokenEnd(source, at);
  const text = source.slice(at, end);
  // `-運命の夜-` is how subtitles are set.
  if (!SIGNED.test(text) || (occur === 'not' && /[-－−]$/u.test(text))) return undefined;
  return { kind: 'words', start, end, occur, text, field: 'any' };
};
