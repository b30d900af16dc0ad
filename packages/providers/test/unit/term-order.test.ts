import { expect, it } from 'vitest';
import { eachSpan, LABELS, EXTRA_LABEL } from '../../src/text/segments/row-terms.ts';
import { TermNumbers } from '../../src/text/segments/gather-terms.ts';
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

// Where each is compared with all before it, the limit of the runner ends this.
it('terms that were chosen to have one hash take little more time than others', () => {
  const words = wordsOfOneHash(15);
  const text = words.join(' ');
  const numbers = new TermNumbers();
  const given: number[] = [];
  for (let round = 0; round < 2; round++) {
    let at = 0;
    for (const word of words) {
      given.push(numbers.of(text, at, at + word.length));
      at += word.length + 1;
    }
  }
  const places = [...words.keys()];
  expect(given).toEqual([...places, ...places]);
  expect(numbers.terms).toEqual(words);
});

const PRIME = 0x01000193;

/**
 * Returns 2 to the power of `pairs` words of one FNV-1a hash that starts with their length: of each two units there are two
 * choices that lead to the same value, as the second one can make up for the lower half of what differs.
 */
function wordsOfOneHash(pairs: number): readonly string[] {
  let words = [''];
  let hash = 2 * pairs;
  for (let pair = 0; pair < pairs; pair++) {
    const seen = new Map<number, number>();
    for (let unit = 0x4e00; ; unit++) {
      const value = Math.imul(hash ^ unit, PRIME);
      const other = seen.get(value >>> 16);
      seen.set(value >>> 16, unit);
      if (other === undefined) continue;
      const [low, lowOther] = [value & 0xffff, Math.imul(hash ^ other, PRIME) & 0xffff];
      const blocks = [
        String.fromCharCode(unit, 0x5000),
        String.fromCharCode(other, 0x5000 ^ low ^ lowOther),
      ];
      words = words.flatMap((word) => blocks.map((block) => word + block));
      hash = Math.imul(value ^ 0x5000, PRIME);
      break;
    }
  }
  return words;
}

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
