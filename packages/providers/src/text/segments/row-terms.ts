import { StorageError } from '../../storage/storage-error.ts';
import { rowTerms } from '../index-tables.ts';
import type { CompleteTextIndexOptions, PutRow } from '../text-index.ts';
import { encodePlaces } from './posting-entry.ts';

/** The place of a term: its number in the row times this, plus its label. */
export const LABELS = 4;
/** The label of terms next to the line; those of the line have the number of their field, up to 2. */
export const EXTRA_LABEL = 3;
/** The term that all rows have; its place is how many terms a row has. */
export const EVERY_ROW = '';

/** A row with its terms as text: a line for each field, then that of the extra terms. */
export interface FreshRow {
  readonly id: number;
  readonly terms: string;
}

/** The most bytes of a term: it is part of keys of indexes, which hold 2,704 bytes. */
const TERM_BYTES = 1000;

/** Finds terms that may have more: a unit of a string is at most three of them. */
const LONG = /(?<![^ \n])[^ \n]{334}[^ \n]*/g;

function assertFits(term: string): void {
  if (Buffer.byteLength(term) <= TERM_BYTES) return;
  throw new StorageError(
    'misuse',
    `cannot index a term of ${Buffer.byteLength(term)} bytes: expected at most ${TERM_BYTES}. Cut it in the analyzer`,
  );
}

/**
 * Returns the terms of a row as text. Terms have no spaces, and so no line breaks.
 *
 * @throws StorageError with the code `misuse` if a term is too long.
 */
export function termsText(
  { fields, analyzer }: Pick<CompleteTextIndexOptions, 'fields' | 'analyzer'>,
  row: PutRow,
  tags: readonly string[],
): string {
  const extra = [...tags];
  const lines = Object.keys(fields).map((name) => {
    const terms = rowTerms(analyzer, row, name);
    for (const term of terms.extra) extra.push(term);
    return terms.line.join(' ');
  });
  const text = [...lines, extra.join(' ')].join('\n');
  for (const [term] of text.matchAll(LONG)) assertFits(term);
  return text;
}

/**
 * Calls `add` for each term of a row with its place. Places of two fields do not follow each other.
 *
 * @returns How many places the row has.
 */
export function eachTerm(
  { terms }: Pick<FreshRow, 'terms'>,
  add: (term: string, place: number) => void,
): number {
  const lines = terms.split('\n');
  let number = 0;
  for (const [field, line] of lines.entries()) {
    const label = field === lines.length - 1 ? EXTRA_LABEL : Math.min(field, EXTRA_LABEL - 1);
    for (const term of line.split(' ')) {
      if (term !== '') add(term, LABELS * number++ + label);
    }
    number++;
  }
  return number;
}

/** A fresh row with its number among them, and the places of each term as bytes. */
export interface FreshTerms {
  readonly no: number;
  readonly id: number;
  /** How many characters its terms have. */
  readonly size: number;
  readonly places: ReadonlyMap<string, Uint8Array>;
}

/** Returns the terms of a fresh row. */
export function freshTerms(row: FreshRow & { readonly no: number }): FreshTerms {
  const { no, id, terms } = row;
  const found = new Map<string, number[]>();
  const count = eachTerm(row, (term, place) => {
    const known = found.get(term);
    if (known) known.push(place);
    else found.set(term, [place]);
  });
  found.set(EVERY_ROW, [count]);
  const places = new Map([...found].map(([term, own]) => [term, encodePlaces(own)]));
  return { no, id, size: terms.length, places };
}
