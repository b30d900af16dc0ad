import type { JsonObject, JsonValue } from '@vizprompt/providers';
import { WorkflowError } from '@vizprompt/workflow';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { answersVariable } from '../../../src/aggregate/answer.ts';
import { combineAnswers } from '../../../src/aggregate/combine-answers.ts';
import { answersOf } from '../../support/answers-of.ts';

const json = fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<JsonValue>;

describe('concat', () => {
  it('joins texts by empty lines, and writes the rest as JSON', () => {
    expect(combineAnswers('concat', answersOf('雨', { a: [1] }, null))).toBe(
      '雨\n\n{"a":[1]}\n\nnull',
    );
    const aggregate = { strategy: 'concat', separator: '|' } as const;
    expect(combineAnswers(aggregate, answersOf('a$&', '{{ b }}'))).toBe('a$&|{{ b }}');
  });
});

describe('firstSuccess', () => {
  it('is the first answer that is given', () => {
    expect(combineAnswers('firstSuccess', answersOf('a', 'b'))).toBe('a');
  });
});

describe('mergeSchema', () => {
  it('takes later fields, joins lists, and merges objects within', () => {
    const answers = answersOf(
      { title: 'a', tags: ['x'], place: { city: '京都', zip: 1 } },
      { title: 'b', tags: ['y', 'x'], place: { zip: 2 } },
    );
    expect(combineAnswers('mergeSchema', answers)).toEqual({
      title: 'b',
      tags: ['x', 'y', 'x'],
      place: { city: '京都', zip: 2 },
    });
  });

  it('keeps what is known where a later answer says null', () => {
    const answers = answersOf({ a: 1, b: null }, { a: null, b: 2 });
    expect(combineAnswers('mergeSchema', answers)).toEqual({ a: 1, b: 2 });
  });

  it('takes a key named __proto__ for a key', () => {
    const first = JSON.parse('{"__proto__":{"isAdmin":true}}') as JsonObject;
    const merged = combineAnswers('mergeSchema', answersOf(first, { a: 1 })) as JsonObject;
    expect(JSON.stringify(merged)).toBe('{"__proto__":{"isAdmin":true},"a":1}');
    expect(Reflect.get(merged, 'isAdmin')).toBeUndefined();
  });

  it('says which agent gave no object', () => {
    const error = failure(() => combineAnswers('mergeSchema', answersOf({ a: 1 }, ['b'])));
    expect(error.code).toBe('step-failed');
    expect(error.message).toContain("'2' gave none");
  });

  it('is the same for one answer, and for the same answer without lists twice', () => {
    const object = fc.dictionary(
      fc.string(),
      fc.oneof(fc.string(), fc.integer(), fc.constant(null)),
    );
    fc.assert(
      fc.property(object, (value) => {
        const plain: JsonObject = { ...value };
        expect(combineAnswers('mergeSchema', answersOf(plain))).toEqual(plain);
        expect(combineAnswers('mergeSchema', answersOf(plain, plain))).toEqual(plain);
      }),
    );
  });
});

describe('rankFusion', () => {
  it('puts first what several lists have near their top', () => {
    const answers = answersOf(['a', 'b', 'c'], ['B', 'c', 'd'], ['b', 'a']);
    expect(combineAnswers('rankFusion', answers)).toEqual(['b', 'a', 'c', 'd']);
  });

  it('knows items by a path and keeps the first form', () => {
    const answers = answersOf(
      [
        { id: 1, why: 'x' },
        { id: 2, why: 'x' },
      ],
      [{ id: 2, why: 'y' }, { id: 1, why: 'y' }, { why: 'no id' }],
      [{ id: 2, why: 'z' }],
    );
    const aggregate = { strategy: 'rankFusion', by: 'id', top: 2 } as const;
    expect(combineAnswers(aggregate, answers)).toEqual([
      { id: 2, why: 'x' },
      { id: 1, why: 'x' },
    ]);
  });

  it('follows weights and k', () => {
    const heavy = answersOf(['a', 'b'], ['b', 'a']).map((answer, at) => ({
      ...answer,
      weight: at === 1 ? 2 : 1,
    }));
    expect(combineAnswers('rankFusion', heavy)).toEqual(['b', 'a']);
    // 1/1 against 1/3 + 1/3 with k 0, 1/61 against 1/63 + 1/63 with k 60.
    const lists = answersOf(['a'], ['x', 'y', 'b'], ['p', 'q', 'b']);
    expect(combineAnswers({ strategy: 'rankFusion', k: 0, top: 1 }, lists)).toEqual(['a']);
    expect(combineAnswers({ strategy: 'rankFusion', top: 1 }, lists)).toEqual(['b']);
  });

  it('says which agent gave no list', () => {
    const error = failure(() => combineAnswers('rankFusion', answersOf(['a'], 'b')));
    expect(error.message).toContain("'2' gave none");
  });

  it('holds every item once, and keeps the order of one list', () => {
    fc.assert(
      fc.property(fc.array(fc.array(fc.integer({ min: 0, max: 9 })), { minLength: 1 }), (lists) => {
        const fused = combineAnswers('rankFusion', answersOf(...lists)) as number[];
        expect(fused.length).toBe(new Set(fused).size);
        expect(new Set(fused)).toEqual(new Set(lists.flat()));
        const same = combineAnswers('rankFusion', answersOf(...lists.map(() => lists[0] ?? [])));
        expect(same).toEqual([...new Set(lists[0])]);
      }),
    );
  });

  it('prefers an answer that is never after another and somewhere before it', () => {
    const items = ['a', 'b', 'c', 'd', 'e'];
    const ranking = fc.shuffledSubarray(items, { minLength: 5 });
    fc.assert(
      fc.property(fc.array(ranking, { minLength: 1, maxLength: 4 }), (lists) => {
        const fused = combineAnswers('rankFusion', answersOf(...lists)) as string[];
        const isBefore = (one: string, other: string): boolean =>
          lists.every((list) => list.indexOf(one) < list.indexOf(other));
        const pairs = items.flatMap((one) =>
          items.filter((other) => isBefore(one, other)).map((other) => [one, other] as const),
        );
        const kept = pairs.filter(([one, other]) => fused.indexOf(one) < fused.indexOf(other));
        expect(kept).toEqual(pairs);
      }),
    );
  });
});

describe('answersVariable', () => {
  it('numbers the answers from 1', () => {
    expect(answersVariable(answersOf('猫', { a: 1 }))).toEqual([
      { number: 1, agent: '1', answer: '猫' },
      { number: 2, agent: '2', answer: { a: 1 } },
    ]);
  });
});

it('never changes the answers, and gives the same twice', () => {
  const strategy = fc.constantFrom('vote', 'weightedVote', 'concat', 'firstSuccess');
  fc.assert(
    fc.property(strategy, fc.array(json, { minLength: 1 }), (name, values) => {
      const answers = answersOf(...values);
      const before = JSON.stringify(answers);
      expect(combineAnswers(name, answers)).toEqual(combineAnswers(name, answers));
      expect(JSON.stringify(answers)).toBe(before);
    }),
  );
});

function failure(call: () => unknown): WorkflowError {
  try {
    call();
  } catch (error) {
    if (WorkflowError.isInstance(error)) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}
