import { streamInput } from '../adapter-kit/chat-input.ts';
import { checkArgument } from '../adapter-kit/check-options.ts';
import { abortedError } from '../adapter-kit/limits.ts';
import { messageOf } from '../errors.ts';
import { having } from '../input/kinds.ts';
import { CHAT_MODEL } from '../input/part-kinds.ts';
import { fieldsOf, numberOf } from '../json/fields.ts';
import type { ChatModel, Middleware } from '../models/chat-model.ts';
import { addUsage, ChatCollector, collectChat, outputOf, USAGE_COUNTS } from '../models/collect.ts';
import type { ChatEvent, FinishEvent, StartEvent, Usage } from '../models/events.ts';
import { LLMError, withContext } from '../models/llm-error.ts';
import type { ChatRequest, Timeouts } from '../models/request.ts';
import { PeerError } from '../peer.ts';

const LAYER = having('a middleware, such as retry()', 'stream');

/**
 * Puts layers around a model. The result is a model like any other: it can be composed again, and
 * `generate` is its collected stream, so every layer sees both.
 *
 * The first layer is the outermost. The recommended order, of which any may be left out:
 *
 * 1. `events`: sees each call once, with all its retries
 * 2. `budget`: pays for what the layers below really spent
 * 3. `cache`: a hit calls no model
 * 4. `fallback`: only when retries did not help
 * 5. `retry`: the one retry loop
 * 6. `rateLimit`: every attempt waits for its turn
 *
 * `redact` goes above `cache`, `record` and `replay` below everything. The models that
 * `fallback` is given are called as they are: compose each with a `retry` and a `rateLimit` of its
 * own.
 *
 * `generate` is the collected stream. As its pieces are not seen, `retry` and `fallback` ask again also after some have
 * come; a `stream` of which something was read is never begun again.
 *
 * Its streams throw `LLMError` and nothing else: anything else that the model or a layer throws
 * becomes the `cause` of a `bad_response`, a `PeerError` that of an `unsupported` which names the
 * package to install, and a stream without a finish a `truncated`.
 *
 * @example
 * ```ts
 * const model = compose(
 *   openai({ model: 'gpt-5' }),
 *   events(told),
 *   budget(createBudget({ tokens: 100_000 })),
 *   cache({ store: storage.files }),
 *   fallback(compose(ollama({ model: 'qwen3:8b' }), retry())),
 *   retry(),
 *   rateLimit({ requestsPerMinute: 60, concurrency: 4 }),
 * );
 * ```
 */
export function compose(model: ChatModel, ...middleware: readonly Middleware[]): ChatModel {
  checkArgument('the model of compose', model, CHAT_MODEL);
  const { provider, modelId, address } = model;
  let stream = (request: ChatRequest): AsyncIterable<ChatEvent> =>
    guard(`${provider} model '${modelId}'`, request, () =>
      model.stream(requestFor(model, request)),
    );
  for (const [at, layer] of middleware.entries()) {
    checkArgument(`layer ${at + 1} of compose`, layer, LAYER);
  }
  for (const layer of middleware.toReversed()) {
    const next = stream;
    stream = (request) =>
      guard(`the middleware '${layer.name}'`, request, () => layer.stream(request, next, model));
  }
  return noteComposed({
    specVersion: 1,
    provider,
    modelId,
    ...(address === undefined ? {} : { address }),
    get capabilities() {
      return model.capabilities;
    },
    stream: (input) => streamInput(input, stream),
    // Its pieces are not seen: layers may ask again after some have come.
    generate: (input) => collectChat(streamInput(input, (request) => stream(collected(request)))),
    // It is not prepared: a middleware may answer in its place.
    ...(model.countTokens && { countTokens: model.countTokens.bind(model) }),
    ...(model.listModels && { listModels: model.listModels.bind(model) }),
  });
}

/**
 * Holds any stream to the contract of `ChatModel`: nothing happens before the first
 * event is asked for, it ends with a `finish`, and it throws `LLMError` only.
 *
 * @param who - The beginning of the message if it fails in a way of its own.
 */
export async function* guard(
  who: string,
  request: ChatRequest,
  open: () => AsyncIterable<ChatEvent>,
): AsyncGenerator<ChatEvent> {
  if (request.signal?.aborted) throw abortedError(request.signal);
  const collector = new ChatCollector();
  try {
    for await (const event of open()) {
      collector.add(event);
      yield event;
    }
  } catch (error) {
    if (LLMError.isInstance(error)) throw error;
    const details = { cause: error, ...outputOf(collector) };
    if (PeerError.isInstance(error)) {
      throw new LLMError('unsupported', `${who}: ${error.message}`, details);
    }
    const message = `${who} failed unexpectedly: ${messageOf(error)}`;
    throw new LLMError('bad_response', message, details);
  }
  if (collector.isFinished) return;
  const message = `${who} ended the stream without a finish event`;
  throw new LLMError('truncated', message, outputOf(collector));
}

/** Options for passing on an attempt. */
interface BufferOptions {
  /** Changes the buffered start event. Default: no change. */
  readonly edit?: (start: StartEvent) => StartEvent;
  /** True if the whole answer is buffered until it is complete. Default: `false`. */
  readonly isWhole?: boolean;
}

