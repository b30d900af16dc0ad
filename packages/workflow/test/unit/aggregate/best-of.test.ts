import type { JsonValue } from '@vizprompt/providers';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyString } from '../../../../providers/test/support/fuzz.ts';
import { bestAnswer, chosenNumber } from '../../../src/aggregate/best-of.ts';
import { answersOf } from '../../support/answers-of.ts';

const names = ['critic', 'poet', 'GPT4', '詩人'];

const understood: [JsonValue, number][] = [
  [2, 2],
  ['2', 2],
  [' **2** \n', 2],
  ['Answer #2.', 2],
  ['No.2', 2],
  ['№2', 2],
  ['回答２が最も良い。', 2],
  ['②', 2],
  ['二', 2],
  ['第二案', 2],
  ['三番。', 3],
  ['一番良いのは回答3です', 3],
  ['Poet', 2],
  ['詩人', 4],
  ['"Poet"', 2],
  ['**poet**.', 2],
  ['「詩人」。', 4],
  ['٢', 2],
  ['الإجابة ٣', 3],
  ['उत्तर २', 2],
  ['𝟒', 4],
  ['gpt4', 3],
  [{ best: 2 }, 2],
  [{ best: '２' }, 2],
  [{ reason: 'Better than answer 1 in 3 ways, by far.', best: 2 }, 2],
  [{ choice: 3 }, 3],
  [[2], 2],
  ['```json\n{"reason": "1 is short", "best": 2}\n```', 2],
  ['Here it is: {"best": 4}', 4],
  ['Answer 1 is shallow and 3 is wrong, so I take the one in the middle.\n\nBest: 2', 2],
  ['2\n\nIt is far clearer than answer 1, and 3 is off topic altogether.', 2],
  ['Answer 2 scores 9/10, 95% of what is possible, 0.5 more than others.', 2],
  ['2, 2 and again 2', 2],
  ['Of 40 candidates 2 wins', 2],
];

const refused: JsonValue[] = [
  0,
  5,
  1.5,
  -1,
  '-1',
  '0',
  '5',
  '',
  'none of them',
  'GPT4 is best',
  'the poet',
  '٢ أو ٣',
  '١٢',
  '²⁄₃',
  '1 or 2',
  '1. good\n2. better',
  '一番良い',
  null,
  true,
  {},
  { best: 9 },
  { best: null, other: 2 },
  { a: 1, b: 2 },
  [],
  [1, 2],
  '99999999999999999999',
];

describe('the number of the best answer', () => {
  it.each(understood)('%j names answer %i', (reply, number) => {
    expect(chosenNumber(reply, names)).toBe(number);
  });

  it.each(refused.map((reply) => [reply]))('%j names none', (reply) => {
    expect(chosenNumber(reply, names)).toBeUndefined();
  });

  it('is read from any number that is there alone', () => {
    const words = fc.constantFrom('', '回答', 'Answer ', '#', 'The best is **', '「');
    const ends = fc.constantFrom('', '。', '.', '**', '」です', ' because it is clear');
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 99 }), words, ends, (number, word, end) => {
        const many = Array.from({ length: 99 }, (_, at) => `agent ${at}`);
        expect(chosenNumber(`${word}${number}${end}`, many)).toBe(number);
      }),
    );
  });

  it('never throws, and is in range', () => {
    const reply = fc.oneof(fc.jsonValue() as fc.Arbitrary<JsonValue>, anyString());
    fc.assert(
      fc.property(reply, (given) => {
        expect([undefined, 1, 2, 3, 4]).toContain(chosenNumber(given, names));
      }),
    );
  });
});

describe('bestAnswer', () => {
  it('is the answer with that number', () => {
    expect(bestAnswer('2', answersOf('a', { b: 1 }))).toEqual({ b: 1 });
  });

  it('says what it got instead', () => {
    expect(() => bestAnswer(`none ${'😀'.repeat(200)}`, answersOf('a', 'b'))).toThrow(
      /from 1 to 2, and got: none 😀+.?…$/u,
    );
  });
});
