import { wordAnalyzer } from '@vizprompt/providers/text';
import fc from 'fast-check';
import { expect, it } from 'vitest';

// Old forms, letters beyond the basic plane, one of which has a common form within it, and marks between them.
const character = fc.constantFrom(
  ...('猫國国会館舘。、トークン𠮷𠀋𣘺橋한국ไทยa1 '.match(/./gu) ?? []),
);
const text = fc.array(character, { maxLength: 24 }).map((all) => all.join(''));

it('the terms that are wanted are found as the whole analysis has them', () => {
  const analyzer = wordAnalyzer();
  fc.assert(
    fc.property(text, text, (whole, query) => {
      const wanted = analyzer
        .analyze(query, 'query')
        .map((term) => ({ text: term.text, isPrefix: false }));
      const known = new Set(wanted.map((term) => term.text));
      const places = (terms: readonly { text: string; start: number; end: number }[]): string[] =>
        terms
          .filter((term) => known.has(term.text))
          .map((term) => `${term.start}-${term.end} ${term.text}`)
          .toSorted();
      const found = analyzer.find?.(whole, wanted) ?? [];
      expect(places(found)).toEqual(places(analyzer.analyze(whole, 'index')));
    }),
    { numRuns: 500 },
  );
});
