import { messageOf, type Logger } from '@vizprompt/providers';
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
  #open = 0;

  constructor(options: MemoryAppOptions, logger: Logger) {
    this.#options = options;
    this.#logger = logger;
  }

  /** Whether a client asks for a stream. */
  static isWanted({ req }: Context): boolean {
    return (req.header('accept') ?? '').includes('text/event-stream');
  }

  /** Answers with a stream, unless too many are open. */
  async serve(
    { req }: Context,
    begin: (timing: LiveTiming) => Promise<AsyncGenerator<string>>,
  ): Promise<Response> {
    const { maxStreams = 100, pollMs = 500, keepAliveMs = 15_000, signal } = this.#options;
    if (this.#open >= maxStreams) {
      const detail = `${this.#open} streams are open, which is the most: close one, or read pages`;
      return problemResponse(503, 'too-many-streams', detail, { headers: { 'Retry-After': '10' } });
    }
    const leaving = new AbortController();
    const ends = [leaving.signal, req.raw.signal, ...(signal ? [signal] : [])];
    const frames = await begin({ pollMs, keepAliveMs, signal: AbortSignal.any(ends) });
    this.#open++;
    const stream = streamOf(frames, {
      leave: () => leaving.abort(),
      done: () => this.#open--,
      failed: (error) => this.#logger.warn('a stream ended', { error: messageOf(error) }),
    });
    return new Response(stream, { headers: HEADERS });
  }
}

/** One message; JSON has no line breaks that would end it early. */
export function frame(data: object, ...head: readonly string[]): string {
  return `${[...head, `data: ${JSON.stringify(data)}`].join('\n')}\n\n`;
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
