/** Where in the query text something stands; UTF-16 offsets. */
export interface QueryRange {
  readonly start: number;
  readonly end: number;
}

/** How a clause counts: it helps to rank, must match, or must not match. */
export type Occurrence = 'should' | 'must' | 'not';

/** A part of a query. */
export type QueryClause = QueryRange & { readonly occur: Occurrence } & (
    | {
        /** Words in natural language; analysed before they are looked for. */
        readonly kind: 'words';
        readonly text: string;
        /** `title`: in titles and headings only. `reading`: by the reading, in kana. */
        readonly field: 'any' | 'title' | 'reading';
      }
    /** The text as it stands, after normalisation. */
    | { readonly kind: 'phrase'; readonly text: string; readonly field: 'any' | 'title' }
    /** A part of a word: `*海*`, `海*` (front), `*海` (back). */
    | {
        readonly kind: 'part';
        readonly text: string;
        readonly at: 'front' | 'back' | 'anywhere';
      }
    /** A regular expression over the text of a chunk, in RE2 syntax. */
    | { readonly kind: 'regex'; readonly source: string; readonly flags: string }
    | { readonly kind: 'tag'; readonly tag: string }
    | { readonly kind: 'path'; readonly glob: string }
  );

/** A query, taken apart. */
export interface Query {
  readonly source: string;
  readonly clauses: readonly QueryClause[];
}
