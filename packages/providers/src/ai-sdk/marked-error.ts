import { detailsOf, LLMError } from '../models/llm-error.ts';

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
    const { status, retryAfterMs } = error;
    super(error.code, error.message, { ...detailsOf(error), cause: error });
    this.statusCode = status;
    this.responseHeaders =
      retryAfterMs === undefined ? undefined : { 'retry-after-ms': String(retryAfterMs) };
    for (const name of ['vercel.ai.error', 'vercel.ai.error.AI_APICallError']) {
      Object.defineProperty(this, Symbol.for(name), { value: true });
    }
  }
}

/** An error as the AI SDK expects it: an `AbortError` for an abort. */
export function markError(error: unknown): unknown {
  if (!LLMError.isInstance(error)) return error;
  if (error.code !== 'aborted') return new MarkedLLMError(error);
  return Object.assign(new Error(error.message, { cause: error }), { name: 'AbortError' });
}
