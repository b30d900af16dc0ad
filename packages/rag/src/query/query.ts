/** A part of a query. `start` and `end` are UTF-16 offsets in the query, `end` past the last character. */
export type QueryClause = { readonly start: number; readonly end: number } &
  /** Words in natural language; analyzed before they are searched. */
  (
    | {
        readonly kind: 'words';
        /** Without a sign `should`: one word is enough. `must`: all of its words. `not`: one word, or the text of several. */
        readonly occur: 'should' | 'must' | 'not';
        /** As it is in the query, with spaces and signs. */
        readonly text: string;
        /** `title`: in titles and headings only. `reading`: by the reading, in kana. */
        readonly field: 'any' | 'title' | 'reading';
      }
    /** A text as it is, after normalization, with its ruby or without. */
    | {
        readonly kind: 'phrase';
        /** Without a sign `must`, as quotes ask for these very words. */
        readonly occur: 'must' | 'not';
        readonly text: string;
        readonly field: 'any' | 'title';
      }
    /** A part of a word: `*海*`, `海*` (front), `*海` (back). */
    | {
        readonly kind: 'part';
        readonly occur: 'should' | 'must' | 'not';
        readonly text: string;
        readonly at: 'front' | 'back' | 'anywhere';
      }
    /** A regular expression over the text of a chunk, in RE2 syntax, not compiled yet. */
    | {
        readonly kind: 'regex';
        /** Without a sign `must`, as it cannot rank. */
        readonly occur: 'must' | 'not';
        readonly source: string;
        /** Any of `gimsu`. */
        readonly flags: string;
      }
    /** A tag of the chunk. Without a sign `must`. */
    | { readonly kind: 'tag'; readonly occur: 'must' | 'not'; readonly tag: string }
    /** The path of the document. Without a sign `must`; one of several that must match is enough. */
    | { readonly kind: 'path'; readonly occur: 'must' | 'not'; readonly glob: string }
  );

/** A parsed query. */
export interface Query {
  readonly source: string;
  /** In the order of the text, without overlaps. Empty if the query is. */
  readonly clauses: readonly QueryClause[];
}

/** The place of something in a query, as in {@link QueryClause}. */
export interface QueryRange {
  readonly start: number;
  readonly end: number;
}

/** How a clause counts: it helps to rank, must match, or must not match. */
export type Occurrence = QueryClause['occur'];

/** The clauses of one kind. */
export type ClauseOf<Kind extends QueryClause['kind']> = Extract<
  QueryClause,
  { readonly kind: Kind }
>;
