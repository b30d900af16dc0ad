import {
  type ChatModel,
  type ChatRequest,
  type ChatResult,
  type Message,
  type Part,
  type Tool,
  type JsonObject,
  type JsonValue,
  LLMError,
  messageOf,
  textMessage,
  type Usage,
} from '@vizprompt/providers';
import { generateObject } from '@vizprompt/providers/generate';
import { budget, compose, type Middleware, type PriceTable } from '@vizprompt/providers/middleware';
import type { OutputFormat } from '../definition/agent-call.ts';
import { type Retry, type Timeout } from '../definition/policies.ts';
import { isFatal, reasonOf, WorkflowError } from '../errors.ts';
import type { CallLimiter } from './call-limiter.ts';
import type { ModelChooser } from './model-chooser.ts';
import { retryByRules, type RetryNotice } from './retry-backoff.ts';
import type { CallBudget, RunBudget } from './run-limits.ts';
import { CallDeadline, linkSignal, startTimer, unlessAborted } from './time-limit.ts';
import { UsageMeter } from './usage-meter.ts';

/** The parts of the engine that calls of models need. */
export interface ModelServices {
  readonly models: ModelChooser;
  readonly limiter: CallLimiter;
  readonly prices: PriceTable;
  middleware(place: ModelCallPlace): readonly Middleware[];
}

/** The question to an agent. */
interface AgentQuestion {
  /** The place in the run. */
  readonly path: string;
  /** The model, and those that replace it. */
  readonly models: readonly { readonly name: string; readonly model: ChatModel }[];
  readonly system: string;
  readonly prompt: string;
  /** Messages since the prompt: calls of tools and their results. */
  readonly history?: readonly Message[];
  /** Tools that the model may call instead of answering. */
  readonly tools?: readonly Tool[];
  readonly output?: OutputFormat | undefined;
  readonly temperature?: number | undefined;
  readonly maxOutputTokens?: number | undefined;
  readonly allowTruncated: boolean;
  /**
   * Throws if an answer is of no use: the model receives the reason and is asked again, up to `output.repair` times.
   */
  readonly check?: ((output: JsonValue) => void) | undefined;
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

/** The answer, and its cost with all attempts. */
interface AgentAnswer {
  readonly output: JsonValue;
  /** Set where the model calls tools instead of answering. */
  readonly calls?: readonly Part[];
  /** `provider:model` that answered. */
  readonly model: string;
  readonly usage: Usage;
  /** US dollars, where the price is known. */
  readonly costUsd?: number;
  /** `'length'` for an answer that was cut off, where that is allowed. */
  readonly finishReason?: string;
}

/**
 * Asks an agent: passing errors are repeated, then other models are asked, and an answer that does not fit its
 * schema is shown to the model.
 *
 * @throws WorkflowError with the code `limit`, `timeout` or that of the signal's reason; LLMError
 */
export async function askAgent(question: AgentQuestion): Promise<AgentAnswer> {
  const deadline = new CallDeadline(question.timeout, question.signal);
  try {
    const { signal } = deadline;
    const asking = askInTurn({ ...question, signal }, () => deadline.start());
    // A model that does not hear its signal is not waited for.
    return await unlessAborted(asking, signal);
  } finally {
    deadline.close();
  }
}

async function askInTurn(question: AgentQuestion, onPlace: () => void): Promise<AgentAnswer> {
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
        () => attempt(question, model, meter, onPlace).catch(rethrown),
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
  onPlace: () => void,
): Promise<Pick<AgentAnswer, 'output' | 'calls' | 'model' | 'finishReason'>> {
  const { history = [], tools = [] } = question;
  const { system, prompt, output: format, temperature, maxOutputTokens, signal } = question;
  const layers = layersOf(question, model, meter, onPlace);
  const asked = compose(model, ...layers, ...question.middleware);
  let messages = [
    ...(system === '' ? [] : [textMessage('system', system)]),
    textMessage('user', prompt),
    ...history,
  ];
  for (let repairs = format?.repair ?? 1; ; repairs--) {
    const request: ChatRequest = {
      messages,
      signal,
      ...(temperature === undefined ? {} : { temperature }),
      ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
      ...(tools.length > 0 ? { tools } : {}),
    };
    const { output, result } = await answerOf(asked, request, format);
    if (isCalling(result)) {
      return { output: null, calls: result.parts, model: `${model.provider}:${model.modelId}` };
    }
    assertWhole(result, question, model);
    try {
      question.check?.(output);
    } catch (error) {
      if (repairs <= 0) throw error;
      const answer = result.text;
      messages = [
        ...messages,
        textMessage('assistant', answer),
        textMessage('user', `${messageOf(error)}\nAnswer again, with that and nothing else.`),
      ];
      continue;
    }
    const isCut = result.finishReason === 'length';
    return {
      output,
      model: `${model.provider}:${model.modelId}`,
      ...(isCut ? { finishReason: result.finishReason } : {}),
    };
  }
}

/** Returns the answer of a model, as a string or as the requested object. */
async function answerOf(
  model: ChatModel,
  request: ChatRequest,
  format: OutputFormat | undefined,
): Promise<{ readonly output: JsonValue; readonly result: ChatResult }> {
  if (!format) {
    const result = await model.generate(request);
    return { output: result.text, result };
  }
  try {
    const { object, result } = await generateObject<JsonValue>(untilCalls(model), request, {
      schema: format.schema satisfies JsonObject,
      ...(format.repair === undefined ? {} : { repair: format.repair }),
    });
    return { output: object, result };
  } catch (error) {
    if (error instanceof CalledTools) return { output: null, result: error.result };
    throw error;
  }
}

/** A model called tools where an object was asked for. */
class CalledTools extends Error {
  readonly result: ChatResult;

