import { CodedError, hasErrorMark, type ErrorDetails } from '../errors.ts';
import { omitUndefined } from '../json/fields.ts';
import type { ChatResult } from './events.ts';

/**
 * Why a model call failed.
 *
 * - `aborted`: the caller's signal; `timeout`: one of the request's limits
 * - `network`: no connection, or one that broke; `server`: the provider failed (5xx)
 * - `overloaded`: the provider has no capacity now; `rate_limit`: too many calls
 * - `quota`: the account is out of money or allowance, waiting does not help
 * - `auth`: no key or a wrong one; `permission`: the key may not do this
 * - `not_found`: no such model or address; `invalid_request`: the provider refused the request
 * - `context_length`: the conversation is too long for the model
 * - `content_filter`: the provider would not answer; `unsupported`: the model cannot do this
 * - `truncated`: the stream ended without a finish; `bad_response`: it was not understood
 * - `output_parse`: the answer is not in the form that was asked for
 */
export type LLMErrorCode =
  | 'aborted'
  | 'timeout'
  | 'network'
  | 'rate_limit'
  | 'quota'
  | 'overloaded'
  | 'server'
  | 'auth'
  | 'permission'
  | 'not_found'
  | 'invalid_request'
  | 'context_length'
  | 'content_filter'
  | 'unsupported'
  | 'truncated'
  | 'bad_response'
  | 'output_parse';

/** The details of an {@link LLMError} besides its code. */
export interface LLMErrorDetails extends ErrorDetails {
  readonly provider?: string;
  readonly modelId?: string;
  /** HTTP status. */
  readonly status?: number;
  /** The provider's id of the request, for its support. */
  readonly requestId?: string;
  /** How long the provider asks to wait, in milliseconds. */
  readonly retryAfterMs?: number;
  /** True if any content had arrived. Default: `false`. */
  readonly outputStarted?: boolean;
  /** The output that had arrived. */
  readonly partial?: ChatResult;
  /** Default: by code; see {@link LLMError.isRetryable}. */
  readonly isRetryable?: boolean;
}

const RETRYABLE: ReadonlySet<LLMErrorCode> = new Set([
  'timeout',
  'network',
  'rate_limit',
  'overloaded',
  'server',
  'truncated',
]);

/** The one error of every chat and embedding model, whatever its provider. */
export class LLMError extends CodedError<LLMErrorCode> {
  readonly provider: string | undefined;
  readonly modelId: string | undefined;
  /** HTTP status, where there was an answer. */
  readonly status: number | undefined;
  readonly requestId: string | undefined;
  /** How long the provider asks to wait, in milliseconds. */
  readonly retryAfterMs: number | undefined;
  /** Content had arrived before the failure: a second call could say something else. */
  readonly outputStarted: boolean;
  /** The content that had arrived. */
  readonly partial: ChatResult | undefined;
  /** The same call may succeed later. By code, unless the adapter knows better. */
  readonly isRetryable: boolean;

  constructor(code: LLMErrorCode, message: string, details: LLMErrorDetails = {}) {
    const { provider, modelId, status, requestId } = details;
    const facts = { provider, modelId, status, requestId };
    const known = Object.entries(facts).filter(([, value]) => value !== undefined);
    super('LLMError', code, message, {
      ...details,
      context: { ...Object.fromEntries(known), ...details.context },
    });
    this.provider = provider;
    this.modelId = modelId;
    this.status = status;
    this.requestId = requestId;
    this.retryAfterMs = details.retryAfterMs;
    this.outputStarted = details.outputStarted ?? details.partial !== undefined;
    this.partial = details.partial;
    this.isRetryable = details.isRetryable ?? RETRYABLE.has(code);
  }

  /** Checks whether a value is an `LLMError`, from this or any other installed copy of the package. */
  static isInstance(value: unknown): value is LLMError {
    return hasErrorMark(value, 'LLMError');
  }
}

/** Returns the details of an error besides code and message, for another one about the same failure. */
export function detailsOf(error: LLMError): LLMErrorDetails {
  const { provider, modelId, status, requestId, retryAfterMs, partial, cause } = error;
  const { outputStarted, isRetryable, context } = error;
  const facts = { provider, modelId, status, requestId, retryAfterMs, partial, cause };
  return { ...omitUndefined(facts), outputStarted, isRetryable, context };
}

/** Returns the same error with more in its `context`. */
export function withContext(error: LLMError, context: Readonly<Record<string, unknown>>): LLMError {
  const copy = new LLMError(error.code, error.message, {
    ...detailsOf(error),
    context: { ...error.context, ...context },
  });
  if (error.stack !== undefined) copy.stack = error.stack;
  return copy;
}

const KNOWN: Readonly<Record<LLMErrorCode, true>> = {
  aborted: true,
  timeout: true,
  network: true,
  rate_limit: true,
  quota: true,
  overloaded: true,
  server: true,
  auth: true,
  permission: true,
  not_found: true,
  invalid_request: true,
  context_length: true,
  content_filter: true,
  unsupported: true,
  truncated: true,
  bad_response: true,
  output_parse: true,
};

/** The codes that an `LLMError` can have. */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of an object of all codes
export const LLM_ERROR_CODES: readonly LLMErrorCode[] = Object.keys(KNOWN) as LLMErrorCode[];
