import type { ChatEvent } from '../chat/events.ts';
import { LLMError } from '../chat/llm-error.ts';
import type { Part, ProviderMeta, ToolCallPart } from '../chat/message.ts';
import type { JsonValue } from '../json/json-value.ts';

interface OpenText {
  readonly index: number;
  readonly type: 'text' | 'reasoning';
  text: string;
  meta: ProviderMeta | undefined;
}

interface OpenCall {
  readonly index: number;
  id: string;
  name: string;
  input: string;
  meta: ProviderMeta | undefined;
}

/** A piece of a tool call, as servers send them. */
export interface ToolCallPiece {
  readonly id?: string | undefined;
  readonly name?: string | undefined;
  /** Raw JSON text. */
  readonly input?: string | undefined;
  readonly meta?: ProviderMeta | undefined;
}

/** Turns the pieces that a server sends into the events of the contract, each part with its place. */
export class PartWriter {
  #count = 0;
  #open: OpenText | undefined;
  readonly #calls = new Map<string | number, OpenCall>();

  /** A piece of text or reasoning; a change between the two ends the part before. */
  text(type: 'text' | 'reasoning', text: string, meta?: ProviderMeta): ChatEvent[] {
    if (text === '' && meta === undefined) return [];
    const events = this.#open?.type === type ? [] : this.#closeText();
    this.#open ??= { index: this.#count++, type, text: '', meta: undefined };
    this.#open.text += text;
    this.#open.meta = mergeMeta(this.#open.meta, meta);
    if (text !== '') events.push({ type: `${type}-delta`, index: this.#open.index, text });
    return events;
  }

  /** Ends the text or reasoning that is open, so that what follows is a part of its own. */
  endText(): ChatEvent[] {
    return this.#closeText();
  }

  /** The kind of the text that is open. */
  get openType(): 'text' | 'reasoning' | undefined {
    return this.#open?.type;
  }

  /**
   * A piece of a tool call. Pieces of several calls may come mixed.
   *
   * @param key - What tells the calls of this answer apart.
   */
  toolCall(key: string | number, { id, name, input = '', meta }: ToolCallPiece): ChatEvent[] {
    const events = this.#closeText();
    let call = this.#calls.get(key);
    if (!call) {
      call = { index: this.#count++, id: id || makeCallId(), name: '', input: '', meta: undefined };
      this.#calls.set(key, call);
    }
    // Some servers repeat the name as an empty string.
    if (name) call.name = name;
    call.meta = mergeMeta(call.meta, meta);
    call.input += input;
    events.push({
      type: 'tool-call-delta',
      index: call.index,
      id: call.id,
      name: call.name,
      inputDelta: input,
    });
    return events;
  }

  /** A part that came whole. */
  part(part: Part): ChatEvent[] {
    return [...this.#closeText(), { type: 'part', index: this.#count++, part }];
  }

  /** Whether the answer calls a tool. */
  get hasToolCalls(): boolean {
    return this.#calls.size > 0;
  }

  /**
   * Ends all open parts.
   *
   * @param isCut - The answer ended at its limit of tokens: a call that is not whole is left out.
   * @throws LLMError with the code `output_parse` if the input of a tool call is not JSON.
   */
  end(isCut: boolean = false): ChatEvent[] {
    const events = this.#closeText();
    for (const { index, id, name, input, meta } of this.#calls.values()) {
      const parsed = parse(input);
      if (parsed === undefined && isCut) continue;
      if (parsed === undefined) {
        const message = `the model called the tool '${name}' with input that is not JSON`;
        throw new LLMError('output_parse', message, { context: { tool: name } });
      }
      const part: ToolCallPart = { type: 'tool-call', id, name, input: parsed };
      events.push({ type: 'part', index, part: meta ? { ...part, meta } : part });
    }
    return events;
  }

  /** Whether the input of a call is complete JSON. */
  isComplete(key: string | number): boolean {
    const call = this.#calls.get(key);
    return call !== undefined && call.input.trim() !== '' && parse(call.input) !== undefined;
  }

  #closeText(): ChatEvent[] {
    if (!this.#open) return [];
    const { index, type, text, meta } = this.#open;
    this.#open = undefined;
    return [{ type: 'part', index, part: meta ? { type, text, meta } : { type, text } }];
  }
}

/** An id for a call whose server gave it none; unique within any conversation. */
export function makeCallId(): string {
  return `call_${crypto.randomUUID().replaceAll('-', '')}`;
}

/** What comes later stands above, key by key: a signature is not lost to a piece without one. */
function mergeMeta(
  before: ProviderMeta | undefined,
  meta: ProviderMeta | undefined,
): ProviderMeta | undefined {
  if (before === undefined || meta === undefined) return meta ?? before;
  const merged = Object.entries(meta).map(([provider, own]) => [
    provider,
    { ...before[provider], ...own },
  ]);
  return { ...before, ...Object.fromEntries(merged) };
}

function parse(input: string): JsonValue | undefined {
  if (input.trim() === '') return {};
  try {
    const value: JsonValue = JSON.parse(input);
    return value;
  } catch {
    return undefined;
  }
}