  constructor(result: ChatResult) {
    super('the model calls tools');
    this.result = result;
  }
}

/** Calls of tools are not an object that could be repaired. */
function untilCalls(model: ChatModel): ChatModel {
  return {
    ...model,
    async generate(request) {
      const result = await model.generate(request);
      if (isCalling(result)) throw new CalledTools(result);
      return result;
    },
  };
}

/** Checks whether a model calls tools that are not its provider's own. */
function isCalling({ parts, finishReason }: ChatResult): boolean {
  if (finishReason !== 'tool-calls' && finishReason !== 'stop') return false;
  const answered = new Set(parts.flatMap((part) => (part.type === 'tool-result' ? [part.id] : [])));
  return parts.some((part) => part.type === 'tool-call' && !answered.has(part.id));
}

/** Any character except white space and invisible ones. */
const VISIBLE = /[^\s\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

/**
 * Throws for an answer that was cut off, held back or left empty: it counts as a failed attempt.
 *
 * @throws WorkflowError with the code `unusable-answer`.
 */
function assertWhole(
  { text, finishReason, rawFinishReason }: ChatResult,
  { allowTruncated, path }: AgentQuestion,
  { provider, modelId }: ChatModel,
): void {
  const isEmpty = !VISIBLE.test(text);
  const isCut = finishReason === 'length' && (isEmpty || !allowTruncated);
  let why: string;
  if (finishReason === 'content-filter') why = 'was held back by a content filter';
  else if (isCut)
    why = 'was cut off by the limit of tokens: raise maxOutputTokens, or set allowTruncated';
  else if (finishReason === 'error') why = 'ended with an error';
  else if (isEmpty) why = 'is empty';
  else return;
  throw new WorkflowError('unusable-answer', `the answer of '${provider}:${modelId}' ${why}`, {
    context: {
      path,
      provider,
      modelId,
      finishReason,
      ...(rawFinishReason === undefined ? {} : { rawFinishReason }),
    },
  });
}

/** A call waits for its place, is paid for, and is then timed. */
function layersOf(
  { limiter, budget: own, prices, timeout, onDelta }: AgentQuestion,
  model: ChatModel,
  meter: UsageMeter,
  onPlace: () => void,
): Middleware[] {
  return [
    limited(limiter, model.provider, onPlace),
    ...(own ? [budget(own.budget, { prices }), reserved(own)] : []),
    ...(timeout ? [timed(timeout)] : []),
    heard(onDelta, meter),
  ];
}

/** An error that ends the run comes out of the layers of a model as the cause of an error of that model. */
function rethrown(error: unknown): never {
  throw LLMError.isInstance(error) && isFatal(error.cause) ? error.cause : error;
}

function isWorthAnother(error: unknown): boolean {
  if (!LLMError.isInstance(error)) return true;
  return error.code !== 'invalid_request';
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
function limited(limiter: CallLimiter, provider: string, onPlace: () => void): Middleware {
  return {
    name: 'concurrency',
    async *stream(request, next) {
      const release = await limiter.acquire(request.signal, provider);
      onPlace();
      try {
        yield* next(request);
      } finally {
        release();
      }
    },
  };
}

/** The cost that a call may have is in the journal before it is made. */
function reserved({ written }: CallBudget): Middleware {
  return {
    name: 'reservation',
    async *stream(request, next) {
      await written();
      yield* next(request);
    },
  };
}

/** Emits the answer as it comes, and counts its cost. */
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
function timed({ attempt: whole, idle }: Timeout): Middleware {
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
      const wholeTimer = startTimer(whole, (ms) =>
        stop(`the call took longer than ${ms} ms (timeout.attempt)`),
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
        clearTimeout(wholeTimer);
        clearTimeout(idleTimer);
        linked.unlink();
        // A call that ignores its signal is not waited for.
        if (isOpen) events.return?.()?.catch(() => undefined);
      }
    },
  };
}
