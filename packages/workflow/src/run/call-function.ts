import type { JsonValue } from '@vizprompt/providers';
import { messageOf } from '@vizprompt/providers';
import { retrying } from '../agents/retrying.ts';
import { withinTime, type TimedAttempt } from '../agents/time-limit.ts';
import type { Retry, Timeout } from '../definition/policies.ts';
import { WorkflowError } from '../errors.ts';
import { doWork } from './do-work.ts';
import { toErrorJson } from './failure.ts';
import { policiesOf } from './policies-of.ts';
import type { Place, Thread } from './thread.ts';

/** A call of something that the engine was given: a function, a tool, a retriever, an activity. */
export interface FunctionWork {
  readonly speaker: string;
  readonly policies: {
    readonly retry?: string | Retry;
    readonly timeout?: string | Timeout;
  };
  input(): JsonValue;
  /** One attempt. What it gives becomes JSON. */
  call(attempt: TimedAttempt): unknown;
}

/** Calls it when there is a place, within its time, again where it failed and may succeed. */
export function callFunction(thread: Thread, place: Place, work: FunctionWork): Promise<JsonValue> {
  const { engine, definition, tell, budget } = thread.services;
  const { path, stepId } = place;
  return doWork(thread, place, {
    speaker: work.speaker,
    input: work.input,
    async run(signal) {
      const { retry, timeout } = policiesOf(definition, work.policies);
      const output = await retrying(
        {
          rules: retry ?? {},
          isAskedFor: retry !== undefined,
          signal,
          onRetry: ({ attempt, waitMs, error }) =>
            tell('step:retried', { path, stepId, attempt, waitMs, error: toErrorJson(error) }),
        },
        async () => {
          const leave = await engine.limiter.enter(signal);
          try {
            return await withinTime(timeout, signal, async (attempt) => work.call(attempt));
          } catch (error) {
            throw budget.limitOf(error, path) ?? error;
          } finally {
            leave();
          }
        },
      );
      return { output: toJsonValue(output, work.speaker) };
    },
  });
}

/** Gives something that the engine was given under a name. */
export function given<Value>(
  what: string,
  all: ReadonlyMap<string, Value> | Readonly<Record<string, Value>>,
  name: string,
): Value {
  const map = all instanceof Map ? all : new Map(Object.entries(all));
  const value = map.get(name);
  if (value !== undefined) return value;
  const names = [...map.keys()].join(', ') || 'none';
  throw new WorkflowError('not-found', `the engine has no ${what} '${name}'; it has: ${names}`, {
    context: { [what]: name },
  });
}

/** What the journal would give back. */
function toJsonValue(value: unknown, speaker: string): JsonValue {
  if (value === undefined || value === null) return null;
  if (typeof value === 'string' || typeof value === 'boolean') return value;
  try {
    const text: string | undefined = JSON.stringify(value);
    if (text === undefined) throw new TypeError(`a ${typeof value} has none`);
    const json: JsonValue = JSON.parse(text);
    return json;
  } catch (cause) {
    throw new TypeError(`what '${speaker}' gave is no JSON: ${messageOf(cause)}`, { cause });
  }
}
