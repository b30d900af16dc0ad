import { defined } from '../defined.ts';
import type { LLMError, LLMErrorDetails } from './llm-error.ts';

/** What an error was made with beside code and message, for another one about the same failure. */
export function detailsOf(error: LLMError): LLMErrorDetails {
  const { provider, modelId, status, requestId, retryAfterMs, partial, cause } = error;
  const { outputStarted, isRetryable, context } = error;
  const facts = { provider, modelId, status, requestId, retryAfterMs, partial, cause };
  return { ...defined(facts), outputStarted, isRetryable, context };
}
