import { ChatCollector, LLMError, type ChatEvent } from '@vizprompt/providers';
import type { Middleware } from '@vizprompt/providers/middleware';

/**
 * Holds an answer back until it is whole, and tells its text as it comes. So a call that breaks off in
 * the middle can be repeated by the layer above: nobody has built on what came, and whoever showed it is
 * told that it is void.
 */
export function heldAnswer(onText: (text: string) => void): Middleware {
  return {
    name: 'heldAnswer',
    async *stream(request, next) {
      const events: ChatEvent[] = [];
      const collector = new ChatCollector();
      try {
        for await (const event of next(request)) {
          collector.add(event);
          if (event.type === 'text-delta') onText(event.text);
          else if (event.type !== 'reasoning-delta' && event.type !== 'tool-call-delta') {
            events.push(event);
          }
        }
      } catch (error) {
        throw LLMError.isInstance(error) ? asUnheard(error) : error;
      }
      yield* events;
    },
  };
}

/** The same error, of an answer that nobody heard. */
function asUnheard(error: LLMError): LLMError {
  const { provider, modelId, status, requestId, retryAfterMs, partial, isRetryable } = error;
  const facts = { provider, modelId, status, requestId, retryAfterMs, partial };
  const known = Object.fromEntries(
    Object.entries(facts).filter(([, value]) => value !== undefined),
  );
  return new LLMError(error.code, error.message, {
    ...known,
    isRetryable,
    outputStarted: false,
    context: error.context,
    cause: error.cause,
  });
}
