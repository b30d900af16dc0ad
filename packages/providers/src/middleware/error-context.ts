import { LLMError } from '../chat/llm-error.ts';

/** The same error with more in its `context`. */
export function withContext(error: LLMError, context: Readonly<Record<string, unknown>>): LLMError {
  const { provider, modelId, status, requestId, retryAfterMs, partial, cause } = error;
  const copy = new LLMError(error.code, error.message, {
    ...(provider === undefined ? {} : { provider }),
    ...(modelId === undefined ? {} : { modelId }),
    ...(status === undefined ? {} : { status }),
    ...(requestId === undefined ? {} : { requestId }),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    ...(partial === undefined ? {} : { partial }),
    ...(cause === undefined ? {} : { cause }),
    outputStarted: error.outputStarted,
    isRetryable: error.isRetryable,
    context: { ...error.context, ...context },
  });
  if (error.stack !== undefined) copy.stack = error.stack;
  return copy;
}
