import fc from 'fast-check';
import { expect, it } from 'vitest';
import { JsonSyntaxError, parseJsonText } from '../../src/config/json-text.ts';

it('reads what JSON.parse reads, and knows where everything stands', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 4 }), fc.constantFrom(0, 2), (json, indent) => {
      const text = JSON.stringify(JSON.parse(json), null, indent);
      const { value, placeOf } = parseJsonText(text);
      expect(value).toEqual(JSON.parse(text));
      const lines = text.split('\n');
      const check = (part: unknown, path: readonly PropertyKey[]): void => {
        const { line, column } = placeOf(path);
        const rest = [lines[line - 1]?.slice(column - 1), ...lines.slice(line)].join('\n');
        const scalar = JSON.stringify(part);
        if (typeof part === 'object' && part !== null) {
          expect(rest[0]).toBe(Array.isArray(part) ? '[' : '{');
          for (const [key, below] of Object.entries(part)) check(below, [...path, key]);
        } else expect(rest.startsWith(scalar)).toBe(true);
      };
      check(value, []);
    }),
  );
});

it('refuses what JSON.parse refuses', () => {
  const piece = fc.constantFrom('{', '}', '[', ']', ',', ':', '"a"', '"', '1', '-', '01', '1e', 'true', 'nul', ' ', '\n', '\\', '\u0001', '灯');
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const text = pieces.join('');
      let parsed: unknown;
      try {
        parsed = JSON.parse(text);
      } catch {
        expect(() => parseJsonText(text)).toThrow(JsonSyntaxError);
        return;
      }
      try {
        expect(parseJsonText(text).value).toEqual(parsed);
      } catch (error) {
        // The one thing in which it is stricter.
        expect(String(error)).toContain('twice');
      }
    }),
    { numRuns: 2000 },
  );
});

it('ends with an error where values are nested too deeply', () => {
  expect(() => parseJsonText('['.repeat(100_000))).toThrow(/nested deeper/);
});
