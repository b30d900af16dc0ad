import type { ChatModel, Middleware } from '../models/chat-model.ts';
import type { ChatEvent, ChatWarning, StartEvent, Usage } from '../models/events.ts';
import { LLMError, withContext, type LLMErrorCode } from '../models/llm-error.ts';
import type { ChatRequest } from '../models/request.ts';
import {
  BufferedStart,
  Deadline,
  guard,
  isCollected,
  lostIn,
  requestFor,
  sumOf,
  withLostUsage,
} from './compose.ts';
import { checkArgument } from '../adapter-kit/check-options.ts';
import { either, FUNCTION, listOf, objectOf, optional } from '../input/kinds.ts';
import { CHAT_MODEL } from '../input/part-kinds.ts';

/** Options of {@link fallback}. */
export interface FallbackOptions {
  /** The models to try after the composed one, in this order. */
  readonly models: readonly ChatModel[];
  /**
   * Checks whether the next model is tried after this error. It is not asked about `aborted`, which ends
   * the call, nor about errors after a reader of the stream has seen output. Default: yes, unless the request itself was
   * refused (`invalid_request`, `content_filter`).
   */
  readonly when?: ((error: LLMError) => boolean) | undefined;
}

/** A model that did not answer, as `context.others` of the last error lists them. */
export interface FallbackFailure {
  readonly provider: string;
  readonly modelId: string;
  readonly code: LLMErrorCode;
  readonly message: string;
}

const OPTIONS = objectOf<FallbackOptions>(
  { models: listOf('models', CHAT_MODEL), when: optional(FUNCTION) },
  '{ models }',
);
const MODEL_OR_OPTIONS = either<never, FallbackOptions>(CHAT_MODEL, {
  ...OPTIONS,
  accepts: (value) => OPTIONS.accepts(value) && 'models' in Object(value),
});

/**
 * Asks other models when the first one fails before it has said anything, or, for `generate`, at any time.
 *
 * The `start` event names the model that answers and has a warning for each one that did not. If
 * all fail, the error is the last one, with {@link FallbackFailure}s in `context.others`. A model of
 * another provider does not get the `headers` of the request, which may hold a key.
 * `timeout.totalMs` holds for all models together.
 *
 * @example
 * ```ts
 * const model = compose(openai({ model: 'gpt-5' }), fallback(gemini({ model: 'gemini-3-pro' }), ollama({ model: 'qwen3:8b' })), retry());
 * const picky = compose(
 *   openai({ model: 'gpt-5' }),
 *   fallback({ models: [ollama({ model: 'qwen3:8b' })], when: ({ code }) => code === 'overloaded' }),
 * );
 * ```
 */
export function fallback(...models: readonly ChatModel[]): Middleware;
export function fallback(options: FallbackOptions): Middleware;
export function fallback(...args: readonly (ChatModel | FallbackOptions)[]): Middleware {
  for (const arg of args) checkArgument('an argument of fallback', arg, MODEL_OR_OPTIONS);
  const models = args.flatMap((arg) => ('models' in arg ? arg.models : [arg]));
  const [when = isWorthAnother] = args.flatMap((arg) => ('models' in arg ? [arg.when] : []));
  return {
    name: 'fallback',
    async *stream(request, next, first) {
      const deadline = new Deadline(request.timeout);
      const failures: FallbackFailure[] = [];
      const lost: Usage[] = [];
      for (const [index, model] of [first, ...models].entries()) {
        const limited = deadline.applyTo(request);
        const answer = new BufferedStart(index === 0 ? next(limited) : ask(model, limited, first), {
          edit: (start) => substitute(start, model, failures),
          isWhole: isCollected(request),
        });
        try {
          yield* answer.events(sumOf(lost));
          return;
        } catch (error) {
          if (!LLMError.isInstance(error)) throw error;
          const isOver = answer.isFinal(error) || error.code === 'aborted';
          if (isOver || index === models.length || !deadline.allows(0) || !when(error)) {
            const known = failures.length > 0 ? withContext(error, { others: failures }) : error;
            throw withLostUsage(known, sumOf(lost));
          }
          lost.push(...lostIn(error));
          const { provider, modelId } = model;
          failures.push({ provider, modelId, code: error.code, message: error.message });
        }
      }
    },
  };
}

const substitutes = new WeakSet<StartEvent>();

/** Checks whether an answer came from another model than the one that was composed. */
export function isSubstitute(start: StartEvent): boolean {
  return substitutes.has(start);
}

function isWorthAnother({ code }: LLMError): boolean {
  return code !== 'invalid_request' && code !== 'content_filter';
}

function ask(
  model: ChatModel,
  request: ChatRequest,
  { provider, address }: ChatModel,
): AsyncIterable<ChatEvent> {
  const { headers: _headers, ...rest } = request;
  const own = model.provider === provider && model.address === address ? request : rest;
  return guard(`${model.provider} model '${model.modelId}'`, own, () =>
    model.stream(requestFor(model, own)),
  );
}

function substitute(
  start: StartEvent,
  { provider, modelId }: ChatModel,
  failures: readonly FallbackFailure[],
): StartEvent {
  if (failures.length === 0) return start;
  const warnings = failures.map((failed): ChatWarning => ({
    message:
      `${failed.provider} model '${failed.modelId}' failed (${failed.code}: ${failed.message}); ` +
      `${provider} model '${modelId}' answers instead`,
  }));
  const event = {
    ...start,
    model: start.model ?? modelId,
    warnings: [...warnings, ...start.warnings],
  };
  substitutes.add(event);
  return event;
}
