import type { JsonValue } from '@vizprompt/providers';
import { WorkflowError } from '../errors.ts';

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
