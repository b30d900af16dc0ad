import { createHash } from 'node:crypto';
import { messageOf, type Logger } from '@vizprompt/providers';
import {
  ClientShares,
  HeldTexts,
  streamTexts,
  type StreamText,
  PIECE_CHARACTERS,
  type LargeText,
} from '@vizprompt/providers/serving/internal';
import type { Context, MiddlewareHandler } from 'hono';
import { MemoryError } from '../errors.ts';
import { WakeUp } from '../log/follow-events.ts';
import type { EventPage } from '../log/list-events.ts';
import type { MemoryStore } from '../memory-store.ts';
import type { MemoryEvent } from '../model/memory-event.ts';
import type { DamagedEvent } from '../store/event-rows.ts';
import type { MemoryAppOptions } from './app-options.ts';
import type { ApiRoute } from './define-route.ts';
import { problemResponse } from './problem.ts';

/** Poll interval for writes of other processes, keep-alive interval, and the signal that ends a stream. */
interface LiveTiming {
  readonly pollMs: number;
  /** Milliseconds of silence before a comment is sent. */
  readonly keepAliveMs: number;
  readonly signal: AbortSignal;
}

const HEADERS = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-store',
  // Proxies must not wait until a buffer is full.
  'X-Accel-Buffering': 'no',
};

/** The streams of an app. Their number is limited, and all of them end with the app. */
export class LiveStreams {
  readonly #options: MemoryAppOptions;
  readonly #logger: Logger;
  /** The large texts of all answers and streams. */
  readonly held: HeldTexts = new HeldTexts();
  readonly #shares: ClientShares;

  constructor(options: MemoryAppOptions, logger: Logger) {
    this.#options = options;
    this.#logger = logger;
    const { maxStreams = 100, maxStreamsPerClient } = options;
    this.#shares = new ClientShares({ most: maxStreams, mostPerClient: maxStreamsPerClient });
  }

  /** Checks whether a client requests a stream. */
  static isWanted({ req }: Context): boolean {
    return (req.header('accept') ?? '').includes('text/event-stream');
  }

  /** Answers with a stream, unless too many are open. */
  async serve(
    context: Context,
    begin: (timing: LiveTiming) => Promise<AsyncGenerator<StreamText>>,
  ): Promise<Response> {
    const { req } = context;
    const { pollMs = 500, keepAliveMs = 15_000, signal } = this.#options;
    const release = this.#shares.take(clientOf(context));
    if (typeof release !== 'function') {
      const whose = release.reason === 'client' ? 'streams of this client' : 'streams';
      const detail = `${release.open} ${whose} are open, which is the most: close one, or read pages`;
      return problemResponse(503, 'too-many-streams', detail, { headers: { 'Retry-After': '10' } });
    }
    const leaving = new AbortController();
    const ends = [leaving.signal, req.raw.signal, ...(signal ? [signal] : [])];
    let frames: AsyncGenerator<StreamText>;
    try {
      frames = await begin({ pollMs, keepAliveMs, signal: AbortSignal.any(ends) });
    } catch (error) {
      release();
      throw error;
    }
    const stream = streamTexts(frames, {
      held: this.held,
      onLeave: () => leaving.abort(),
      onDone: release,
      onError: (error) => this.#logger.warn('a stream ended', { error: messageOf(error) }),
    });
    return new Response(stream, { headers: HEADERS });
  }
}

/** One message; JSON has no line breaks that would end it early. */
function frame(data: object, ...head: readonly string[]): string {
  return `${[...head, `data: ${JSON.stringify(data)}`].join('\n')}\n\n`;
}

/** Returns the address that a request came from; empty where the server does not say so. */
function clientOf({ env }: Context): string {
  const { incoming }: { incoming?: { socket?: { remoteAddress?: unknown } } } = Object(env ?? {});
  const address = incoming?.socket?.remoteAddress;
  return typeof address === 'string' ? address : '';
}

/** Options for following a session. */
interface LiveOptions extends LiveTiming {
  /** The sequence after which the stream begins. */
  readonly after: number;
}

const PAGE = 100;
/** Maximum size of the events that a stream holds for a slow client, unless the first one is larger. */
const PAGE_BYTES = 1 << 18;
/** Larger events are held by no stream: they are read again for each piece that is taken. */
const LARGE = 1 << 16;

/**
 * Emits the events of a session as server-sent events: first the stored ones, then new ones from any process.
 * A message with an event has its sequence as the id. `session` contains the session, at the start and after each
 * change; `deleted` reports that the session was deleted.
 */
