import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runs } from '../../support/fuzz.ts';
import { JsonSyntaxError, parseJsonText, type JsonText } from '../../../src/config/index.ts';

/** Checks whether all values in a text are at their reported places. */
function standsRight(text: string, json: JsonText): boolean {
  const lines = text.split('\n');
  const isThere = (part: unknown, path: readonly PropertyKey[]): boolean => {
    const { line, column } = json.placeOf(path);
    const rest = [lines[line - 1]?.slice(column - 1), ...lines.slice(line)].join('\n');
    if (typeof part !== 'object' || part === null) return rest.startsWith(JSON.stringify(part));
    const isOpened = rest[0] === (Array.isArray(part) ? '[' : '{');
    return isOpened && Object.entries(part).every(([key, below]) => isThere(below, [...path, key]));
  };
  return isThere(json.value, []);
}

/** Returns a reader's result for a text: its value, or why it refuses. */
function outcomeOf(
  read: () => unknown,
): { readonly value: unknown } | { readonly problem: string } {
  try {
    return { value: read() };
  } catch (error) {
    return { problem: error instanceof JsonSyntaxError ? error.message : 'another error' };
  }
}

it('reads what JSON.parse reads, with the place of everything', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 4 }), fc.constantFrom(0, 2), (source, indent) => {
      const text = JSON.stringify(JSON.parse(source), null, indent);
      const json = parseJsonText(text);
      expect(json.value).toEqual(JSON.parse(text));
      expect(standsRight(text, json)).toBe(true);
    }),
  );
});

it('refuses what JSON.parse refuses, and a key that is there twice', () => {
  const pieces = ['{', '}', '[', ']', ',', ':', '"a"', '"', '1', '-', '01', '1e', 'true', 'nul'];
  const piece = fc.constantFrom(...pieces, ' ', '\n', '\\', '\u0001', '灯');
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (chosen) => {
      const text = chosen.join('');
      const expected = outcomeOf(() => JSON.parse(text));
      const actual = outcomeOf(() => parseJsonText(text).value);
      const isTwice = 'problem' in actual && actual.problem.includes('twice');
      fc.pre(!isTwice);
      expect('problem' in actual ? 'refused' : actual.value).toEqual(
        'problem' in expected ? 'refused' : expected.value,
      );
      expect(actual).not.toEqual({ problem: 'another error' });
    }),
    { numRuns: runs(300) },
  );
});

it('ends with an error where values are nested too deeply', () => {
  expect(() => parseJsonText('['.repeat(100_000))).toThrow(/nested deeper/);
});
