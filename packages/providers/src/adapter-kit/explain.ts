import { isError, messageOf } from '../errors.ts';
import { LLMError } from '../models/llm-error.ts';
import { PeerError } from '../peer.ts';
import { readErrorBody } from './error-body.ts';
import { adviceFor, codeOf, type HttpFailure, retryAfterMs } from './http-failure.ts';
import { networkFailure } from './network-failure.ts';
import type { Wire } from './wire.ts';

/** Takes an SDK's own error apart; `undefined` for one that it does not know. */
type ReadFailure = (error: unknown) => HttpFailure | undefined;

/** How an adapter reads failures. */
export interface FailureReader {
  readonly readFailure: ReadFailure;
  /** Adds to a sentence of the server what the user can do. */
  readonly advise?: ((text: string) => string) | undefined;
}

/**
 * Makes an `LLMError` of anything that a call threw; who it happened to is added later.
 *
 * @param wire - The HTTP exchange of the call; SDKs keep it to themselves.
 * @param keyName - The environment variable that holds the key, for the advice.
 */
export function explain(
  error: unknown,
  reader: FailureReader,
  wire: Pick<Wire, 'headers' | 'refusal'>,
  keyName: string | undefined,
): LLMError {
  const known = knownError(error);
  if (known) return known;
  if (PeerError.isInstance(error)) {
    return new LLMError('unsupported', error.message, { cause: error });
  }
  const failure = failureOf(error, reader, wire);
  if (failure) return explainFailure(error, failure, wire.headers, keyName);
  if (/incomplete json/i.test(messageOf(error))) {
    const message = 'the stream ended in the middle of a frame';
    return new LLMError('truncated', message, { cause: error });
  }
  if (isBadJson(error)) {
    return new LLMError('bad_response', 'the answer is not valid JSON', { cause: error });
  }
  return networkFailure(error);
}

/** Returns an `LLMError` of ours, on its own or wrapped by the SDK. */
function knownError(error: unknown): LLMError | undefined {
  for (let at = error, depth = 0; isError(at) && depth < 4; at = at.cause, depth++) {
    if (LLMError.isInstance(at)) return at;
  }
  return undefined;
}

/** Returns the refusal that a call failed with, in the words of its body, which SDKs know in one form only. */
export function failureOf(
  error: unknown,
  { readFailure, advise = (text) => text }: FailureReader,
  { refusal: seen }: Pick<Wire, 'refusal'>,
): HttpFailure | undefined {
  if (seen === undefined) {
    const failure = failureIn(error, readFailure);
    return failure && { ...failure, text: advise(failure.text) };
  }
  const { status: named, text, ...body } = readErrorBody(seen.body);
  // Gateways hide an error of the provider in a status that says nothing.
  const status = seen.status === 400 || seen.status === 500 ? (named ?? seen.status) : seen.status;
  return { ...body, text: advise(text || seen.statusText), status };
}

/** SDKs wrap what `fetch` throws. */
function failureIn(error: unknown, readFailure: ReadFailure): HttpFailure | undefined {
  for (let at = error, depth = 0; isError(at) && depth < 4; at = at.cause, depth++) {
    const isAnswer = depth === 0 || 'status' in at || 'status_code' in at;
    const failure = isAnswer ? readFailure(at) : undefined;
    if (failure) return failure;
  }
  return undefined;
}

/** Makes an `LLMError` of a refusal, or of a failure that came within an answer. */
export function explainFailure(
  error: unknown,
  failure: HttpFailure,
  headers?: Headers,
  keyName?: string,
): LLMError {
  const { status, text, details = '' } = failure;
  const code = codeOf(failure);
  const advice = adviceFor(code, keyName);
  const isLimited = code === 'rate_limit' || code === 'overloaded';
  const wait = retryAfterMs(headers, `${text} ${details}`, Date.now(), isLimited);
  const message = `it refused${status === undefined ? '' : ` with status ${status}`}${summarize(text)}`;
  return new LLMError(code, advice === '' ? message : `${message}; ${advice}`, {
    cause: error,
    ...(wait === undefined ? {} : { retryAfterMs: wait }),
    ...(status === undefined ? {} : { status }),
  });
}

function summarize(text: string): string {
  const line = text.replace(/\s\s*/g, ' ').trim().replace(/\.$/, '');
  return line === '' ? '' : `: ${line}`;
}

function isBadJson(error: unknown): boolean {
  if (error instanceof SyntaxError) return true;
  return /JSON at position|JSON parsing/i.test(messageOf(error));
}

const SECRET_HEADER = /auth|key|token|cookie|secret/i;

/** Returns the values of headers that must not be seen. */
export function secretsIn(headers: Readonly<Record<string, string>> = {}): string[] {
  return Object.entries(headers).flatMap(([name, value]) =>
    SECRET_HEADER.test(name) ? [value, value.replace(/^\w\w* /, '')] : [],
  );
}

/** Returns the error of a model that runs in this process: no network was involved, and no retry helps. */
export function localFailure(error: unknown, what: string): LLMError | PeerError {
  if (LLMError.isInstance(error) || PeerError.isInstance(error)) return error;
  return new LLMError('invalid_request', `${what}: ${messageOf(error)}`, { cause: error });
}
