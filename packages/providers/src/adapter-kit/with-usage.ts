import type { Usage } from '../models/events.ts';
import { LLMError } from '../models/llm-error.ts';

/** Runs the end of an answer; what it throws carries the usage that the provider told before. */
export function withUsage<T>(usage: Usage | undefined, end: () => T): T {
  try {
    return end();
  } catch (error) {
    if (!LLMError.isInstance(error) || usage === undefined) throw error;
    const { code, message, context } = error;
    const partial = { parts: [], text: '', finishReason: 'unknown', usage, warnings: [] } as const;
    throw new LLMError(code, message, { cause: error.cause, context, partial });
  }
}
