import { messageOf, type Logger } from '@vizprompt/providers';
import type { Context, MiddlewareHandler } from 'hono';
import { MemoryError } from '../errors.ts';
import type { MemoryStore } from '../memory-store.ts';
import type { MemoryAppOptions } from './app-options.ts';
import { liveEvents } from './live-events.ts';
import { problemResponse } from './problem.ts';

const HEADERS = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-store',
  // Proxies must not wait until a buffer is full.
  'X-Accel-Buffering': 'no',
};

/** Serves the timeline of a session to clients that ask for `text/event-stream`, and lets others pass. */
export function serveLive(
  store: MemoryStore,
  { maxStreams = 100, pollMs = 500, keepAliveMs = 15_000, signal }: MemoryAppOptions,
  logger: Logger,
): MiddlewareHandler {
  let open = 0;
  return async (context, next) => {
    if (!(context.req.header('accept') ?? '').includes('text/event-stream')) return next();
    if (open >= maxStreams) {
      const detail = `${open} live timelines are open, which is the most: close one, or read pages`;
      return problemResponse(503, 'too-many-streams', detail, { headers: { 'Retry-After': '10' } });
    }
    const id = context.req.param('id') ?? '';
    const { event_count: count } = await store.getSession(id);
    const after = beginningOf(context, count);
    const leaving = new AbortController();
    const ends = [leaving.signal, context.req.raw.signal, ...(signal ? [signal] : [])];
    const options = { after, pollMs, keepAliveMs, signal: AbortSignal.any(ends) };
    const frames = liveEvents(store, id, options);
    open++;
    const stream = streamOf(frames, {
      leave: () => leaving.abort(),
      done: () => open--,
      failed: (error) => logger.warn('a live timeline ended', { error: messageOf(error) }),
    });
    return new Response(stream, { headers: HEADERS });
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

/** Text as a body; it is made no faster than it is read. */
function streamOf(
  frames: AsyncGenerator<string>,
  on: {
    leave(): void;
    done(): void;
    failed(error: unknown): void;
  },
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let isDone = false;
  const done = (): void => {
    if (!isDone) on.done();
    isDone = true;
  };
  return new ReadableStream({
    async pull(controller) {
      try {
        const { value, done: isLast } = await frames.next();
        if (!isLast) {
          controller.enqueue(encoder.encode(value));
          return;
        }
      } catch (error) {
        on.failed(error);
      }
      done();
      // Also after an error: a client that is cut off comes back and goes on where it was.
      controller.close();
    },
    async cancel() {
      on.leave();
      await frames.return(undefined);
      done();
    },
  });
}
