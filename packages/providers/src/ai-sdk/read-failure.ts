import { type HttpFailure, retryAfterMs } from '../adapter-kit/http-failure.ts';
import type { Fetch } from '../adapter-kit/unlimited-fetch.ts';
import type { Wire } from '../adapter-kit/wire.ts';
import { isError, messageOf } from '../errors.ts';
import { isRecord } from '../json/fields.ts';
import { detailsOf, LLMError, type LLMErrorCode } from '../models/llm-error.ts';

/** The AI SDK's own errors that are not an answer of a server, by the names in their marks. */
const CODES: Readonly<Record<string, LLMErrorCode>> = {
  AI_LoadAPIKeyError: 'auth',
  AI_LoadSettingError: 'invalid_request',
  AI_NoSuchModelError: 'not_found',
  AI_UnsupportedFunctionalityError: 'unsupported',
  AI_InvalidPromptError: 'invalid_request',
  AI_InvalidArgumentError: 'invalid_request',
  AI_TooManyEmbeddingValuesForCallError: 'invalid_request',
  AI_InvalidResponseDataError: 'bad_response',
  AI_EmptyResponseBodyError: 'bad_response',
  AI_NoContentGeneratedError: 'bad_response',
  AI_TypeValidationError: 'bad_response',
  AI_JSONParseError: 'bad_response',
};

/** The content of an `error` piece of a stream, where that was not an `Error`. */
class StreamError extends Error {
  readonly failure: HttpFailure;

  constructor(value: unknown) {
    const failure = readBody(value) ?? { text: String(value) };
    super(failure.text);
    this.name = 'StreamError';
    this.failure = failure;
  }
}

/** Returns the content of an `error` piece of a stream as an error. */
export function streamError(value: unknown): Error {
  return isError(value) ? value : new StreamError(value);
}

/** Returns the errors of the AI SDK that have a meaning of their own, as an `LLMError`; others unchanged. */
export function translateError(error: unknown): unknown {
  if (!isError(error) || LLMError.isInstance(error)) return error;
  const isOddAnswer = hasMark(error, '.AI_APICallError') && (statusOf(error) ?? 400) < 400;
  // A connection that broke within an answer: what happened is in the cause.
  if (isOddAnswer && isError(error.cause) && !hasMark(error.cause)) return error.cause;
  const [, known] = Object.entries(CODES).find(([name]) => hasMark(error, `.${name}`)) ?? [];
  const code = isOddAnswer ? 'bad_response' : known;
  if (code === undefined) return error;
  const isCutOff = code === 'bad_response' && /ended without a finish/i.test(error.message);
  return isCutOff
    ? new LLMError('truncated', 'the stream ended before the answer was complete', { cause: error })
    : new LLMError(code, error.message.slice(0, 300), { cause: error });
}

/** Returns a refusal: an `APICallError` or another error with an HTTP status, or an `error` piece. */
export function readAiSdkFailure(error: unknown): HttpFailure | undefined {
  if (error instanceof StreamError) return error.failure;
  const status = statusOf(error);
  if (status === undefined) return undefined;
  const body = readBody(bodyOf(error));
  return { status, reason: body?.reason, text: messageOf(error) || body?.text || '' };
}

/** Returns the headers of a refusal, where the error knows them. */
function headersOf(error: unknown): Record<string, string> {
  if (!isRecord(error) || !isRecord(error['responseHeaders'])) return {};
  const entries = Object.entries(error['responseHeaders']);
  return Object.fromEntries(
    entries.flatMap(([key, value]) => (typeof value === 'string' ? [[key, value]] : [])),
  );
}

/** Returns the body of a refusal, parsed where it is JSON. */
function bodyOf(error: unknown): unknown {
  const text = isRecord(error) ? error['responseBody'] : undefined;
  if (typeof text !== 'string') return undefined;
  try {
    const body: unknown = JSON.parse(text);
    return body;
  } catch {
    return text;
  }
}

function statusOf(error: unknown): number | undefined {
  const status = isError(error) && isRecord(error) ? error['statusCode'] : undefined;
  return typeof status === 'number' ? status : undefined;
}

/** Reads `{error: {message, code, type}}`, the same without the envelope, or a sentence. */
function readBody(body: unknown): HttpFailure | undefined {
  if (typeof body === 'string') return { text: body };
  if (!isRecord(body)) return undefined;
  if (body['error'] !== undefined && body['error'] !== null) return readBody(body['error']);
  const { message, code, type, status } = body;
  const reason = [code, type, status].filter((word) => typeof word === 'string').join(' ');
  const isStatus = typeof code === 'number' && code >= 400 && code < 600;
  const text = typeof message === 'string' ? message : JSON.stringify(body);
  return { text, reason, ...(isStatus ? { status: code } : {}) };
}

/** The AI SDK marks its errors, so that they are known across installed copies. */
function hasMark(error: object, name = ''): boolean {
  return Reflect.get(error, Symbol.for(`vercel.ai.error${name}`)) === true;
}

/**
 * An {@link LLMError} that is also an `APICallError` to the AI SDK, which knows its errors by marks:
 * its retries follow `isRetryable` and the wait that the provider asked for.
 */
class MarkedLLMError extends LLMError {
  readonly url: string = '';
  readonly requestBodyValues: unknown = undefined;
  readonly statusCode: number | undefined;
  readonly responseHeaders: Readonly<Record<string, string>> | undefined;
  readonly responseBody: string | undefined = undefined;
  readonly data: unknown = undefined;

  constructor(error: LLMError) {
    const { status, retryAfterMs: waitMs } = error;
    super(error.code, error.message, { ...detailsOf(error), cause: error });
    this.statusCode = status;
    this.responseHeaders = waitMs === undefined ? undefined : { 'retry-after-ms': String(waitMs) };
    for (const name of ['vercel.ai.error', 'vercel.ai.error.AI_APICallError']) {
      Object.defineProperty(this, Symbol.for(name), { value: true });
    }
  }
}

/** Returns an error as the AI SDK expects it: an `AbortError` for an abort. */
export function markError(error: unknown): unknown {
  if (!LLMError.isInstance(error)) return error;
  if (error.code !== 'aborted') return new MarkedLLMError(error);
  return Object.assign(new Error(error.message, { cause: error }), { name: 'AbortError' });
}

/**
 * The `fetch` of a wire whose HTTP calls the AI SDK makes on its own: it answers with the headers
 * that it is given, so that the wire learns of an answer that went past it.
 */
export const echoFetch: Fetch = (_input, init) =>
  Promise.resolve(new Response(null, { headers: init?.headers ?? {} }));

/**
 * Notes on the wire that an answer has begun.
 *
 * @throws LLMError if it is a web page.
 */
export async function noteAnswer(
  wire: Wire,
  headers: Readonly<Record<string, string>> | undefined,
): Promise<void> {
  await wire.fetch('', { headers: { ...headers } });
}

/** Notes on the wire the headers of a refusal, and how long its body asks to wait. */
export async function noteFailure(wire: Wire, error: unknown): Promise<void> {
  const headers = new Headers(headersOf(error));
  headers.delete('content-type');
  const body = bodyOf(error);
  const wait = retryAfterMs(headers, body === undefined ? '' : JSON.stringify(body));
  if (wait !== undefined) headers.set('retry-after-ms', String(wait));
  if ([...headers].length === 0) return;
  await wire.fetch('', { headers });
}
