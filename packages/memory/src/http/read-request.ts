import { isDeeperThan } from '@vizprompt/providers';
import { z } from 'zod';
import { MemoryError } from '../errors.ts';
import type { FieldProblem } from './problem.ts';

/** Values of events have 200 levels at most, within a body. */
const MAX_DEPTH = 210;

/** The query of a route without one: nothing may be in it. */
const NOTHING = z.strictObject({});
/** Those that may be given several times, or with commas. */
const LISTS: readonly string[] = ['type'];

/**
 * The query of a request by its schema.
 *
 * @throws MemoryError `invalid-input` that names every field that is wrong.
 */
export function readQuery<Query extends z.ZodObject>(
  schema: Query | undefined,
  given: URLSearchParams,
): z.infer<Query> {
  const values: Record<string, string | readonly string[]> = {};
  for (const name of new Set(given.keys())) {
    const all = given.getAll(name);
    const [first = ''] = all;
    const single = all.length === 1 ? first : all;
    const value = LISTS.includes(name) ? all.flatMap((one) => one.split(',')) : single;
    // A key such as __proto__ must become a key, not a prototype.
    Object.defineProperty(values, name, { value, enumerable: true });
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- without a schema it is empty
  return parse(schema ?? NOTHING, values, 'query') as z.infer<Query>;
}

/**
 * The body of a request by its schema.
 *
 * @throws MemoryError `invalid-input`, `invalid-text` for bytes that are not UTF-8.
 */
export async function readBody<Body extends z.ZodType>(
  schema: Body,
  request: Request,
): Promise<z.infer<Body>> {
  const text = decode(await request.arrayBuffer());
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new MemoryError('invalid-input', `the body is not JSON: ${reasonOf(error)}`, {
      cause: error,
    });
  }
  if (isDeeperThan(value, MAX_DEPTH)) {
    throw new MemoryError('invalid-input', `the body is nested deeper than ${MAX_DEPTH} levels`);
  }
  return parse(schema, value, 'body');
}

function decode(bytes: ArrayBuffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new MemoryError('invalid-text', 'the body is not UTF-8', { cause: error });
  }
}

function parse<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  place: 'query' | 'body',
): z.infer<Schema> {
  // No schema names it, and an object that has it as a key may be taken for one that has nothing.
  if (typeof value === 'object' && value !== null && Object.hasOwn(value, '__proto__')) {
    const message = 'Unrecognized key: "__proto__"';
    throw new MemoryError('invalid-input', `${place}: ${message}`, {
      context: { errors: [{ field: place, message }] },
    });
  }
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const errors = result.error.issues.map(({ path, message }): FieldProblem => {
    return { field: [place, ...path].join('.'), message };
  });
  const list = errors.map(({ field, message }) => `${field}: ${message}`).join('; ');
  throw new MemoryError('invalid-input', list, { context: { errors } });
}

/** The parser's words without what it quotes: a body may hold secrets. */
function reasonOf(error: unknown): string {
  const position = error instanceof Error ? /position (\d+)/.exec(error.message)?.[1] : undefined;
  return position === undefined
    ? 'it ends too early or holds something else'
    : `see character ${position}`;
}