async function* liveEvents(
  store: MemoryStore,
  id: string,
  { after, pollMs, keepAliveMs, signal }: LiveOptions,
): AsyncGenerator<StreamText> {
  using bell = new WakeUp(store, signal, id);
  let sequence = after;
  let shown = '';
  let spoken = performance.now();
  yield 'retry: 1000\n\n';
  while (!signal.aborted) {
    const state = await stateOf(store, id);
    if (!state) {
      yield frame({ id }, 'event: deleted');
      return;
    }
    // These two change with each event, and say nothing that it does not say.
    const { event_count: count, updated_at: _updated, ...lasting } = state;
    const now = JSON.stringify(lasting);
    let isQuiet = true;
    if (now !== shown) {
      yield frame(state, 'event: session');
      [shown, isQuiet] = [now, false];
    }
    if (count > sequence) {
      const { frames, last } = await readFrames(store, id, { after: sequence, signal });
      yield* frames;
      isQuiet = last === sequence;
      sequence = last;
    }
    if (!isQuiet) {
      spoken = performance.now();
      continue;
    }
    if (performance.now() - spoken >= keepAliveMs) {
      yield ':\n\n';
      spoken = performance.now();
    }
    await bell.wait(pollMs);
  }
}

/** Returns the messages of the next page. The events themselves are not held while a client takes them. */
async function readFrames(
  store: MemoryStore,
  id: string,
  { after, signal }: Pick<LiveOptions, 'after' | 'signal'>,
): Promise<{ readonly frames: readonly StreamText[]; readonly last: number }> {
  const filter = { limit: PAGE, maxBytes: PAGE_BYTES, contents: 'omit', signal } as const;
  const all = inOrder(await store.events(id, { ...filter, after }).page());
  const frames = all.map((one) =>
    isDamaged(one) ? frame(one, 'event: damaged', `id: ${one.sequence}`) : eventFrame(store, one),
  );
  return { frames, last: all.at(-1)?.sequence ?? after };
}

/** Returns the events of a page, and those that cannot be read, by their sequence. */
function inOrder({ events, damaged = [] }: EventPage): readonly (MemoryEvent | DamagedEvent)[] {
  if (damaged.length === 0) return events;
  // A damaged sequence has no place in the stream.
  const placed = damaged.filter(({ sequence }) => sequence > 0);
  return [...events, ...placed].toSorted((a, b) => a.sequence - b.sequence);
}

function isDamaged(event: MemoryEvent | DamagedEvent): event is DamagedEvent {
  return 'problem' in event;
}

function eventFrame(store: MemoryStore, event: MemoryEvent): StreamText {
  const { session_id: session, sequence } = event;
  const text = frame(event, `id: ${sequence}`);
  if (text.length <= LARGE) return text;
  return {
    name: `${session} ${sequence}`,
    async make() {
      const filter = { after: sequence - 1, limit: 1, contents: 'omit' } as const;
      const { events } = await store.events(session, filter).page();
      const [now] = events;
      return now?.sequence === sequence ? frame(now, `id: ${sequence}`) : undefined;
    },
  };
}

async function stateOf(
  store: MemoryStore,
  id: string,
): Promise<Awaited<ReturnType<MemoryStore['getSession']>> | undefined> {
  try {
    return await store.getSession(id);
  } catch (error) {
    if (MemoryError.isInstance(error) && error.code === 'session-not-found') return undefined;
    throw error;
  }
}

/** Answers to send, and their timing. */
interface LiveAnswers extends LiveTiming {
  readonly first: object;
  readonly read: () => Promise<object>;
}

/**
 * Emits an answer about sessions as server-sent events: the current one, then the whole answer after each change.
 * It reports a session that begins, ends or changes at once, and new events of a session at the next poll.
 */
async function* liveAnswers(
  store: MemoryStore,
  { first, read, pollMs, keepAliveMs, signal }: LiveAnswers,
): AsyncGenerator<StreamText> {
  using bell = new WakeUp(store, signal);
  yield 'retry: 1000\n\n';
  let [message, shown, spoken] = [frame(first), '', 0];
  while (!signal.aborted) {
    const digest = digestOf(message);
    if (digest !== shown) {
      const sent = message.length <= PIECE_CHARACTERS ? message : largeFrame(read, digest);
      // A large one is not held for a client that does not read.
      message = '';
      yield sent;
      [shown, spoken] = [digest, performance.now()];
    } else if (performance.now() - spoken >= keepAliveMs) {
      yield ':\n\n';
      spoken = performance.now();
    }
    await bell.wait(pollMs);
    if (!signal.aborted) message = frame(await read());
  }
}

/** Returns the message as it was, or none if it has changed: the next look sends the new one. */
function largeFrame(read: LiveAnswers['read'], digest: string): LargeText {
  const make = async (): Promise<string | undefined> => {
    const text = frame(await read());
    return digestOf(text) === digest ? text : undefined;
  };
  return { name: digest, make };
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}

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
      // The first read reports an invalid request before the stream begins.
      return liveAnswers(store, { first: await read(), read, ...timing });
    });
  };
}

/** Returns the sequence to start after: the last one that the client received, or the requested one. */
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
