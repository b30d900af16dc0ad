import { heldAnswer, type HeldTexts } from '@vizprompt/providers/serving/internal';
import type { Context } from 'hono';
import type { WireInput } from '@vizprompt/providers/config/internal';
import type { z } from 'zod';
import { MemoryError } from '../errors.ts';
import type { MemoryStore } from '../memory-store.ts';
import { readBody, readQuery } from './read-request.ts';

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
