import { fieldsOf, numberOf } from '../json/fields.ts';
import { addUsage, USAGE_COUNTS } from '../models/add-usage.ts';
import type { ChatModel } from '../models/chat-model.ts';
import type { ChatEvent, FinishEvent, StartEvent, Usage } from '../models/events.ts';
import { type LLMError, withContext } from '../models/llm-error.ts';
import type { ChatRequest, Timeouts } from '../models/request.ts';

/** Options for passing on an attempt. */
export interface BufferOptions {
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
export function collected(request: ChatRequest): ChatRequest {
  return Object.assign({ ...request }, { [COLLECTED]: true });
}

/** Checks whether the caller receives the answer only when it is complete, so that an attempt can still be replaced. */
export function isCollected(request: ChatRequest): boolean {
  return COLLECTED in request;
}

/** Models that know the mark. */
const composed = new WeakSet<ChatModel>();

/** Takes note of a model that passes the mark on. */
export function noteComposed(model: ChatModel): ChatModel {
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
