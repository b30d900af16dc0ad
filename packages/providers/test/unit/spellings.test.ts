import { wordAnalyzer, type Term } from '@vizprompt/providers/text';
import { describe, expect, it } from 'vitest';

const analyzer = wordAnalyzer({ stems: 'english' });

/** Terms with the part of the text that each is, those next to the line in brackets. */
function shown(text: string, terms: readonly Term[]): readonly string[] {
  return terms.map(({ position, start, end }) => {
    const part = text.slice(start, end);
    return position === undefined ? `(${part})` : part;
  });
}

describe('signs of words', () => {
  it.each([
    ['C++', ['C++', '(C++)']],
    ['言語はC#。', ['言語', '語は', '(は)', 'C#', '(C#)']],
    ['C++20', ['C++', '(C++)', '20']],
    ['.NET', ['NET', '(.NET)']],
    ['の.env', ['の', 'env', '(.env)']],
    ['a.env', ['a', 'env']],
    ['end.\nNext', ['end', 'Next']],
    ['f().map', ['f', 'map']],
    ['page#top', ['page', 'top']],
    ['# C', ['C']],
    ['#5', ['5']],
    ['a+++b', ['a', 'b']],
    ['1++', ['1']],
    ['+++ b', ['b']],
  ])('of %s', (text, expected) => {
    expect(shown(text, analyzer.analyze(text, 'index'))).toEqual(expected);
  });

  it('are asked for after a word, and rank before one', () => {
    const parts = (query: string): readonly (readonly [string, boolean])[] =>
      analyzer
        .analyze(query, 'query')
        .map(({ start, end, isWeak = false }) => [query.slice(start, end), isWeak] as const);
    expect(parts('C++ F#')).toEqual([
      ['C++', false],
      ['F#', false],
    ]);
    expect(parts('.NET')).toEqual([
      ['NET', false],
      ['.NET', true],
    ]);
  });
});

it.each(['C++ と .NET と C#', '渡邊と髙橋と𠮷野家と葛󠄀飾', '# i++;\n  .map(x) 山﨑'])(
  'finds in %s what it has, and asks for it by terms that it has',
  (text) => {
    const terms = analyzer.analyze(text, 'index');
    for (const term of terms) {
      const found = analyzer.find?.(text, [{ text: term.text, isPrefix: false }]) ?? [];
      expect(found).toContainEqual(expect.objectContaining({ text: term.text, start: term.start }));
    }
    const stored = new Set(terms.map((term) => term.text));
    for (const { text: asked, isPrefix } of analyzer.analyze(text, 'query')) {
      const isStored = isPrefix === true || stored.has(asked);
      expect(isStored).toBe(true);
    }
  },
);

it.each([
  ['渡邊', '渡辺'],
  ['﨑', '崎'],
  ['𠮷野', '吉野'],
  ['葛\u{e0100}', '葛'],
])('%s has the terms of %s', (rare, common) => {
  const [own] = analyzer.analyze(rare, 'index');
  expect(own).toMatchObject({ start: 0, end: rare.length });
  expect(own?.text).toBe(analyzer.analyze(common, 'index')[0]?.text);
});
