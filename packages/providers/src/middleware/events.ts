import { randomUUID } from 'node:crypto';
import { ChatCollector } from '../models/collect.ts';
import { LLMError } from '../models/llm-error.ts';
import type { TypedEvents } from '../events.ts';
import { messageOf } from '../errors.ts';
import { estimateUsage } from '../adapter-kit/estimate-usage.ts';
import type { Middleware } from '../models/middleware.ts';
import type { ModelEvents } from './model-events.ts';

/**
 * Emits the {@link ModelEvents} of each call. It observes only: whatever a listener does, the stream
 * stays the same.
 *
 * As the outermost layer it sees a call with all its retries as one; below `retry`, each attempt.
 *
 * @param target - Where to emit: `TypedEvents`, or anything with its `emit`.
 *
 * @example
 * ```ts
 * const told = new TypedEvents<ModelEvents>();
 * told.on('call:ended', ({ modelId, ms, usage }) => console.log(modelId, ms, usage.outputTokens));
 * const model = compose(openai({ model: 'gpt-5' }), events(told));
 * ```
 */
export function events(target: Pick<TypedEvents<ModelEvents>, 'emit'>): Middleware {
  function emit<Name extends keyof ModelEvents>(name: Name, payload: ModelEvents[Name]): void {
    try {
      target.emit(name, payload);
    } catch {
      // An observer does not decide over the call.
    }
  }

  return {
    name: 'events',
    async *stream(request, next, { provider, modelId }) {
      const call = { callId: randomUUID(), provider, modelId };
      const startedAt = performance.now();
      const elapsed = (): number => performance.now() - startedAt;
      const collector = new ChatCollector();
      let isOver = false;
      let hasContent = false;
      const end = (): void => {
        isOver = true;
        const answer = collector.result();
        const isWhole = collector.isFinished;
        emit('call:ended', {
          ...call,
          ms: elapsed(),
          ...(answer.model === undefined ? {} : { model: answer.model }),
          finishReason: answer.finishReason,
          usage: isWhole ? answer.usage : estimateUsage(request, answer),
          isWhole,
        });
      };
      emit('call:started', call);
      try {
        for await (const event of next(request)) {
          collector.add(event);
          if (!hasContent && event.type !== 'start' && event.type !== 'finish') {
            hasContent = true;
            emit('call:first-content', { callId: call.callId, ms: elapsed() });
          }
          if (event.type === 'finish') end();
          yield event;
        }
      } catch (error) {
        const code = LLMError.isInstance(error) ? error.code : 'bad_response';
        if (!isOver)
          emit('call:failed', { ...call, ms: elapsed(), code, message: messageOf(error) });
        isOver = true;
        throw error;
      } finally {
        if (!isOver) end();
      }
    },
  };
}
