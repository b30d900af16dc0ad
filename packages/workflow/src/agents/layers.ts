import { LLMError } from '@vizprompt/providers';
import type { Middleware } from '@vizprompt/providers/middleware';
import { toMs } from '../definition/duration.ts';
import type { Timeout } from '../definition/policies.ts';
import { linkSignal } from '../run/linked-signal.ts';
import type { CallLimiter } from './limiter.ts';
import type { CallBudget } from './run-budget.ts';
import type { UsageMeter } from './usage-meter.ts';

/** Above this, timers fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Each call waits for a place, and keeps it until its answer has ended. */
export function limited(limiter: CallLimiter, provider: string): Middleware {
  return {
    name: 'concurrency',
    async *stream(request, next) {
      const leave = await limiter.enter(request.signal, provider);
      try {
        yield* next(request);
      } finally {
        leave();
      }
    },
  };
}

/** What a call may cost is in the journal before it is made. */
export function reserved({ written }: CallBudget): Middleware {
  return {
    name: 'reservation',
    async *stream(request, next) {
      await written();
      yield* next(request);
    },
  };
}

/** Tells what comes, and counts what it cost. */
export function heard(
  onDelta: (kind: 'text' | 'reasoning', text: string) => void,
  meter: UsageMeter,
): Middleware {
  return {
    name: 'deltas',
    async *stream(request, next, model) {
      try {
        for await (const event of next(request)) {
          if (event.type === 'text-delta') onDelta('text', event.text);
          else if (event.type === 'reasoning-delta') onDelta('reasoning', event.text);
          else if (event.type === 'finish') meter.add(event.usage, model);
          yield event;
        }
      } catch (error) {
        meter.addFailure(error, model);
        throw error;
      }
    },
  };
}

/** Ends a call that takes too long, whatever the model makes of its signal. */
export function timed({ total, idle }: Timeout): Middleware {
  return {
    name: 'timeout',
    async *stream(request, next) {
      const linked = linkSignal(request.signal);
      let onStop: (error: LLMError) => void = () => undefined;
      const stopped = new Promise<never>((_, reject) => (onStop = reject));
      stopped.catch(() => undefined);
      const stop = (message: string): void => {
        const error = new LLMError('timeout', message);
        onStop(error);
        linked.abort(error);
      };
      const totalTimer = timer(total, (ms) =>
        stop(`the call took longer than ${ms} ms (timeout.total)`),
      );
      const idleTimer = timer(idle, (ms) => stop(`nothing came for ${ms} ms (timeout.idle)`));
      const events = next({ ...request, signal: linked.signal })[Symbol.asyncIterator]();
      let isOpen = true;
      try {
        for (;;) {
          const { done, value } = await Promise.race([events.next(), stopped]);
          if (done) break;
          idleTimer?.refresh();
          yield value;
        }
        isOpen = false;
      } finally {
        clearTimeout(totalTimer);
        clearTimeout(idleTimer);
        linked.unlink();
        // Who does not hear its signal is not waited for.
        if (isOpen) events.return?.()?.catch(() => undefined);
      }
    },
  };
}

function timer(limit: Timeout['total'], onTime: (ms: number) => void): NodeJS.Timeout | undefined {
  if (limit === undefined) return undefined;
  const ms = toMs(limit);
  return ms > MAX_TIMER_MS ? undefined : setTimeout(() => onTime(ms), ms);
}
