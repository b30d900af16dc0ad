import { detailsOf } from '../chat/error-details.ts';
import { LLMError } from '../chat/llm-error.ts';

/** The same error with more in its `context`. */
export function withContext(error: LLMError, context: Readonly<Record<string, unknown>>): LLMError {
  const copy = new LLMError(error.code, error.message, {
    ...detailsOf(error),
    context: { ...error.context, ...context },
  });
  if (error.stack !== undefined) copy.stack = error.stack;
  return copy;
}
