import { expect, it } from 'vitest';
import { eachSpan, LABELS, EXTRA_LABEL } from '../../src/text/segments/row-terms.ts';
import { TermNumbers } from '../../src/text/segments/term-numbers.ts';
import { orderOfTerms } from '../../src/text/segments/term-order.ts';

/** Characters from all parts of the order: surrogates come after U+E000, which comes after Han. */
const UNITS = ['a', 'b', 'z', '認', '\ud7ff', '\ue000', '\uffff', '😀', '𠮷', 'é'];

function termsUpTo(length: number): string[] {
  if (length === 0) return [''];
  const shorter = termsUpTo(length - 1);
  return ['', ...UNITS.flatMap((unit) => shorter.map((rest) => unit + rest))];
}

it('the order of terms is that of their bytes in UTF-8', () => {
  const terms = [...new Set(termsUpTo(3))].toReversed();
  const sorted = terms.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  expect(orderOfTerms(terms).map((place) => terms[place])).toEqual(sorted);
});

it('a term has one number, wherever it is in a text, however many there are', () => {
  const numbers = new TermNumbers();
  const words = Array.from({ length: 100_000 }, (_, at) => `w${at % 60_000}語`);
  const text = words.join(' ');
  let at = 0;
  for (const [place, word] of words.entries()) {
    expect(numbers.of(text, at, at + word.length)).toBe(place % 60_000);
    at += word.length + 1;
  }
  expect(numbers.terms).toEqual(words.slice(0, 60_000));
});

it.each([
  ['a b\nc\n\nd', ['a 0', 'b 0', 'c 1', 'd 3'], [0, 1, 3, 6]],
  [' a  b \n', ['a 0', 'b 0'], [0, 1]],
  ['a\nb\nc\nd\ne', ['a 0', 'b 1', 'c 2', 'd 2', 'e 3'], [0, 2, 4, 6, 8]],
  ['a', ['a 3'], [0]],
  ['', [], []],
])('the terms of %j have their field and place', (text, terms, places) => {
  const found: [string, number][] = [];
  const count = eachSpan(text, (start, end, place) => found.push([text.slice(start, end), place]));
  expect(found.map(([term, place]) => `${term} ${place % LABELS}`)).toEqual(terms);
  expect(found.map(([, place]) => Math.floor(place / LABELS))).toEqual(places);
  expect(count).toBe(text.split(/[\n]/).length + terms.length);
  expect(EXTRA_LABEL).toBe(LABELS - 1);
});
