import { wordAnalyzer } from '@vizprompt/providers/text';
import { expect, it } from 'vitest';
import { parseQuery } from '../../src/text/parse-query.ts';

it('leaves weak groups out before strong ones', () => {
  const letters = Array.from({ length: 26 }, (_, at) => String.fromCodePoint(97 + at).repeat(3));
  const accented = letters.map((letter) => `é${letter}`);
  const groups = parseQuery([...accented, 'last', 'words'].join(' '), wordAnalyzer());
  expect(groups).toHaveLength(32);
  const strong = groups.filter(({ isWeak }) => !isWeak);
  const texts = strong.flatMap(({ terms }) => terms.map(({ text }) => text));
  expect(texts).toEqual([...letters.map((letter) => `e${letter}`), 'last', 'words']);
});
