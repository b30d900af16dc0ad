import { randomUUID } from 'node:crypto';
import { estimateUsage } from '../adapter-kit/estimate-usage.ts';
import { messageOf } from '../errors.ts';
import type { TypedEvents } from '../events.ts';
import { ChatCollector } from '../models/collect.ts';
import type { FinishReason, Usage } from '../models/events.ts';
import { LLMError, type LLMErrorCode } from '../models/llm-error.ts';
import type { Middleware } from '../models/chat-model.ts';

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

/** A call of a model. */
export interface ObservedCall {
  /** The same in all events of one call, and in no other. */
  readonly callId: string;
  readonly provider: string;
  readonly modelId: string;
}

/** A call came to its end. */
export interface CallEnded extends ObservedCall {
  /** Since the start, in milliseconds. */
  readonly ms: number;
  /** The model that answered, as the provider names it. */
  readonly model?: string;
  /** `unknown` if the reader left. */
  readonly finishReason: FinishReason;
  /** An estimate if the reader left. */
  readonly usage: Usage;
  /** `false`: the reader left before the end. */
  readonly isWhole: boolean;
}

/** A call failed. */
export interface CallFailed extends ObservedCall {
  /** Since the start, in milliseconds. */
  readonly ms: number;
  readonly code: LLMErrorCode;
  /** The message of the error; it may name models and addresses, but holds nothing that was said. */
  readonly message: string;
}

/**
 * The events that `events` emits. Each call starts once and then either ends or fails, and no
 * question or answer is in any event.
 */
export interface ModelEvents {
  'call:started': ObservedCall;
  /** The first piece of content came; `ms` since the start. */
  'call:first-content': { readonly callId: string; readonly ms: number };
  'call:ended': CallEnded;
  'call:failed': CallFailed;
}
