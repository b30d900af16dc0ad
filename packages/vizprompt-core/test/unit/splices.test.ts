import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyString } from '../../../providers/test/support/fuzz.ts';
import { areSplices, splice, splicesBetween } from '../../src/write/undo-history.ts';
import { randomRuns } from '../support/open-project.ts';

const line = fc.constantFrom('nodes:', 'connections:', '  - index: 1', 'updated: 猫', '', '\ud83d');
const text = fc.oneof(
  anyString(),
  fc.array(line, { maxLength: 12 }).map((lines) => lines.join('\n')),
);

describe('the pieces between two texts', () => {
  it('make the second of the first, also after JSON', () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        const stored: unknown = JSON.parse(JSON.stringify(splicesBetween(before, after)));
        const result = areSplices(stored, before) ? splice(before, stored) : undefined;
        expect(result).toBe(after);
      }),
      { numRuns: randomRuns(300) },
    );
  });

  it('are as small as the change of each section of a flow', () => {
    const nodes = '  - index: 1\n'.repeat(1000);
    const flow = (time: string, more: string): string =>
      `updated: ${time}\nnodes:\n${nodes}${more}connections:\n${nodes}${more}`;
    const pieces = splicesBetween(flow('10:00', ''), flow('10:01', '  - index: 9\n'));
    expect(pieces).toHaveLength(3);
    expect(pieces.map(([, , piece]) => piece).join('').length).toBeLessThan(40);
  });

  it.each([
    ['no list', 'x'],
    ['a piece beyond the end', [[0, 9, '']]],
    ['a piece that ends before it begins', [[2, 1, '']]],
    [
      'pieces out of order',
      [
        [2, 3, ''],
        [1, 2, ''],
      ],
    ],
    ['a piece without a text', [[0, 1, 5]]],
    ['no whole number', [[0.5, 1, '']]],
  ])('are refused: %s', (_, value) => {
    expect(areSplices(value, 'text')).toBe(false);
  });
});
