import { isDeeperThan, isError } from '@vizprompt/providers/internal';
import { wireInput, type WireInput, type WireResult } from '@vizprompt/providers/config/internal';
import { MemoryError } from '../errors.ts';
import type { FieldProblem } from './problem.ts';

/** Values of events have 200 levels at most, within a body. */
const MAX_DEPTH = 210;

/** The query of a route without one: nothing may be in it. */
const NOTHING: WireInput<unknown> = wireInput({});

/**
 * Returns the query of a request by its description.
 *
 * @throws MemoryError `invalid-input` that names every field that is wrong.
 */
export function readQuery<Query>(
  input: WireInput<Query> | undefined,
  given: URLSearchParams,
): Query {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- without one it is empty
  return valueOf((input ?? NOTHING).readQuery(given) as WireResult<Query>, 'query');
}

/**
 * Returns the body of a request by its description.
 *
 * @throws MemoryError `invalid-input`, `invalid-text` for bytes that are not UTF-8.
 */
export async function readBody<Body>(input: WireInput<Body>, request: Request): Promise<Body> {
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
  return valueOf(input.read(value), 'body');
}

function decode(bytes: ArrayBuffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new MemoryError('invalid-text', 'the body is not UTF-8', { cause: error });
  }
}

function valueOf<Value>(result: WireResult<Value>, place: 'query' | 'body'): Value {
  if (!result.problems) return result.value;
  const errors = result.problems.map(({ path, message }): FieldProblem => {
    return { field: [place, ...path].join('.'), message };
  });
  const list = errors.map(({ field, message }) => `${field}: ${message}`).join('; ');
  throw new MemoryError('invalid-input', list, { context: { errors } });
}

/** Returns the parser's words without what it quotes: a body may hold secrets. */
function reasonOf(error: unknown): string {
  const position = isError(error) ? /position (\d+)/.exec(error.message)?.[1] : undefined;
  return position === undefined
    ? 'it ends too early or holds something else'
    : `see character ${position}`;
}
