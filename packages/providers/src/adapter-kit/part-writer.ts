import type { ChatEvent } from '../models/events.ts';
import { LLMError } from '../models/llm-error.ts';
import { textOf, type Part, type ProviderMeta, type ToolCallPart } from '../models/message.ts';
import { parseJson } from '../json/fields.ts';
import { readToolInput } from './repair-json.ts';
import { ThinkTags } from './think-tags.ts';

interface OpenText {
  readonly index: number;
  type: 'text' | 'reasoning';
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

/** A call whose input is not JSON, as it came; a type, as it is JSON itself. */
export type InvalidCall = {
  readonly id: string;
  readonly name: string;
  /** The raw text. */
  readonly input: string;
  readonly meta?: ProviderMeta;
};

/** Turns the pieces that a server sends into the events of the contract, each part with its place. */
export class PartWriter {
  readonly #tags: ThinkTags | undefined;
  #count = 0;
  #open: OpenText | undefined;
  readonly #calls = new Map<string | number, OpenCall>();
  /** Thoughts came in a place of their own: marks in the text are text. */
  #hasOwnThoughts = false;

  /** @param hasThinkTags - Thoughts may be in the text, between marks such as `<think>`. */
  constructor(hasThinkTags: boolean = false) {
    this.#tags = hasThinkTags ? new ThinkTags() : undefined;
  }

  /** Returns the events of a piece of text or reasoning as it came: thoughts in the text become reasoning. */
  said(type: 'text' | 'reasoning', text: string, meta?: ProviderMeta): ChatEvent[] {
    if (type === 'reasoning') {
      const held = this.#endTags();
      this.#hasOwnThoughts ||= text !== '';
      return held.length === 0
        ? this.text(type, text, meta)
        : [...held, ...this.text(type, text, meta)];
    }
    if (!this.#tags || this.#hasOwnThoughts || this.#tags.isPlain(text)) {
      return this.text(type, text, meta);
    }
    const pieces = this.#tags.add(text);
    if (this.#tags.takeLate() && this.#open?.type === 'text') {
      this.#open.type = 'reasoning';
      this.#open.text = this.#open.text.trimEnd();
    }
    const [only] = pieces;
    if (only && pieces.length === 1) return this.text(only.type, only.text, meta);
    return pieces.flatMap((piece) => this.text(piece.type, piece.text, meta));
  }

  /** Returns the events of a piece of text or reasoning; a change between the two ends the part before. */
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
    return [...this.#endTags(), ...this.#closeText()];
  }

  /** The kind of the text that is open. */
  get openType(): 'text' | 'reasoning' | undefined {
    return this.#open?.type;
  }

  /**
   * A piece of a tool call. Pieces of several calls may come mixed.
   *
   * @param key - Distinguishes the calls of this answer.
   */
  toolCall(key: string | number, { id, name, input = '', meta }: ToolCallPiece): ChatEvent[] {
    const events = this.endText();
    let call = this.#calls.get(key);
    if (!call) {
      // Some servers give all calls the same id.
      const isTaken = Array.from(this.#calls.values(), (other) => other.id).includes(id ?? '');
      const own = id && !isTaken ? id : makeCallId();
      call = { index: this.#count++, id: own, name: '', input: '', meta: undefined };
      this.#calls.set(key, call);
    }
    // Some servers repeat the name, also as an empty string; others send it in pieces.
    const isRest = name && call.name !== '' && call.input === '' && !name.startsWith(call.name);
    if (name) call.name = isRest ? call.name + name : name;
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

  /** Returns the events of a part that arrived whole. */
  part(part: Part): ChatEvent[] {
    return [...this.endText(), { type: 'part', index: this.#count++, part }];
  }

  /** Checks whether the answer calls a tool. */
  get hasToolCalls(): boolean {
    return this.#calls.size > 0;
  }

  /**
   * Ends all open parts.
   *
   * @param isCut - The answer ended at its limit of tokens: a call that is not whole is left out.
   * @throws LLMError with the code `output_parse` if the input of a tool call is not JSON; its `partial` has the
   * parts that are whole, and the raw text in `meta.vizprompt.invalidCalls`.
   */
  end(isCut: boolean = false): ChatEvent[] {
    const events = this.endText();
    const invalid: InvalidCall[] = [];
    for (const { index, id, name, input, meta } of this.#calls.values()) {
      const read = readToolInput(input);
      if (read === undefined) {
        invalid.push({ id, name, input, ...(meta && { meta }) });
        continue;
      }
      const part: ToolCallPart = { type: 'tool-call', id, name, input: read.value };
      events.push({ type: 'part', index, part: meta ? { ...part, meta } : part });
    }
    const [first] = invalid;
    if (!first || isCut) return events;
    const message = `the model called the tool '${first.name}' with input that is not JSON`;
    const whole = events.flatMap((event) => (event.type === 'part' ? [event.part] : []));
    throw new LLMError('output_parse', message, {
      context: { tool: first.name },
      partial: {
        parts: whole,
        text: textOf(whole),
        finishReason: 'unknown',
        usage: {},
        warnings: [],
        meta: { vizprompt: { invalidCalls: invalid } },
      },
    });
  }

  /** Checks whether the input of a call is complete JSON. */
  isComplete(key: string | number): boolean {
    const input = this.#calls.get(key)?.input.trim() ?? '';
    return input !== '' && parseJson(input) !== undefined;
  }

  #endTags(): ChatEvent[] {
    return (this.#tags?.end() ?? []).flatMap(({ type, text }) => this.text(type, text));
  }

  #closeText(): ChatEvent[] {
    if (!this.#open) return [];
    const { index, type, text, meta } = this.#open;
    this.#open = undefined;
    return [{ type: 'part', index, part: meta ? { type, text, meta } : { type, text } }];
  }
}

/** Returns an id for a call whose server gave it none; unique within any conversation. */
export function makeCallId(): string {
  return `call_${crypto.randomUUID().replaceAll('-', '')}`;
}

/** The later value wins, key by key: a signature is not lost to a piece without one. */
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
