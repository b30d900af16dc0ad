import { StorageError } from '../../storage/storage-error.ts';
import { rowTerms } from '../index-tables.ts';
import type { CompleteTextIndexOptions, NewRow } from '../text-index.ts';
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

/** A unit of a string is at most three bytes, so terms up to this length fit. */
const SHORT = Math.floor(TERM_BYTES / 3);

/** Checks terms that may be too long. It looks at few units of the others: no term begins and ends between two of them. */
function assertAllFit(text: string): void {
  for (let from = 0; from + SHORT < text.length;) {
    let at = from + SHORT;
    while (at >= from && !isBetween(text.charCodeAt(at))) at--;
    if (at < from) {
      at = from + SHORT;
      while (at < text.length && !isBetween(text.charCodeAt(at))) at++;
      assertFits(text.slice(from, at));
    }
    from = at + 1;
  }
}

function isBetween(unit: number): boolean {
  return unit === SPACE || unit === BREAK;
}

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
  row: NewRow,
  tags: readonly string[],
): string {
  const extra = [...tags];
  const lines = Object.keys(fields).map((name) => {
    const terms = rowTerms(analyzer, row, name);
    for (const term of terms.extra) extra.push(term);
    return terms.line.join(' ');
  });
  const text = [...lines, extra.join(' ')].join('\n');
  assertAllFit(text);
  return text;
}

/**
 * Calls `add` for each term of a row, from its start to its end in the text, with its place. Places of two fields do not
 * follow each other.
 *
 * @returns How many places the row has.
 */
export function eachSpan(
  text: string,
  add: (start: number, end: number, place: number) => void,
): number {
  const last = text.lastIndexOf('\n');
  let number = 0;
  let label = last < 0 ? EXTRA_LABEL : 0;
  for (let at = 0; at <= text.length; at++) {
    const start = at;
    let unit = BREAK;
    for (; at < text.length; at++) {
      unit = text.charCodeAt(at);
      if (isBetween(unit)) break;
      unit = BREAK;
    }
    if (at > start) add(start, at, LABELS * number++ + label);
    if (unit === SPACE) continue;
    number++;
    label = at >= last ? EXTRA_LABEL : Math.min(label + 1, EXTRA_LABEL - 1);
  }
  return number;
}

const SPACE = 32;
const BREAK = 10;

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
  const count = eachSpan(terms, (start, end, place) => {
    const term = terms.slice(start, end);
    const known = found.get(term);
    if (known) known.push(place);
    else found.set(term, [place]);
  });
  found.set(EVERY_ROW, [count]);
  const places = new Map([...found].map(([term, own]) => [term, encodePlaces(own)]));
  return { no, id, size: terms.length, places };
}
