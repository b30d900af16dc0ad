import { STATUS_CODES } from 'node:http';
import { type JsonValue, type Logger, messageOf } from '@vizprompt/providers';
import { SERVING_HEADERS } from '@vizprompt/providers/serving/internal';
import { WorkflowError, type WorkflowErrorCode } from '../errors.ts';

const STATUSES: Readonly<Partial<Record<WorkflowErrorCode, number>>> = {
  'invalid-input': 400,
  'not-found': 404,
  conflict: 409,
  'not-waiting': 409,
  finished: 409,
  // The condition or the path of a webhook does not fit the request.
  'condition-failed': 422,
  closed: 503,
  'journal-unwritable': 503,
};

/** Answers with JSON. */
export function jsonResponse(
  status: number,
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return new Response(`${JSON.stringify(value)}\n`, {
    status,
    headers: { ...common(), 'Content-Type': 'application/json; charset=utf-8', ...headers },
  });
}

/** Answers with an error as RFC 9457 has it. */
export function problemResponse(
  status: number,
  code: string,
  detail: string,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const title = STATUS_CODES[status] ?? 'Error';
  const body = { type: 'about:blank', title, status, detail, code };
  const type = { 'Content-Type': 'application/problem+json; charset=utf-8' };
  return jsonResponse(status, body, { ...type, ...headers });
}

/** Answers with what a call of the engine threw; what is no fault of the client is logged, and not shown. */
export function responseOfError(error: unknown, logger: Logger): Response {
  if (WorkflowError.isInstance(error)) {
    const status = STATUSES[error.code];
    if (status !== undefined) return problemResponse(status, error.code, error.message);
  }
  logger.error('a request failed', { error: messageOf(error) });
  return problemResponse(500, 'internal', 'the request failed: the log of the server says why');
}

/** Answers with a page that loads nothing. */
export function htmlResponse(html: string): Response {
  return new Response(html, {
    headers: { ...common(), 'Content-Type': 'text/html; charset=utf-8' },
  });
}

function common(): Readonly<Record<string, string>> {
  return { ...SERVING_HEADERS, 'Cache-Control': 'no-store' };
}

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

/**
 * Reads the body of a request.
 *
 * @throws WorkflowError with the code `invalid-input` if it is larger.
 */
export async function readBytes(request: Request, most: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of chunksOf(request.body)) {
    size += part.byteLength;
    if (size > most) {
      throw new WorkflowError('invalid-input', `the body has more than ${most} bytes`);
    }
    parts.push(part);
  }
  return Buffer.concat(parts);
}

/** Reads a body, and lets go of it where the reader leaves. */
export async function* chunksOf(
  body: ReadableStream<Uint8Array> | null,
): AsyncGenerator<Uint8Array, void, undefined> {
  if (!body) return;
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/**
 * Reads a body of JSON; an empty one is `null`. Pages of other sites can send anything but this type without being
 * asked, so that it has to be this one.
 *
 * @throws WorkflowError with the code `invalid-input`.
 */
export async function readJson(request: Request, most: number): Promise<JsonValue> {
  const bytes = await readBytes(request, most);
  const type = request.headers.get('content-type') ?? '';
  if (bytes.byteLength === 0) return null;
  if (!/^application\/(?:[\w.+-]+\+)?json\b/i.test(type)) {
    throw new WorkflowError(
      'invalid-input',
      'the body must be JSON: Content-Type: application/json',
    );
  }
  try {
    const value: JsonValue = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    return value;
  } catch (cause) {
    throw new WorkflowError('invalid-input', 'the body is no JSON', { cause });
  }
}
