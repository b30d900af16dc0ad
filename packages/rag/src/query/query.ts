/** Where in the query text something stands; UTF-16 offsets. */
export interface QueryRange {
  readonly start: number;
  /** Behind its last character. */
  readonly end: number;
}

/** How a clause counts: it helps to rank, must match, or must not match. */
export type Occurrence = 'should' | 'must' | 'not';

/** Words in natural language; analysed before they are looked for. */
export interface WordsClause extends QueryRange {
  readonly kind: 'words';
  /** Without a sign: one word is enough. `must`, `not`: all of its words. */
  readonly occur: Occurrence;
  /** As it stands in the query, spaces and signs among it. */
  readonly text: string;
  /** `title`: in titles and headings only. `reading`: by the reading, in kana. */
  readonly field: 'any' | 'title' | 'reading';
}

/** A text as it stands, after normalisation, with its ruby or without. */
export interface PhraseClause extends QueryRange {
  readonly kind: 'phrase';
  /** Without a sign: `must`, as whoever quotes wants these very words. */
  readonly occur: 'must' | 'not';
  readonly text: string;
  readonly field: 'any' | 'title';
}

/** A part of a word: `*海*`, `海*` (front), `*海` (back). */
export interface PartClause extends QueryRange {
  readonly kind: 'part';
  readonly occur: Occurrence;
  readonly text: string;
  readonly at: 'front' | 'back' | 'anywhere';
}

/** A regular expression over the text of a chunk, in RE2 syntax. It is not looked at yet. */
export interface RegexClause extends QueryRange {
  readonly kind: 'regex';
  /** Without a sign: `must`, as nothing can be ranked by it. */
  readonly occur: 'must' | 'not';
  readonly source: string;
  /** Any of `gimsu`. */
  readonly flags: string;
}

/** A tag of the chunk. */
export interface TagClause extends QueryRange {
  readonly kind: 'tag';
  /** Without a sign: `must`. */
  readonly occur: 'must' | 'not';
  readonly tag: string;
}

/** The path of the document. */
export interface PathClause extends QueryRange {
  readonly kind: 'path';
  /** Without a sign: `must`. Where several must match, one of them is enough. */
  readonly occur: 'must' | 'not';
  readonly glob: string;
}

/** A part of a query. */
export type QueryClause =
  | WordsClause
  | PhraseClause
  | PartClause
  | RegexClause
  | TagClause
  | PathClause;

/** A query, taken apart. */
export interface Query {
  readonly source: string;
  /** In the order of the text, apart from each other. Empty if the text is. */
  readonly clauses: readonly QueryClause[];
}
