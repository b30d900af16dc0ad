import { checkArgument } from '../input/check-input.ts';
import { ASYNC_ITERABLE } from '../input/part-kinds.ts';
import type { ChatEvent, ChatResult, FinishEvent, StartEvent, Usage } from './events.ts';
import { LLMError, type LLMErrorDetails } from './llm-error.ts';
import { type Part, textOf } from './message.ts';

/** Collects the events of a stream, one by one, into the answer that they make. */
export class ChatCollector {
  #start: StartEvent | undefined;
  #finish: FinishEvent | undefined;
  readonly #parts: Part[] = [];
  readonly #open = new Map<number, { readonly type: 'text' | 'reasoning'; text: string }>();
  /** The input of tool calls that are not complete, by their place. */
  readonly #calls = new Map<number, string>();

  /** Checks whether the stream came to its end. */
  get isFinished(): boolean {
    return this.#finish !== undefined;
  }

  /** Checks whether any content has come. */
  get hasOutput(): boolean {
    return this.#parts.length > 0 || this.#open.size + this.#calls.size > 0;
  }

  /** The input of tool calls as far as it came, which is in no part yet. */
  get unfinished(): string {
    return [...this.#calls.values()].join('\n');
  }

  add(event: ChatEvent): void {
    if (event.type === 'start') this.#start = event;
    else if (event.type === 'finish') this.#finish = event;
    else if (event.type === 'part') {
      this.#open.delete(event.index);
      this.#calls.delete(event.index);
      this.#parts[event.index] = event.part;
    } else if (event.type === 'tool-call-delta') {
      const input = this.#calls.get(event.index) ?? '';
      this.#calls.set(event.index, input + event.inputDelta);
    } else {
      const open = this.#open.get(event.index);
      if (open) open.text += event.text;
      else {
        const type = event.type === 'text-delta' ? 'text' : 'reasoning';
        this.#open.set(event.index, { type, text: event.text });
      }
    }
  }

  /**
   * Returns the answer so far. Parts that are not complete are in it as far as they came, but no tool call
   * is: half a call must not be made.
   */
  result(): ChatResult {
    const parts = [...this.#parts];
    for (const [index, { type, text }] of this.#open) parts[index] = { type, text };
    const present = parts.filter((part) => part !== undefined);
    const { id, model, warnings = [] } = this.#start ?? {};
    const { reason = 'unknown', rawReason, usage = {}, meta } = this.#finish ?? {};
    return {
      ...(id === undefined ? {} : { id }),
      ...(model === undefined ? {} : { model }),
      parts: present,
      text: textOf(present),
      finishReason: reason,
      ...(rawReason === undefined ? {} : { rawFinishReason: rawReason }),
      usage,
      warnings,
      ...(meta === undefined ? {} : { meta }),
    };
  }
}

/**
 * Collects a stream into the whole answer: the `generate` of every adapter.
 *
 * @throws LLMError with the code `truncated` if the stream ends without a `finish` event, and
 * whatever the stream throws.
 *
 * @example
 * ```ts
 * const result = await collectChat(model.stream(request));
 * ```
 */
export async function collectChat(stream: AsyncIterable<ChatEvent>): Promise<ChatResult> {
  checkArgument('the stream of collectChat', stream, ASYNC_ITERABLE);
  const collector = new ChatCollector();
  for await (const event of stream) collector.add(event);
  if (collector.isFinished) return collector.result();
  throw new LLMError('truncated', 'the stream ended without a finish event', {
    outputStarted: collector.hasOutput,
    partial: collector.result(),
  });
}

/** Returns the output that had come before an error, for the error. */
export function outputOf(collector: ChatCollector): Pick<LLMErrorDetails, 'partial'> {
  return collector.hasOutput ? { partial: collector.result() } : {};
}

/** The counts of a {@link Usage}. */
export const USAGE_COUNTS: readonly Exclude<keyof Usage, 'estimated' | 'raw'>[] = [
  'inputTokens',
  'outputTokens',
  'reasoningTokens',
  'cachedInputTokens',
  'cacheWriteInputTokens',
];

/** Adds the usage of several calls. A number that one of them did not report is left out of the sum. */
export function addUsage(...usages: readonly Usage[]): Usage {
  const total: Record<string, number> = {};
  for (const usage of usages) {
    for (const key of USAGE_COUNTS) {
      const value = usage[key];
      if (value !== undefined) total[key] = (total[key] ?? 0) + value;
    }
  }
  return usages.some(({ estimated }) => estimated) ? { ...total, estimated: true } : total;
}
