import type { JsonValue } from '@vizprompt/providers';
import { WorkflowError } from '@vizprompt/workflow';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { identityOf } from '../../../src/aggregate/answer.ts';
import { combineAnswers } from '../../../src/aggregate/combine-answers.ts';
import { answersOf } from '../../support/answers-of.ts';

const json = fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<JsonValue>;

describe('vote', () => {
  it('compares texts without case, width and white space around them, and keeps the first wording', () => {
    const answers = answersOf(' Ｙｅｓ\n', 'no', 'YES', '　yes　');
    expect(combineAnswers('vote', answers)).toBe(' Ｙｅｓ\n');
  });

  it.each([
    ['no', 'Yes', 'yes.'],
    ['いいえ', 'はい', 'はい。'],
    ['b', '**A**', 'a!'],
    ['b', '「はい」', 'はい'],
    ['b', '"yes"', '“Yes.”'],
    ['b', '¿Sí?', 'sí'],
    ['b', '(c)', 'C…'],
    ['b', "I don't", 'I don’t.'],
    ['b', 'a  b', 'A\nb'],
    ['b', '１．', '1'],
    ['b', 'نعم؟', 'نعم'],
    ['b', 'yes', '\uFEFFyes\u200B'],
    ['b', '\u200Fنعم\u200E.', 'نعم'],
    ['b', 'co\u00ADoperate', 'cooperate \u2060'],
    ['b', 'はい～', 'はい〜'],
    ['b', '〝はい〟', 'はい'],
    ['b', '〖はい〗', '⟨はい⟩。'],
    ['b', '»ja«', '„Ja“'],
    ['b', '−5', '-5'],
    ['b', '- yes', 'yes'],
    ['b', '+ 「はい」', '* はい'],
    ['b', '## **Yes**', '* yes.'],
    ['b', '・はい', '• はい'],
  ])('compares texts without the marks around them: %j, %j, %j', (other, first, second) => {
    expect(combineAnswers('vote', answersOf(other, first, second))).toBe(first);
  });

  it.each([
    ['C', 'C++'],
    ['C', 'C#'],
    ['5', '-5'],
    ['5', '- 5'],
    ['5', '− 5'],
    ['$5', '- $5'],
    ['5 €', '- 5 €'],
    ['€5', '+ €5'],
    ['.5', '- .5'],
    [',5', '− ,5'],
    ['(5)', '+ (5)'],
    ['a-b', 'ab'],
    ['#a', 'a'],
    ['~', '-'],
    ['○', '×'],
    ['5', '5%'],
    ['net', '.NET'],
    ['?', '!'],
    ['1.5', '15'],
    ['a b', 'ab'],
    ['👩\u200D🔬', '👩🔬'],
    ['نامه\u200Cای', 'نامهای'],
  ])('keeps %s and %s apart', (one, other) => {
    expect(identityOf(one)).not.toBe(identityOf(other));
  });

  it('takes the first of equally many', () => {
    expect(combineAnswers('vote', answersOf('犬', '猫', '猫', '犬', '鳥'))).toBe('犬');
  });

  it('knows half-width katakana, sharp s and the two small sigmas', () => {
    expect(combineAnswers('vote', answersOf('x', 'ｶﾞ', 'ガ'))).toBe('ｶﾞ');
    expect(combineAnswers('vote', answersOf('x', 'Straße', 'STRASSE'))).toBe('Straße');
    expect(combineAnswers('vote', answersOf('x', 'ΟΔΟΣ', 'οδος', 'οδοσ'))).toBe('ΟΔΟΣ');
  });

  it('distinguishes a number from its text, and null from nothing', () => {
    expect(combineAnswers('vote', answersOf('1', 1, 1))).toBe(1);
    expect(combineAnswers('vote', answersOf('null', null, null))).toBeNull();
  });

  it('compares objects by their JSON, whatever the order of keys', () => {
    const answers = answersOf(
      { a: 1 },
      { a: 1, b: [{ c: 2, d: 3 }] },
      { b: [{ d: 3, c: 2 }], a: 1 },
    );
    expect(combineAnswers('vote', answers)).toEqual({ a: 1, b: [{ c: 2, d: 3 }] });
  });

  it('compares by a path, and gives the whole answer', () => {
    const answers = answersOf(
      { verdict: { label: 'bad' }, why: 'x' },
      { verdict: { label: 'Good' }, why: 'y' },
      { verdict: { label: 'good ' }, why: 'z' },
    );
    const aggregate = { strategy: 'vote', by: 'verdict.label' } as const;
    expect(combineAnswers(aggregate, answers)).toEqual({ verdict: { label: 'Good' }, why: 'y' });
  });

  it('lets answers without the path abstain, and fails if all do', () => {
    const aggregate = { strategy: 'vote', by: 'label' } as const;
    const answers = answersOf('text', 'text', { label: 'a' });
    expect(combineAnswers(aggregate, answers)).toEqual({ label: 'a' });
    expect(() => combineAnswers(aggregate, answersOf('text', { toString: 1 }))).toThrow(
      expect.objectContaining({ code: 'step-failed', message: expect.stringContaining("'label'") }),
    );
    expect(() => combineAnswers({ strategy: 'vote', by: 'constructor' }, answersOf({}))).toThrow(
      WorkflowError,
    );
  });

  it('ignores weights where it is not weighted', () => {
    const answers = answersOf('a', 'b', 'b').map((answer, at) => ({
      ...answer,
      weight: at === 0 ? 9 : 1,
    }));
    expect(combineAnswers('vote', answers)).toBe('b');
    expect(combineAnswers('weightedVote', answers)).toBe('a');
  });

  it('calls sums a tie that differ by rounding only', () => {
    const answers = [
      { name: '1', value: 'first', weight: 0.3 },
      { name: '2', value: 'second', weight: 0.1 },
      { name: '3', value: 'second', weight: 0.2 },
    ];
    expect(combineAnswers('weightedVote', answers)).toBe('first');
  });

  it('gives null where no agent answered', () => {
    expect(combineAnswers('vote', [])).toBeNull();
  });

  it('is always one of the answers, and what more than half of them say', () => {
    fc.assert(
      fc.property(fc.array(json, { minLength: 1, maxLength: 9 }), json, (values, majority) => {
        expect(values).toContainEqual(combineAnswers('vote', answersOf(...values)));
        const more = [...values, ...Array.from({ length: values.length + 1 }, () => majority)];
        const result = combineAnswers('vote', answersOf(...more));
        expect(identityOf(result)).toBe(identityOf(majority));
      }),
    );
  });

  it('counts a weight of n like n answers, and does not mind the scale', () => {
    const voter = fc.record({
      value: fc.constantFrom('a', 'b', 'c'),
      weight: fc.integer({ min: 1, max: 5 }),
    });
    fc.assert(
      fc.property(
        fc.array(voter, { minLength: 1 }),
        fc.constantFrom(0.1, 3, 1e6),
        (voters, scale) => {
          const weighted = voters.map(({ value, weight }) => ({ name: value, value, weight }));
          const repeated = voters.flatMap(({ value, weight }) =>
            Array.from({ length: weight }, () => value),
          );
          const expected = combineAnswers('vote', answersOf(...repeated));
          expect(combineAnswers('weightedVote', weighted)).toBe(expected);
          const scaled = weighted.map((answer) => ({ ...answer, weight: answer.weight * scale }));
          expect(combineAnswers('weightedVote', scaled)).toBe(expected);
        },
      ),
    );
  });
});
