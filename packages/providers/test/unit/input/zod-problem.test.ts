import { z } from 'zod';
import { expect, it } from 'vitest';
import { zodProblem } from '../../../src/input/zod-problem.ts';

const SHAPE = z.discriminatedUnion('type', [
  z.object({ type: z.literal('square') }),
  z.object({ type: z.literal('circle') }),
]);

it.each<readonly [schema: z.ZodType, value: unknown, message: string]>([
  [z.string(), undefined, 'expected a string, got nothing'],
  [z.string(), 7, 'expected a string, got 7'],
  [z.string(), null, 'expected a string, got null'],
  [z.number(), 'a', 'expected a number, got "a"'],
  [z.int(), 1.5, 'expected a whole number, got 1.5'],
  [z.int().min(1), 0, 'expected a number from 1, got 0'],
  [z.number().positive(), 0, 'expected a number above 0, got 0'],
  [z.number().max(2), 3, 'expected a number up to 2, got 3'],
  [z.boolean(), 'yes', 'expected true or false, got "yes"'],
  [z.array(z.string()), {}, 'expected an array, got an object of another kind'],
  [z.array(z.string()).min(1), [], 'expected an array that is not empty, got an array'],
  [z.object({}), [], 'expected an object, got an array'],
  [z.string().min(1), '', 'expected a string that is not empty, got ""'],
  [z.string().max(2), 'abc', 'expected a string of at most 2 characters, got "abc"'],
  [z.enum(['flex', 'fts']), 'flx', `expected 'flex' or 'fts', got "flx": is 'flex' meant?`],
  [z.literal(1), 2, 'expected 1, got 2'],
  [z.strictObject({ a: z.string().optional() }), { b: 1 }, "there is no 'b'"],
  [z.union([z.string(), z.int()]), true, 'expected a string, or a number, got true'],
  [
    z.union([z.object({ a: z.string() }), z.object({ b: z.string() })]),
    {},
    'expected another form, got an object of another kind',
  ],
  [z.union([z.number(), z.boolean()]), 'a, b', 'expected a number, or true or false, got "a, b"'],
  [
    z.union([z.number(), z.boolean()]),
    'x, got yes',
    'expected a number, or true or false, got "x, got yes"',
  ],
  [z.string().regex(/^a+$/, 'it has another letter'), 'b', 'it has another letter'],
  [z.string().regex(/^a+$/), 'b', 'Invalid string: must match pattern /^a+$/'],
  [z.uuid(), 'b', 'Invalid UUID'],
  [SHAPE, { type: 'squre' }, `expected 'square' or 'circle', got "squre": is 'square' meant?`],
  [SHAPE, {}, `expected 'square' or 'circle', got nothing`],
  [SHAPE, 'square', 'expected an object, got "square"'],
  [z.enum(['flex']), 'x'.repeat(1_000_000), `expected 'flex', got a string`],
  [z.string().refine(() => false, 'it holds broken characters'), 'a', 'it holds broken characters'],
])('words the issue of %#', (schema, value, message) => {
  const { error } = schema.safeParse(value, { error: zodProblem });
  expect(error?.issues[0]?.message).toBe(message);
});
