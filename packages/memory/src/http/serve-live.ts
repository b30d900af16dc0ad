import type { Context, MiddlewareHandler } from 'hono';
import { MemoryError } from '../errors.ts';
import type { MemoryStore } from '../memory-store.ts';
import type { ApiRoute } from './define-route.ts';
import { liveAnswers } from './live-answers.ts';
import { liveEvents } from './live-events.ts';
import { LiveStreams } from './live-streams.ts';

/** Serves the timeline of a session to clients that ask for `text/event-stream`, and lets others pass. */
export function serveTimeline(store: MemoryStore, streams: LiveStreams): MiddlewareHandler {
  return async (context, next) => {
    if (!LiveStreams.isWanted(context)) return next();
    return streams.serve(context, async (timing) => {
      const id = context.req.param('id') ?? '';
      const { event_count: count } = await store.getSession(id);
      return liveEvents(store, id, { ...timing, after: beginningOf(context, count) });
    });
  };
}

/** Serves what a route answers whenever it is another answer, to clients that ask for `text/event-stream`. */
export function serveAnswers(
  store: MemoryStore,
  streams: LiveStreams,
  route: ApiRoute,
): MiddlewareHandler {
  return async (context, next) => {
    if (!LiveStreams.isWanted(context)) return next();
    return streams.serve(context, async (timing) => {
      const read = async (): Promise<object> => (await route.reply(store, context)).answer;
      // What is wrong with the request is told before the stream begins.
      return liveAnswers(store, { first: await read(), read, ...timing });
    });
  };
}

/** Behind which sequence: where the client was when the connection broke, or what it asks for. */
function beginningOf({ req }: Context, count: number): number {
  const [header, query] = [req.header('last-event-id'), req.query('after')];
  const given = header ?? query ?? '0';
  const after = /^\d{1,15}$/.test(given) ? Number(given) : Number.NaN;
  if (after <= count) return after;
  const name = header === undefined ? 'after' : 'Last-Event-ID';
  throw new MemoryError(
    'invalid-input',
    `${name} is '${given}': it must be a sequence of this session, 0 to ${count}`,
  );
}
