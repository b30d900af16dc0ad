import { messageOf } from '@vizprompt/providers';
import { untilAborted } from '@vizprompt/providers/internal';

/** Holds the streams of answers that are on their way: {@link answerStreams}, or a context of `resumable-stream`. */
export interface AnswerStreams {
  /** Reads a stream to its end, whether or not its first reader stays, for those that follow it. */
  createNewResumableStream(id: string, makeStream: () => ReadableStream<string>): Promise<unknown>;
  /** Returns a stream from its beginning; none if it has ended, or never was. */
  resumeExistingStream(id: string): Promise<ReadableStream<string> | null | undefined>;
}

/** The headers of a stream of messages of the AI SDK. */
const HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache',
  'x-vercel-ai-ui-message-stream': 'v1',
  'x-accel-buffering': 'no',
};

/**
 * Holds the streams of answers in this process, for servers that are one process. For several there is the package
 * `resumable-stream`, with Redis.
 *
 * @example
 * ```ts
 * const chats = chatStore(vizprompt, { streams: answerStreams() });
 * ```
 */
export function answerStreams(): AnswerStreams {
  const running = new Map<string, SharedStream>();
  return {
    async createNewResumableStream(id, makeStream) {
      const stream = new SharedStream();
      running.set(id, stream);
      await stream.read(makeStream());
      if (running.get(id) === stream) running.delete(id);
    },
    async resumeExistingStream(id) {
      return running.get(id)?.follow();
    },
  };
}

/** A stream with any number of readers, each of which receives it from its beginning. */
class SharedStream {
  readonly #chunks: string[] = [];
  readonly #readers = new Set<ReadableStreamDefaultController<string>>();

  async read(stream: ReadableStream<string>): Promise<void> {
    try {
      for await (const chunk of stream) {
        this.#chunks.push(chunk);
        for (const reader of this.#readers) reader.enqueue(chunk);
      }
      for (const reader of this.#readers) reader.close();
    } catch (error) {
      for (const reader of this.#readers) reader.error(error);
    }
  }

  follow(): ReadableStream<string> {
    let own: ReadableStreamDefaultController<string> | undefined;
    return new ReadableStream({
      start: (controller) => {
        own = controller;
        for (const chunk of this.#chunks) controller.enqueue(chunk);
        this.#readers.add(controller);
      },
      cancel: () => {
        if (own) this.#readers.delete(own);
      },
    });
  }
}

/** How long a holder of streams may take to find one: a client of Redis waits for its server without end. */
const PATIENCE_MS = 5000;

/** Shares the stream of an answer. The first of several answers to one question is shared. */
export async function shareAnswer(
  streams: AnswerStreams,
  id: string,
  stream: ReadableStream<string>,
): Promise<void> {
  try {
    const other = await findStream(streams, id);
    if (!other) await streams.createNewResumableStream(id, () => closingOnError(stream));
    else await Promise.all([other.cancel(), stream.cancel()]);
  } catch (error) {
    // The AI SDK waits for nothing here, and the answer is given and stored all the same.
    warn(error);
  }
}

/** Returns the response with the rest of an answer; without a body if none is on its way. */
export async function resumeAnswer(streams: AnswerStreams, id: string): Promise<Response> {
  const stream = await findStream(streams, id);
  if (!stream) return new Response(null, { status: 204 });
  return new Response(stream.pipeThrough(new TextEncoderStream()), { headers: HEADERS });
}

/** Finds a stream. There is none if the process that read it has died, or if its holder is away. */
async function findStream(
  streams: AnswerStreams,
  id: string,
): Promise<ReadableStream<string> | undefined> {
  try {
    const found = streams.resumeExistingStream(id);
    return (await untilAborted(found, AbortSignal.timeout(PATIENCE_MS))) ?? undefined;
  } catch (error) {
    warn(error);
    return undefined;
  }
}

/** Ends a stream where it fails: readers have what came until then, and an error would end the process that holds it. */
function closingOnError(stream: ReadableStream<string>): ReadableStream<string> {
  const reader = stream.getReader();
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (done) controller.close();
        else controller.enqueue(value);
      } catch {
        controller.close();
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

function warn(error: unknown): void {
  process.emitWarning(`@vizprompt/core: an answer cannot be resumed: ${messageOf(error)}`);
}
