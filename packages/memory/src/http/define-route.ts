import { type WireInput, wireInput, type WireResult } from '@vizprompt/providers/config/internal';
import { isDeeperThan, isError } from '@vizprompt/providers/internal';
import { heldAnswer, type HeldTexts } from '@vizprompt/providers/serving/internal';
import type { Context } from 'hono';
import type { z } from 'zod';
import { MemoryError } from '../errors.ts';
import type { MemoryStore } from '../memory-store.ts';
import type { FieldProblem } from './problem.ts';

/** A verb and a path of the API: how it is served, and what the OpenAPI document says of it. */
export interface ApiRoute {
  readonly method: 'get' | 'post' | 'patch';
  /** As Hono writes it: `:name` for a part, `:name{.+}` for several. */
  readonly path: string;
  readonly name: string;
  readonly summary: string;
  readonly query?: WireInput<unknown>;
  readonly body?: WireInput<unknown>;
  readonly answer: z.ZodType;
  readonly status: 200 | 201;
  /** Which problems it answers with, next to those of every route. */
  readonly problems: readonly number[];
  /** The stream for clients that ask for `text/event-stream`. */
  readonly live?: LiveRoute;
  /** Returns the present answer. */
  reply(store: MemoryStore, context: Context): Promise<Reply>;
  serve(store: MemoryStore, context: Context, held: HeldTexts): Promise<Response>;
}

/** The description of a stream in the OpenAPI document. */
interface LiveRoute {
  readonly description: string;
  /** True if it continues after `Last-Event-ID`. */
  readonly resumes: boolean;
}

/** The body, and for something that was created, its location. */
interface Reply {
  readonly answer: object;
  readonly location?: string;
}

/** The checked parts of a request. */
interface ApiRequest<Query, Body> {
  readonly store: MemoryStore;
  /** The part of the path that has a name. */
  readonly name: string;
  readonly query: Query;
  readonly body: Body;
  readonly signal: AbortSignal;
}

/** A route with its schemas. */
export interface RouteDefinition<Query, Body> extends Omit<
  ApiRoute,
  'query' | 'body' | 'status' | 'problems' | 'reply' | 'serve'
> {
  readonly query?: WireInput<Query>;
  readonly body?: WireInput<Body>;
  readonly problems?: readonly number[];
  run(request: ApiRequest<Query, Body>): Promise<Reply>;
}

/** Makes a route: its query and body are checked before it runs. */
export function defineRoute<Query = unknown, Body = unknown>(
  definition: RouteDefinition<Query, Body>,
): ApiRoute {
  const { run, query, body, problems = [], ...rest } = definition;
  const status = rest.method === 'post' ? 201 : 200;
  const reply = async (store: MemoryStore, context: Context): Promise<Reply> => {
    const [name = ''] = Object.values(context.req.param());
    if (name.includes('\0')) throw new MemoryError('invalid-input', 'the path holds NUL');
    // Stores the calls of hooks that wait; a memory that cannot be written now can be read all the same.
    await store.ingestHooks().catch(() => undefined);
    return run({
      store,
      name,
      query: readQuery(query, new URL(context.req.url).searchParams),
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a route without one reads none
      body: (body ? await readBody(body, context.req.raw) : undefined) as Body,
      signal: context.req.raw.signal,
    });
  };
  return {
    ...rest,
    ...(query ? { query } : {}),
    ...(body ? { body } : {}),
    status,
    problems,
    reply,
    async serve(store, context, held) {
      const headers: Record<string, string> = { 'Content-Type': 'application/json' };
      const text = async (): Promise<string> => {
        context.req.raw.signal.throwIfAborted();
        const { answer: value, location } = await reply(store, context);
        if (location !== undefined) headers['Location'] = location;
        return JSON.stringify(value);
      };
      const isRepeatable = rest.method === 'get';
      const answer = await heldAnswer(text, held, { isRepeatable });
      headers['Content-Length'] = String(answer.bytes);
      return new Response(answer.body, { status, headers });
    },
  };
}

/** Values of events have 200 levels at most, within a body. */
const MAX_DEPTH = 210;

/** The query of a route without one: nothing may be in it. */
const NOTHING: WireInput<unknown> = wireInput({});

/**
 * Returns the query of a request by its description.
 *
 * @throws MemoryError `invalid-input` that names every field that is wrong.
 */
function readQuery<Query>(input: WireInput<Query> | undefined, given: URLSearchParams): Query {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- without one it is empty
  return valueOf((input ?? NOTHING).readQuery(given) as WireResult<Query>, 'query');
}

/**
 * Returns the body of a request by its description.
 *
 * @throws MemoryError `invalid-input`, `invalid-text` for bytes that are not UTF-8.
 */
async function readBody<Body>(input: WireInput<Body>, request: Request): Promise<Body> {
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