/**
 * An attempt at an answer: its `start` is held back until something follows it, so that an attempt
 * that fails before that can be replaced by another without a trace.
 */
export class BufferedStart {
  readonly #stream: AsyncIterable<ChatEvent>;
  readonly #edit: (start: StartEvent) => StartEvent;
  readonly #isWhole: boolean;
  #hasBegun = false;

  constructor(stream: AsyncIterable<ChatEvent>, options: BufferOptions = {}) {
    const { edit = (start) => start, isWhole = false } = options;
    this.#stream = stream;
    this.#edit = edit;
    this.#isWhole = isWhole;
  }

  /** Checks whether the attempt is final: an event was passed on, or no other attempt may replace it. */
  isFinal({ outputStarted }: LLMError): boolean {
    return this.#hasBegun || (outputStarted && !this.#isWhole);
  }

  /** Returns the events of the attempt; the finish event includes the usage of earlier attempts. */
  async *events(lost: Usage | undefined): AsyncGenerator<ChatEvent> {
    const held: ChatEvent[] = [];
    for await (const event of this.#stream) {
      if (event.type === 'start') {
        held.push(this.#edit(event));
        continue;
      }
      const told = event.type === 'finish' ? withLost(event, lost) : event;
      if (this.#isWhole) {
        held.push(told);
        continue;
      }
      this.#hasBegun = true;
      yield* held.splice(0);
      yield told;
    }
    this.#hasBegun = true;
    yield* held;
  }
}

/** Adds the usage of replaced attempts to the finish event, separate from the usage of the answer. */
function withLost(
  event: Extract<ChatEvent, { type: 'finish' }>,
  lost: Usage | undefined,
): ChatEvent {
  if (lost === undefined) return event;
  const { inputTokens = 0, outputTokens = 0 } = lost;
  const vizprompt = { ...event.meta?.['vizprompt'], lostUsage: { inputTokens, outputTokens } };
  return { ...event, meta: { ...event.meta, vizprompt } };
}

/** Returns the known usage of a failed attempt, including that of earlier attempts in lower layers. */
export function lostIn(error: LLMError): Usage[] {
  const { partial, context } = error;
  return [...(partial ? [partial.usage] : []), ...usageIn(context['lostUsage'])];
}

/** Returns the sum of the lost usage; `undefined` for none. */
export function sumOf(lost: readonly Usage[]): Usage | undefined {
  return lost.length === 0 ? undefined : addUsage(...lost);
}

/** Returns the error of the last attempt, with the usage of the others. */
export function withLostUsage(error: LLMError, lost: Usage | undefined): LLMError {
  if (lost === undefined) return error;
  const sum = addUsage(lost, ...usageIn(error.context['lostUsage']));
  return withContext(error, { lostUsage: sum });
}

/** Returns the usage of the attempts that failed before an answer. */
export function lostBefore({ meta }: FinishEvent): Usage[] {
  return usageIn(meta?.['vizprompt']?.['lostUsage']);
}

function usageIn(value: unknown): Usage[] {
  const fields = fieldsOf(value);
  const counts = USAGE_COUNTS.flatMap((key) => {
    const count = numberOf(fields[key]);
    return count === undefined ? [] : [[key, count] as const];
  });
  return counts.length === 0
    ? []
    : [{ inputTokens: 0, outputTokens: 0, ...Object.fromEntries(counts) }];
}

/** Marks a request whose answer the caller receives only when it is complete. Layers copy it with the request. */
const COLLECTED: unique symbol = Symbol('collected');

/** Returns the request, with the mark that its answer is collected. */
function collected(request: ChatRequest): ChatRequest {
  return Object.assign({ ...request }, { [COLLECTED]: true });
}

/** Checks whether the caller receives the answer only when it is complete, so that an attempt can still be replaced. */
export function isCollected(request: ChatRequest): boolean {
  return COLLECTED in request;
}

/** Models that know the mark. */
const composed = new WeakSet<ChatModel>();

/** Takes note of a model that passes the mark on. */
function noteComposed(model: ChatModel): ChatModel {
  composed.add(model);
  return model;
}

/** Returns the request as a model is given it: the mark is for layers only. */
export function requestFor(model: ChatModel, request: ChatRequest): ChatRequest {
  if (!isCollected(request) || composed.has(model)) return request;
  const { [COLLECTED]: _, ...plain }: ChatRequest & { readonly [COLLECTED]?: unknown } = request;
  return plain;
}

/** The `timeout.totalMs` of a request, kept over several calls of the model. */
export class Deadline {
  readonly #at: number;

  /** The time runs from now. */
  constructor(timeout: Timeouts | undefined) {
    this.#at = performance.now() + (timeout?.totalMs ?? Infinity);
  }

  /** Milliseconds; `Infinity` without a limit, never below 0. */
  get leftMs(): number {
    return Math.max(0, this.#at - performance.now());
  }

  /** Checks whether a wait leaves time for a call after it. */
  allows(waitMs: number): boolean {
    return this.leftMs - waitMs >= 1;
  }

  /** Returns the request with what is left as its `totalMs`. */
  applyTo(request: ChatRequest): ChatRequest {
    const { leftMs } = this;
    if (leftMs === Infinity) return request;
    const totalMs = Math.max(1, Math.ceil(leftMs));
    return { ...request, timeout: { ...request.timeout, totalMs } };
  }
}
