import { fieldsOf, numberOf } from '../json/fields.ts';
import { addUsage, USAGE_COUNTS } from '../models/add-usage.ts';
import type { ChatModel } from '../models/chat-model.ts';
import type { ChatEvent, FinishEvent, StartEvent, Usage } from '../models/events.ts';
import { type LLMError, withContext } from '../models/llm-error.ts';
import type { ChatRequest } from '../models/request.ts';

/** How an attempt is passed on. */
export interface BufferOptions {
  /** What the held start becomes. Default: it stays as it is. */
  readonly edit?: (start: StartEvent) => StartEvent;
  /** Nobody sees the answer before it is whole: all of it is held back until then. Default: `false`. */
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

  /** Whether the attempt is the answer: something was passed on, or another may not take its place any more. */
  isFinal({ outputStarted }: LLMError): boolean {
    return this.#hasBegun || (outputStarted && !this.#isWhole);
  }

  /** The events of the attempt; what earlier attempts cost goes with the finish. */
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

/** What attempts cost that were replaced is told beside the usage of the answer, which it is not. */
function withLost(
  event: Extract<ChatEvent, { type: 'finish' }>,
  lost: Usage | undefined,
): ChatEvent {
  if (lost === undefined) return event;
  const { inputTokens = 0, outputTokens = 0 } = lost;
  const vizprompt = { ...event.meta?.['vizprompt'], lostUsage: { inputTokens, outputTokens } };
  return { ...event, meta: { ...event.meta, vizprompt } };
}

/** What a failed attempt cost, as far as it is known; what earlier ones below it cost is in it. */
export function lostIn(error: LLMError): Usage[] {
  const { partial, context } = error;
  return [...(partial ? [partial.usage] : []), ...usageIn(context['lostUsage'])];
}

/** The sum of what was lost; `undefined` for nothing. */
export function sumOf(lost: readonly Usage[]): Usage | undefined {
  return lost.length === 0 ? undefined : addUsage(...lost);
}

/** The error of the last attempt, with what the others cost. */
export function withLostUsage(error: LLMError, lost: Usage | undefined): LLMError {
  if (lost === undefined) return error;
  const sum = addUsage(lost, ...usageIn(error.context['lostUsage']));
  return withContext(error, { lostUsage: sum });
}

/** What was lost on the way to an answer. */
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

/** Marks a request whose answer nobody sees before it is whole. Layers copy it with the request. */
const COLLECTED: unique symbol = Symbol('collected');

/** The request, with the mark that its answer is collected. */
export function collected(request: ChatRequest): ChatRequest {
  return Object.assign({ ...request }, { [COLLECTED]: true });
}

/** Whether nobody sees the answer before it is whole, so that an attempt can be replaced at any time. */
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

/** The request as a model is given it: the mark is for layers only. */
export function requestFor(model: ChatModel, request: ChatRequest): ChatRequest {
  if (!isCollected(request) || composed.has(model)) return request;
  const { [COLLECTED]: _, ...plain }: ChatRequest & { readonly [COLLECTED]?: unknown } = request;
  return plain;
}
