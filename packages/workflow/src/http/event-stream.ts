import { SERVING_HEADERS } from '@vizprompt/providers/serving/internal';

/** Silence after which a comment is sent, in milliseconds: proxies close what says nothing. */
const KEEP_ALIVE_MS = 15_000;

const HEADERS = {
  ...SERVING_HEADERS,
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-store',
  // Proxies must not wait until a buffer is full.
  'X-Accel-Buffering': 'no',
};

/** Returns a message of server-sent events; JSON has no line breaks that would end it early. */
export function frame(data: object, event?: string): string {
  return `${event === undefined ? '' : `event: ${event}\n`}data: ${JSON.stringify(data)}\n\n`;
}

/**
 * Answers with server-sent events. They are taken no faster than the client reads, and let go of when it leaves.
 *
 * @param onError - Makes the last message of what the frames throw.
 */
export function streamResponse(
  frames: AsyncGenerator<string, void, undefined>,
  { onLeave, onError }: { onLeave(): void; onError(error: unknown): string },
): Response {
  const encoder = new TextEncoder();
  let timer: NodeJS.Timeout | undefined;
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      timer = setInterval(() => {
        // One that does not read needs no sign of life.
        if ((controller.desiredSize ?? 0) > 0) controller.enqueue(encoder.encode(':\n\n'));
      }, KEEP_ALIVE_MS);
      timer.unref();
    },
    async pull(controller) {
      let isLast = false;
      try {
        const { value, done = false } = await frames.next();
        isLast = done;
        if (value !== undefined) controller.enqueue(encoder.encode(value));
      } catch (error) {
        isLast = true;
        controller.enqueue(encoder.encode(onError(error)));
      }
      if (!isLast) return;
      clearInterval(timer);
      controller.close();
    },
    async cancel() {
      clearInterval(timer);
      onLeave();
      await frames.return(undefined);
    },
  });
  return new Response(stream, { headers: HEADERS });
}
