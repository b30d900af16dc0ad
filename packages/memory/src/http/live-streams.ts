import { messageOf, type Logger } from '@vizprompt/providers';
import type { Context } from 'hono';
import type { MemoryAppOptions } from './app-options.ts';
import { FrameTexts, type Frame } from './frame-source.ts';
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
  readonly #texts = new FrameTexts(MAX_HELD);
  readonly #clients = new Map<string, number>();
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
    context: Context,
    begin: (timing: LiveTiming) => Promise<AsyncGenerator<Frame>>,
  ): Promise<Response> {
    const { req } = context;
    const { maxStreams = 100, pollMs = 500, keepAliveMs = 15_000, signal } = this.#options;
    const { maxStreamsPerClient = Math.max(1, Math.ceil(maxStreams / 2)) } = this.#options;
    const client = clientOf(context);
    const own = this.#clients.get(client) ?? 0;
    const isOwn = client !== '' && own >= maxStreamsPerClient;
    if (this.#open >= maxStreams || isOwn) {
      const whose = isOwn ? `${own} streams of this client` : `${this.#open} streams`;
      const detail = `${whose} are open, which is the most: close one, or read pages`;
      return problemResponse(503, 'too-many-streams', detail, { headers: { 'Retry-After': '10' } });
    }
    const leaving = new AbortController();
    const ends = [leaving.signal, req.raw.signal, ...(signal ? [signal] : [])];
    const count = (by: 1 | -1): void => {
      this.#open += by;
      const left = (this.#clients.get(client) ?? 0) + by;
      if (left > 0) this.#clients.set(client, left);
      else this.#clients.delete(client);
    };
    count(1);
    let frames: AsyncGenerator<Frame>;
    try {
      frames = await begin({ pollMs, keepAliveMs, signal: AbortSignal.any(ends) });
    } catch (error) {
      count(-1);
      throw error;
    }
    const stream = streamOf(frames, this.#texts, {
      leave: () => leaving.abort(),
      done: () => count(-1),
      failed: (error) => this.#logger.warn('a stream ended', { error: messageOf(error) }),
    });
    return new Response(stream, { headers: HEADERS });
  }
}

/** One message; JSON has no line breaks that would end it early. */
export function frame(data: object, ...head: readonly string[]): string {
  return `${[...head, `data: ${JSON.stringify(data)}`].join('\n')}\n\n`;
}

/** Characters of large messages that are held for all streams together. */
const MAX_HELD = 16 << 20;
/** Characters that a reader is given at a time, and all that is held of a message for one that does not read. */
const PIECE = 1 << 16;

/** The address that a request came from; empty where the server does not say so. */
function clientOf({ env }: Context): string {
  const { incoming }: { incoming?: { socket?: { remoteAddress?: unknown } } } = Object(env ?? {});
  const address = incoming?.socket?.remoteAddress;
  return typeof address === 'string' ? address : '';
}

/** Text as a body; it is made no faster than it is read, and in pieces. */
function streamOf(
  frames: AsyncGenerator<Frame>,
  texts: FrameTexts,
  on: {
    leave(): void;
    done(): void;
    failed(error: unknown): void;
  },
): ReadableStream<Uint8Array> {
  let isDone = false;
  const done = (): void => {
    if (!isDone) on.done();
    isDone = true;
  };
  const pieces = piecesOf(frames, texts);
  return new ReadableStream(
    {
      async pull(controller) {
        try {
          const { value, done: isLast } = await pieces.next();
          if (!isLast) {
            controller.enqueue(value);
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
        await pieces.return(undefined);
        done();
      },
    },
    // Nothing is made before it is asked for.
    { highWaterMark: 0 },
  );
}

async function* piecesOf(
  frames: AsyncGenerator<Frame>,
  texts: FrameTexts,
): AsyncGenerator<Uint8Array, void, undefined> {
  const encoder = new TextEncoder();
  for await (const message of frames) {
    if (typeof message === 'string' && message.length <= PIECE) {
      yield encoder.encode(message);
      continue;
    }
    const textOf = async (): Promise<string | undefined> =>
      typeof message === 'string' ? message : texts.textOf(message);
    let length: number | undefined;
    for (let at = 0; at < (length ?? Infinity);) {
      // oxlint-disable-next-line no-await-in-loop -- each piece when the one before was taken
      const text = await textOf();
      length ??= text?.length;
      // It was forgotten meanwhile: a client that comes back gets what is there now.
      if (text === undefined || text.length !== length) return;
      const end = endOfPiece(text, at);
      yield encoder.encode(text.slice(at, end));
      at = end;
    }
  }
}

/** Where a piece ends: not within a character. */
function endOfPiece(text: string, start: number): number {
  const end = Math.min(text.length, start + PIECE);
  const isHalf =
    end < text.length && text.charCodeAt(end - 1) >= 0xd800 && text.charCodeAt(end - 1) <= 0xdbff;
  return isHalf ? end - 1 : end;
}
