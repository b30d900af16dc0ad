import type { ChatEvent } from '../models/events.ts';
import type { Part, ProviderMeta } from '../models/message.ts';
import { PartWriter } from '../adapter-kit/part-writer.ts';

type TextKind = 'text' | 'reasoning';

interface TextBlock {
  readonly index: number;
  readonly kind: TextKind;
  text: string;
  meta: ProviderMeta | undefined;
}

interface CallBlock {
  readonly index: number;
  readonly name: string;
  hasDelta: boolean;
}

/** A finished tool call of the AI SDK. */
export interface FinishedCall {
  readonly id: string;
  readonly name: string;
  /** Raw JSON text. */
  readonly input: string;
  readonly meta?: ProviderMeta;
}

/**
 * Turns blocks with ids, as the AI SDK streams them, into parts. Neighbours stay apart, as each may
 * have a signature of its own, and blocks may be open side by side.
 */
export class BlockWriter {
  #count = 0;
  readonly #texts = new Map<string, TextBlock>();
  readonly #calls = new Map<string, CallBlock>();

  /** Returns a piece of a text block, or only something about it. */
  text(kind: TextKind, id: string, text: string, meta?: ProviderMeta): ChatEvent[] {
    const key = `${kind}:${id}`;
    let block = this.#texts.get(key);
    if (!block) {
      if (text === '' && meta === undefined) return [];
      block = { index: this.#count++, kind, text: '', meta: undefined };
      this.#texts.set(key, block);
    }
    block.text += text;
    block.meta = mergeMeta(block.meta, meta);
    return text === '' ? [] : [{ type: `${kind}-delta`, index: block.index, text }];
  }

  endText(kind: TextKind, id: string, meta?: ProviderMeta): ChatEvent[] {
    const key = `${kind}:${id}`;
    const events = this.text(kind, id, '', meta);
    const block = this.#texts.get(key);
    this.#texts.delete(key);
    return block ? [...events, partOf(block)] : events;
  }

  startCall(id: string, name: string): void {
    this.#calls.set(id, { index: this.#count++, name, hasDelta: false });
  }

  /** A piece of the input of a call that {@link startCall} announced. */
  callInput(id: string, inputDelta: string): ChatEvent[] {
    const call = this.#calls.get(id);
    if (!call || inputDelta === '') return [];
    call.hasDelta = true;
    const { index, name } = call;
    return [{ type: 'tool-call-delta', index, id, name, inputDelta }];
  }

  /**
   * A call, whole.
   *
   * @throws LLMError with the code `output_parse` if its input is not JSON.
   */
  call({ id, name, input, meta }: FinishedCall): ChatEvent[] {
    if (!this.#calls.has(id)) this.startCall(id, name);
    const { index = 0, hasDelta = false } = this.#calls.get(id) ?? {};
    this.#calls.delete(id);
    const parser = new PartWriter();
    const delta = parser.toolCall(id, { id, name, input, meta });
    return [...(hasDelta ? [] : delta), ...parser.end()].map((event) =>
      'index' in event ? { ...event, index } : event,
    );
  }

  /** Returns a part that came whole. */
  part(part: Part): ChatEvent[] {
    return [{ type: 'part', index: this.#count++, part }];
  }

  /** Ends the text blocks that are still open. */
  end(): ChatEvent[] {
    const events = [...this.#texts.values()].map((block) => partOf(block));
    this.#texts.clear();
    return events;
  }
}

function partOf({ index, kind, text, meta }: TextBlock): ChatEvent {
  return { type: 'part', index, part: { type: kind, text, ...(meta && { meta }) } };
}

/** Merges two values provider by provider; the later one wins. */
function mergeMeta(
  before: ProviderMeta | undefined,
  after: ProviderMeta | undefined,
): ProviderMeta | undefined {
  if (!before || !after) return after ?? before;
  const merged = Object.entries(after).map(([key, value]) => [key, { ...before[key], ...value }]);
  return { ...before, ...Object.fromEntries(merged) };
}
