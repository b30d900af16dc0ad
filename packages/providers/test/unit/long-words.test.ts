import { wordAnalyzer } from '@vizprompt/providers/text';
import { expect, it } from 'vitest';

/**
 * More than a regular expression takes at once: it fails from 3,000,000 marks on, and from 5,000,000 letters on in a process
 * with more than a megabyte of compiled expressions, where V8 stops to optimise them (`node --no-regexp-optimization`).
 */
const MILLIONS = 8_000_000;

it('a word of millions of characters is one word', () => {
  const analyzer = wordAnalyzer({ stems: 'english' });
  const text = `猫 ${'x'.repeat(MILLIONS)} 犬`;
  for (const mode of ['index', 'query'] as const) {
    const word = analyzer.analyze(text, mode).find((term) => term.text.startsWith('x'));
    expect(word).toMatchObject({ text: 'x'.repeat(64), start: 2, end: 2 + MILLIONS });
  }
  const { line } = analyzer.terms?.(text) ?? { line: [] };
  expect(line.join(' ')).toBe(`猫 ${'x'.repeat(64)} 犬`);
  const found = analyzer.find?.(text, [{ text: '犬', isPrefix: false }]);
  expect(found?.map(({ text: term }) => term)).toContain('犬');
});

it('text without spaces is pairs of characters, however long it is, without a gap', () => {
  const length = 2 ** 20 + 3;
  const found = wordAnalyzer().analyze('あ'.repeat(length), 'index');
  expect(found).toHaveLength(length);
  expect(found.slice(0, -1).every(({ start, end }, at) => start === at && end === at + 2)).toBe(
    true,
  );
  expect(found.at(-1)).toMatchObject({ text: 'あ', start: length - 1, end: length });
});

it('characters with millions of marks are read', () => {
  const text = `a${'\u0301'.repeat(3_000_000)}`;
  expect(wordAnalyzer().analyze(text, 'index')[0]?.start).toBe(0);
});
