import { messageOf, type Logger } from '@vizprompt/providers';
import {
  ClientShares,
  HeldTexts,
  streamTexts,
  type StreamText,
} from '@vizprompt/providers/serving/internal';
import type { Context } from 'hono';
import type { MemoryAppOptions } from './app-options.ts';
import { problemResponse } from './problem.ts';

/** How often what other processes wrote is looked for, and what ends a stream. */
export interface LiveTiming {
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

/** The streams of an app: so many at once, and all of them end with it. */
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

  /** Whether a client asks for a stream. */
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
export function frame(data: object, ...head: readonly string[]): string {
  return `${[...head, `data: ${JSON.stringify(data)}`].join('\n')}\n\n`;
}

/** The address that a request came from; empty where the server does not say so. */
function clientOf({ env }: Context): string {
  const { incoming }: { incoming?: { socket?: { remoteAddress?: unknown } } } = Object(env ?? {});
  const address = incoming?.socket?.remoteAddress;
  return typeof address === 'string' ? address : '';
}
