import { describe, expect, expectTypeOf, it } from 'vitest';
import {
  COUNT,
  described,
  either,
  FLAG,
  having,
  listOf,
  objectOf,
  oneOf,
  oneOrMore,
  optional,
  orNull,
  SIGNAL,
  TEXT,
  textOf,
  wholeFrom,
  snakeInput,
  wireInput,
} from '@vizprompt/providers/config/internal';

const input = wireInput(
  {
    query: described(textOf(1, 100), { en: 'Words' }),
    type: optional(oneOrMore('types', oneOf('note', 'edit')), { en: 'Only these' }),
    maxCount: optional(wholeFrom(1, 50), { default: 10 }),
    after: optional(orNull(TEXT)),
    version: optional(either(TEXT, having('what was read', 'version'))),
    around: optional(FLAG, { default: false }),
    place: optional(objectOf<{ readonly line: number }>({ line: COUNT })),
    cap: optional(COUNT, { isCodeOnly: true }),
    signal: optional(SIGNAL),
  },
  { query: 'q', maxCount: 'max_count' },
);

it('says as JSON Schema what it takes, and leaves out what JSON cannot hold', () => {
  expect(input.jsonSchema).toEqual({
    type: 'object',
    properties: {
      q: { type: 'string', minLength: 1, maxLength: 100, description: 'Words' },
      type: {
        type: 'array',
        minItems: 1,
        items: { type: 'string', enum: ['note', 'edit'] },
        description: 'Only these',
      },
      max_count: { type: 'integer', minimum: 1, maximum: 50, default: 10 },
      after: { anyOf: [{ type: 'string' }, { type: 'null' }] },
      version: { type: 'string' },
      around: { type: 'boolean', default: false },
      place: {
        type: 'object',
        properties: { line: { type: 'integer', minimum: 0 } },
        required: ['line'],
        additionalProperties: false,
      },
    },
    required: ['q'],
    additionalProperties: false,
  });
});

it('gives members their names and defaults', () => {
  const { value } = input.read({ q: 'a', type: 'note', after: null, max_count: undefined }) as {
    value: object;
  };
  expect(value).toEqual({ query: 'a', type: 'note', maxCount: 10, after: null, around: false });
});

it('has the types of the kinds', () => {
  const result = input.read({ q: 'a' });
  if (result.problems) throw new Error(result.problems[0]?.message);
  expectTypeOf(result.value.query).toEqualTypeOf<string>();
  expectTypeOf(result.value.maxCount).toEqualTypeOf<number | undefined>();
  expectTypeOf(result.value.type).toEqualTypeOf<
    'note' | 'edit' | readonly ('note' | 'edit')[] | undefined
  >();
});

describe('what is wrong', () => {
  it.each<[unknown, readonly string[], string]>([
    [{}, ['q'], 'it is missing (Words)'],
    [{ q: '' }, ['q'], 'expected a string of 1 to 100 characters, got ""'],
    [{ q: 'a', max_count: 51 }, ['max_count'], 'expected a whole number from 1 to 50, got 51'],
    [{ q: 'a', maxCount: 5 }, [], "there is no 'maxCount': is 'max_count' meant?"],
    [{ q: 'a', type: [] }, ['type'], "expected 'note' or 'edit', or an array of types"],
    [{ q: 'a', place: { line: -1 } }, ['place', 'line'], 'expected a whole number from 0, got -1'],
    [{ q: 'a', cap: 1 }, [], "there is no 'cap': there are q, type, max_count"],
    [{ q: 'a', signal: {} }, [], "there is no 'signal'"],
    [JSON.parse('{"q":"a","__proto__":1}'), [], "there is no '__proto__'"],
    [[], [], 'expected an object, got an array'],
    [null, [], 'expected an object, got null'],
  ])('%j', (given, path, message) => {
    const issue = { path, message: expect.stringContaining(message) };
    expect(input.read(given).problems).toContainEqual(issue);
    expect(input['~standard'].validate(given)).toEqual({
      issues: expect.arrayContaining([issue]),
    });
  });

  it('says once which members there are', () => {
    const validate = (given: unknown): string => JSON.stringify(input['~standard'].validate(given));
    expect(validate({ cap: 1 }).split('there are q,')).toHaveLength(2);
    expect(validate({ q: '' }).split('there are q,')).toHaveLength(2);
  });

  it('is reported for all members at once', () => {
    expect(input.read({ max_count: 0, around: 'yes' }).problems).toHaveLength(3);
  });
});

describe('the query of an address', () => {
  it.each<[string, object]>([
    ['q=a&type=note,edit', { type: ['note', 'edit'] }],
    ['q=a&type=note&type=edit', { type: ['note', 'edit'] }],
    ['q=a&max_count=7&around=true', { maxCount: 7, around: true }],
    ['q=a&after=2026', { after: '2026' }],
  ])('%s', (query, expected) => {
    const { value } = input.readQuery(new URLSearchParams(query)) as { value: object };
    expect(value).toMatchObject({ query: 'a', ...expected });
  });

  it.each<[string, string]>([
    ['q=a&max_count=seven', 'expected a whole number from 1 to 50, got "seven"'],
    ['q=a&max_count=', 'expected a whole number from 1 to 50, got ""'],
    ['q=a&q=b', 'expected a string of 1 to 100 characters, got an array'],
    ['q=a&around=1', 'expected true or false, got "1"'],
    ['q=a&__proto__=1', "there is no '__proto__'"],
  ])('refuses %s', (query, message) => {
    const { problems } = input.readQuery(new URLSearchParams(query));
    expect(problems?.map((one) => one.message).join()).toContain(message);
  });
});

it('lists keep what is in them', () => {
  const list = wireInput({ names: listOf('names', TEXT) });
  expect(list.read({ names: ['a', 1] }).problems).toEqual([
    { path: ['names'], message: 'expected an array of names, got one that holds something else' },
  ]);
  expect(list.read({ names: [] }).problems).toBeUndefined();
});

it('gives names in snake_case, unless others are given', () => {
  const { members, read } = snakeInput({ maxCount: COUNT, id: TEXT }, { id: 'node_id' });
  expect(Object.keys(members)).toEqual(['max_count', 'node_id']);
  expect(read({ max_count: 1, node_id: 'a' })).toEqual({ value: { maxCount: 1, id: 'a' } });
});
