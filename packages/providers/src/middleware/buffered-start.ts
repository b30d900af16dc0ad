import type { ChatEvent, StartEvent, Usage } from '../models/events.ts';
import type { LLMError } from '../models/llm-error.ts';

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
