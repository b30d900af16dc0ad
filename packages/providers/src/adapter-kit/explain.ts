import { LLMError } from '../models/llm-error.ts';
import { messageOf } from '../errors.ts';
import { PeerError } from '../peer.ts';
import { adviceFor, codeOf, type HttpFailure } from './http-failure.ts';
import { retryAfterMs } from './retry-after.ts';

/** Takes an SDK's own error apart; `undefined` for one that it does not know. */
export type ReadFailure = (error: unknown) => HttpFailure | undefined;

/**
 * Makes an `LLMError` of anything that a call threw; who it happened to is added later.
 *
 * @param headers - Of the HTTP answer; SDKs keep them to themselves.
 * @param keyName - The environment variable that holds the key, for the advice.
 */
export function explain(
  error: unknown,
  readFailure: ReadFailure,
  headers: Headers | undefined,
  keyName: string | undefined,
): LLMError {
  const known = knownError(error);
  if (known) return known;
  if (PeerError.isInstance(error)) {
    return new LLMError('unsupported', error.message, { cause: error });
  }
  const failure = failureIn(error, readFailure);
  if (failure) return refusal(error, failure, headers, keyName);
  if (/incomplete json/i.test(messageOf(error))) {
    const message = 'the stream ended in the middle of a frame';
    return new LLMError('truncated', message, { cause: error });
  }
  if (isBadJson(error)) {
    return new LLMError('bad_response', 'the answer is not valid JSON', { cause: error });
  }
  return networkFailure(error);
}

/** An `LLMError` of ours, on its own or wrapped by the SDK. */
function knownError(error: unknown): LLMError | undefined {
  for (let at = error, depth = 0; at instanceof Error && depth < 4; at = at.cause, depth++) {
    if (LLMError.isInstance(at)) return at;
  }
  return undefined;
}

/** SDKs wrap what `fetch` throws. */
function failureIn(error: unknown, readFailure: ReadFailure): HttpFailure | undefined {
  for (let at = error, depth = 0; at instanceof Error && depth < 4; at = at.cause, depth++) {
    const isAnswer = depth === 0 || 'status' in at || 'status_code' in at;
    const failure = isAnswer ? readFailure(at) : undefined;
    if (failure) return failure;
  }
  return undefined;
}

function refusal(
  error: unknown,
  failure: HttpFailure,
  headers: Headers | undefined,
  keyName: string | undefined,
): LLMError {
  const { status, text, details = '' } = failure;
  const code = codeOf(failure);
  const advice = adviceFor(code, keyName);
  const wait = retryAfterMs(headers, `${text} ${details}`);
  const message = `it refused${status === undefined ? '' : ` with status ${status}`}${summarize(text)}`;
  return new LLMError(code, advice === '' ? message : `${message}; ${advice}`, {
    cause: error,
    ...(wait === undefined ? {} : { retryAfterMs: wait }),
    ...(status === undefined ? {} : { status }),
  });
}

function summarize(text: string): string {
  if (/^\s*<(!doctype|html)/i.test(text)) return ' and a web page instead of JSON: is it a proxy?';
  const line = text.replace(/\s+/g, ' ').trim().replace(/\.$/, '');
  if (line === '') return '';
  return `: ${line}`;
}

function isBadJson(error: unknown): boolean {
  if (error instanceof SyntaxError) return true;
  return /JSON at position|JSON parsing/i.test(messageOf(error));
}

/** Node hides what went wrong in the cause of `TypeError: fetch failed`. */
function networkFailure(cause: unknown): LLMError {
  let code: string | undefined;
  for (let at = cause, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++) {
    if ('code' in at && typeof at.code === 'string') code = at.code;
  }
  switch (code) {
    case 'ECONNREFUSED': {
      const message = `nothing listens there (${code}): start the server, or correct the address`;
      return new LLMError('network', message, { cause });
    }
    case 'ENOTFOUND':
    case 'EAI_AGAIN': {
      const message = `the name of the host is not known (${code}): check the address and the network`;
      return new LLMError('network', message, { cause });
    }
    case 'UND_ERR_HEADERS_TIMEOUT':
    case 'UND_ERR_BODY_TIMEOUT':
      return new LLMError('timeout', `the server was silent for too long (${code})`, { cause });
    case 'ECONNRESET':
    case 'UND_ERR_SOCKET':
    case 'EPIPE':
      return new LLMError('network', `the connection broke (${code})`, { cause });
    default:
      return otherFailure(cause, code);
  }
}

/** An SDK that never came to call the server objects to what it was given. */
function otherFailure(cause: unknown, code: string | undefined): LLMError {
  const said = messageOf(cause);
  const isOurs = code?.startsWith('ERR_INVALID') ?? false;
  const isNetwork =
    code !== undefined || /fetch failed|terminated|socket|network|bad port/i.test(chainOf(cause));
  const message = `the call failed: ${said}${code === undefined ? '' : ` (${code})`}`;
  return new LLMError(isNetwork && !isOurs ? 'network' : 'invalid_request', message, { cause });
}

function chainOf(error: unknown): string {
  const messages: string[] = [];
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++) {
    messages.push(at.message);
  }
  return messages.join(' ');
}
