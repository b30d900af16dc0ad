import {
  type ChatModel,
  type ChatRequest,
  type JsonObject,
  type JsonValue,
  LLMError,
  textMessage,
  type Usage,
} from '@vizprompt/providers';
import { generateObject } from '@vizprompt/providers/generate';
import { budget, compose, type Middleware, type PriceTable } from '@vizprompt/providers/middleware';
import type { OutputFormat } from '../definition/agent-call.ts';
import { type Retry, type Timeout } from '../definition/policies.ts';
import { isFatal, reasonOf } from '../errors.ts';
import type { CallLimiter } from './call-limiter.ts';
import type { ModelChooser } from './model-chooser.ts';
import { retryByRules, type RetryNotice } from './retry-backoff.ts';
import type { CallBudget, RunBudget } from './run-budget.ts';
import { linkSignal, startTimer } from './time-limit.ts';
import { UsageMeter } from './usage-meter.ts';

/** What calls of models need of the engine. */
export interface ModelServices {
  readonly models: ModelChooser;
  readonly limiter: CallLimiter;
  readonly prices: PriceTable;
  middleware(place: ModelCallPlace): readonly Middleware[];
}

/** What an agent is asked. */
interface AgentQuestion {
  /** The place in the run. */
  readonly path: string;
  /** The model, and those that stand in for it. */
  readonly models: readonly { readonly name: string; readonly model: ChatModel }[];
  readonly system: string;
  readonly prompt: string;
  readonly output?: OutputFormat | undefined;
  readonly temperature?: number | undefined;
  readonly maxOutputTokens?: number | undefined;
  readonly retry: Retry | undefined;
  readonly timeout: Timeout | undefined;
  readonly signal: AbortSignal;
  readonly limiter: CallLimiter;
  readonly middleware: readonly Middleware[];
  readonly prices: PriceTable;
  readonly runBudget: RunBudget;
  /** Absent where nothing is limited. */
  readonly budget: CallBudget | undefined;
  onDelta(kind: 'text' | 'reasoning', text: string): void;
  onRetry(notice: RetryNotice): void;
  onFallback(from: string, to: string, error: unknown): void;
}

/** What came, and what it cost with all attempts. */
interface AgentAnswer {
  readonly output: JsonValue;
  /** `provider:model` that answered. */
  readonly model: string;
  readonly usage: Usage;
  /** US dollars, where the price is known. */
  readonly costUsd?: number;
}

/**
 * Asks an agent: passing errors are repeated, then other models are asked, and an answer that does not fit its
 * schema is shown to the model.
 *
 * @throws WorkflowError with the code `limit`, `timeout` or that of the signal's reason; LLMError
 */
export async function askAgent(question: AgentQuestion): Promise<AgentAnswer> {
  const { models, path, signal, retry, runBudget } = question;
  const meter = new UsageMeter(question.prices);
  for (const [at, { name, model }] of models.entries()) {
    try {
      const answer = await retryByRules(
        {
          rules: retry ?? {},
          isAskedFor: retry !== undefined,
          signal,
          onRetry: question.onRetry,
        },
        () => attempt(question, model, meter).catch(rethrown),
      );
      return { ...answer, ...meter.total() };
    } catch (error) {
      if (signal.aborted) throw reasonOf(signal);
      const limit = runBudget.limitOf(error, path);
      if (limit) throw limit;
      const next = models[at + 1];
      if (isFatal(error) || !next || !isWorthAnother(error)) throw error;
      question.onFallback(name, next.name, error);
    }
  }
  throw new Error(`'${path}' has no models`);
}

/** One attempt, which may take several calls where the answer has to be repaired. */
async function attempt(
  question: AgentQuestion,
  model: ChatModel,
  meter: UsageMeter,
): Promise<Pick<AgentAnswer, 'output' | 'model'>> {
  const { system, prompt, output, temperature, maxOutputTokens, signal } = question;
  const asked = compose(model, ...layersOf(question, model, meter), ...question.middleware);
  const request: ChatRequest = {
    messages: [
      ...(system === '' ? [] : [textMessage('system', system)]),
      textMessage('user', prompt),
    ],
    signal,
    ...(temperature === undefined ? {} : { temperature }),
    ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
  };
  if (!output) {
    const { text } = await asked.generate(request);
    return { output: text, model: `${model.provider}:${model.modelId}` };
  }
  const { object } = await generateObject<JsonValue>(asked, request, {
    schema: output.schema satisfies JsonObject,
    ...(output.repair === undefined ? {} : { repair: output.repair }),
  });
  return { output: object, model: `${model.provider}:${model.modelId}` };
}

/** A call waits for its place, is paid for, and is then timed. */
function layersOf(
  { limiter, budget: own, prices, timeout, onDelta }: AgentQuestion,
  model: ChatModel,
  meter: UsageMeter,
): Middleware[] {
  return [
    limited(limiter, model.provider),
    ...(own ? [budget(own.budget, { prices }), reserved(own)] : []),
    ...(timeout ? [timed(timeout)] : []),
    heard(onDelta, meter),
  ];
}

/** What ends the run comes out of the layers of a model as the cause of an error of that model. */
function rethrown(error: unknown): never {
  throw LLMError.isInstance(error) && isFatal(error.cause) ? error.cause : error;
}

function isWorthAnother(error: unknown): boolean {
  if (!LLMError.isInstance(error)) return true;
  return error.code !== 'invalid_request' && error.code !== 'content_filter';
}

/** From where a model is called. */
export interface ModelCallPlace {
  readonly runId: string;
  /** The place in the run, as in events. */
  readonly path: string;
  /** The id of the step in the file. */
  readonly stepId: string;
  /** The role that the model plays. */
  readonly agent: string;
}

/** Each call waits for a place, and keeps it until its answer has ended. */
function limited(limiter: CallLimiter, provider: string): Middleware {
  return {
    name: 'concurrency',
    async *stream(request, next) {
      const release = await limiter.acquire(request.signal, provider);
      try {
        yield* next(request);
      } finally {
        release();
      }
    },
  };
}

/** What a call may cost is in the journal before it is made. */
function reserved({ written }: CallBudget): Middleware {
  return {
    name: 'reservation',
    async *stream(request, next) {
      await written();
      yield* next(request);
    },
  };
}

/** Tells what comes, and counts what it cost. */
function heard(
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
function timed({ total, idle }: Timeout): Middleware {
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
      const totalTimer = startTimer(total, (ms) =>
        stop(`the call took longer than ${ms} ms (timeout.total)`),
      );
      const idleTimer = startTimer(idle, (ms) => stop(`nothing came for ${ms} ms (timeout.idle)`));
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
