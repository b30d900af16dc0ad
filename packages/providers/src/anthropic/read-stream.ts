import { withUsage } from '../adapter-kit/estimate-usage.ts';
import { readFinish } from '../adapter-kit/finish-reasons.ts';
import { PartWriter } from '../adapter-kit/part-writer.ts';
import { Sources } from '../adapter-kit/sources.ts';
import {
  type Fields,
  fieldsOf,
  isRecord,
  jsonOf,
  listOf,
  numberOf,
  parseJson,
  stringOf,
  textAt,
} from '../json/fields.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/json-value.ts';
import { addUsage } from '../models/collect.ts';
import type { ChatEvent, ChatWarning, FinishReason, Usage } from '../models/events.ts';
import type { Part } from '../models/message.ts';

/** Words for a turn that is not over: sent back as it is, the model continues it. */
const PAUSES: ReadonlySet<string> = new Set(['pause_turn', 'compaction']);

/** Options for reading an answer. */
export interface ReaderOptions {
  readonly warnings: readonly ChatWarning[];
  /** Thoughts may be in the text, as servers of others leave them there. */
  readonly hasThinkTags: boolean;
  /** Gives a tool its name back. */
  readonly nameOf: (wireName: string) => string;
}

/** Reads the events of one answer, which may come as several messages: the server pauses in long turns. */
export class EventReader {
  readonly #warnings: readonly ChatWarning[];
  readonly #context: BlockContext;
  readonly #blocks = new Map<unknown, OpenBlock>();
  readonly #parts: Part[] = [];
  #hasStarted = false;
  #message = 0;
  #reason: string | undefined;
  #usage = new UsageReader();
  #spent: Usage | undefined;
  #records: JsonObject = {};

  constructor({ warnings, hasThinkTags, nameOf }: ReaderOptions) {
    this.#warnings = warnings;
    this.#context = {
      writer: new PartWriter(hasThinkTags),
      sources: new Sources('anthropic'),
      ran: new Map(),
      nameOf,
    };
  }

  /** Returns the parts received so far, for the request that lets the model continue. */
  get parts(): readonly Part[] {
    return this.#parts;
  }

  /** Checks whether the model must be asked to continue. */
  get isPaused(): boolean {
    return this.#reason !== undefined && PAUSES.has(this.#reason);
  }

  /** Ends a message whose turn is not over. */
  pause(): ChatEvent[] {
    const events = this.#closeBlocks();
    this.#spent = this.#total;
    this.#usage = new UsageReader();
    this.#reason = undefined;
    this.#message++;
    return this.#noted(events);
  }

  /**
   * Returns the events of an event.
   *
   * @throws LLMError for an answer that was broken off.
   */
  read(event: unknown): ChatEvent[] {
    return this.#noted(this.#read(fieldsOf(event)));
  }

  #read(event: Fields): ChatEvent[] {
    switch (event['type']) {
      case 'message_start':
        return this.#start(fieldsOf(event['message']));
      case 'message':
        return this.#whole(event);
      case 'content_block_start':
        return this.#open(event['index'], fieldsOf(event['content_block']));
      case 'content_block_delta':
        return this.#blockAt(event).delta(fieldsOf(event['delta']));
      case 'content_block_stop':
        return this.#close(event['index']);
      case 'message_delta':
        this.#usage.add(event['usage']);
        return this.#note(fieldsOf(event['delta']));
      default:
        return [];
    }
  }

  #start(message: Fields): ChatEvent[] {
    this.#usage.add(message['usage']);
    const events = this.#begin(message);
    for (const [index, block] of listOf(message['content']).entries()) {
      events.push(...this.#open(index, fieldsOf(block)), ...this.#close(index));
    }
    return events;
  }

  #begin(message: Fields): ChatEvent[] {
    if (this.#hasStarted) return [];
    this.#hasStarted = true;
    const [id, model] = [stringOf(message['id']), stringOf(message['model'])];
    return [
      {
        type: 'start',
        ...(id ? { id } : {}),
        ...(model ? { model } : {}),
        warnings: this.#warnings,
      },
    ];
  }

  /** Returns an answer that came at once. */
  #whole(message: Fields): ChatEvent[] {
    return [...this.#start(message), ...this.#note(message)];
  }

  #open(index: unknown, block: Fields): ChatEvent[] {
    const before = this.#closeText(block);
    const open = openBlock(block, `${this.#message} ${String(index)}`, this.#context);
    this.#blocks.set(index, open);
    const first = firstDelta(block);
    const begun = block['type'] === 'tool_use' ? {} : first;
    return [...before, ...(begun ? open.delta(begun) : [])];
  }

  /** Each block is a part of its own. */
  #closeText({ type }: Fields): ChatEvent[] {
    return type === 'tool_use' ? [] : this.#context.writer.endText();
  }

  /** Some servers send the pieces of a block that they did not begin. */
  #blockAt({ index, delta }: Fields): OpenBlock {
    const known = this.#blocks.get(index);
    if (known) return known;
    const type = DELTAS[stringOf(fieldsOf(delta)['type']) ?? ''] ?? 'text';
    const open = openBlock({ type }, `${this.#message} ${String(index)}`, this.#context);
    this.#blocks.set(index, open);
    return open;
  }

  #close(index: unknown): ChatEvent[] {
    const block = this.#blocks.get(index);
    this.#blocks.delete(index);
    return block?.end() ?? [];
  }

  #closeBlocks(): ChatEvent[] {
    const events = [...this.#blocks.keys()].flatMap((index) => this.#close(index));
    return [...events, ...this.#context.writer.endText()];
  }

  /** Records the end of the message, and its container. */
  #note(delta: Fields): ChatEvent[] {
    const records: Record<string, JsonValue> = { ...this.#records };
    for (const key of [
      'stop_sequence',
      'stop_details',
      'container',
      'diagnostics',
      'context_management',
    ]) {
      const value = delta[key];
      if (value !== undefined && value !== null) records[key] = jsonOf(value);
    }
    this.#records = records;
    const reason = stringOf(delta['stop_reason']);
    if (reason === undefined) return [];
    if (!PAUSES.has(reason)) {
      // It throws for an answer that was broken off.
      const why = textAt(fieldsOf(delta['stop_details']), 'explanation', 'category');
      withUsage(this.#usage.hasCounts ? this.#total : undefined, () => readFinish(reason, why));
    }
    this.#reason = reason;
    return [];
  }

  /** Returns the last events; none of an answer that was cut off. */
  end(): ChatEvent[] {
    const reason = this.#reason;
    if (reason === undefined) return [];
    const ending: FinishReason = this.isPaused ? 'length' : readFinish(reason);
    const { writer, sources } = this.#context;
    const { container } = this.#records;
    const hasRecords = Object.keys(this.#records).length > 0;
    const usage = this.#total;
    return [
      ...this.#closeBlocks(),
      ...sources.parts.flatMap((part) => writer.part(part)),
      // The next request names the container.
      ...(container === undefined
        ? []
        : writer.part({ type: 'text', text: '', meta: { anthropic: { container } } })),
      ...withUsage(usage, () => writer.end(ending === 'length')),
      {
        type: 'finish',
        reason: ending === 'stop' && writer.hasToolCalls ? 'tool-calls' : ending,
        rawReason: reason,
        usage,
        ...(hasRecords ? { meta: { anthropic: this.#records } } : {}),
      },
    ];
  }

  get #total(): Usage {
    const { usage } = this.#usage;
    return this.#spent ? addUsage(this.#spent, usage) : usage;
  }

  #noted(events: ChatEvent[]): ChatEvent[] {
    for (const event of events) if (event.type === 'part') this.#parts[event.index] = event.part;
    return events;
  }
}

/** The kinds of blocks by those of their pieces. */
const DELTAS: Readonly<Record<string, string>> = {
  thinking_delta: 'thinking',
  signature_delta: 'thinking',
  input_json_delta: 'tool_use',
};

/** Token counts of one answer: of its start, and of its end, which has the last word. */
class UsageReader {
  #fields: Fields = {};

  /** Notes counts; a count that is missing later keeps its earlier value. */
  add(usage: unknown): void {
    const told = Object.entries(fieldsOf(usage)).filter(([, value]) => value !== null);
    this.#fields = { ...this.#fields, ...Object.fromEntries(told) };
  }

  /** Checks whether the server reported any counts. */
  get hasCounts(): boolean {
    return numberOf(this.#fields['input_tokens']) !== undefined || this.#output !== undefined;
  }

  /** The counts so far. Anthropic counts the cached part of a prompt apart. */
  get usage(): Usage {
    const fields = this.#fields;
    const fresh = numberOf(fields['input_tokens']);
    const written = numberOf(fields['cache_creation_input_tokens']);
    const read = numberOf(fields['cache_read_input_tokens']);
    const output = this.#output;
    const thinking = numberOf(fieldsOf(fields['output_tokens_details'])['thinking_tokens']);
    return {
      ...(fresh === undefined ? {} : { inputTokens: fresh + (written ?? 0) + (read ?? 0) }),
      ...(output === undefined ? {} : { outputTokens: output }),
      ...(thinking === undefined ? {} : { reasoningTokens: thinking }),
      ...(read === undefined ? {} : { cachedInputTokens: read }),
      ...(written === undefined ? {} : { cacheWriteInputTokens: written }),
      ...(this.hasCounts ? { raw: jsonOf(fields) } : {}),
    };
  }

  get #output(): number | undefined {
    return numberOf(this.#fields['output_tokens']);
  }
}

/** Context that all blocks of an answer share. */
interface BlockContext {
  readonly writer: PartWriter;
  readonly sources: Sources;
  /** Names of tools that the server ran, by the ids of their calls. */
  readonly ran: Map<string, string>;
  /** Gives a tool its name back. */
  readonly nameOf: (wireName: string) => string;
}

/** A block of content while it comes. */
interface OpenBlock {
  delta(delta: Fields): ChatEvent[];
  end(): ChatEvent[];
}

/**
 * Begins a block of content; the events of what it holds already are the first of its `delta`s.
 *
 * @param key - Distinguishes the blocks of all messages of an answer.
 */
function openBlock(block: Fields, key: string, context: BlockContext): OpenBlock {
  const type = stringOf(block['type']) ?? '';
  if (type === 'text') return textBlock(block, context);
  if (type === 'thinking') return thinkingBlock(context);
  if (type === 'tool_use') return callBlock(block, key, context);
  if (type === 'redacted_thinking') {
    const meta = { anthropic: { redactedData: stringOf(block['data']) ?? '' } };
    return whole(() => context.writer.part({ type: 'reasoning', text: '', meta }));
  }
  if (type.endsWith('_tool_use')) return runBlock(block, context);
  return type.endsWith('_tool_result')
    ? whole(() => runResult(block, context))
    : otherBlock(block, context);
}

/** Returns the delta by which a block would have said what it holds from the beginning, as in answers that came as a whole. */
function firstDelta(block: Fields): Fields | undefined {
  const { type } = block;
  if (type === 'text' && block['text'] !== '') return { type: 'text_delta', text: block['text'] };
  return type === 'thinking' ? { type: 'thinking_delta', ...block } : undefined;
}

function whole(end: () => ChatEvent[]): OpenBlock {
  return { delta: () => [], end };
}

function textBlock(block: Fields, { writer, sources }: BlockContext): OpenBlock {
  const citations: JsonValue[] = [];
  const cite = (citation: unknown): void => {
    citations.push(jsonOf(citation));
    sources.add(sourceOf(fieldsOf(citation)));
  };
  for (const citation of listOf(block['citations'])) cite(citation);
  return {
    delta({ text, citation }) {
      if (citation !== undefined) cite(citation);
      return typeof text === 'string' && text !== '' ? writer.said('text', text) : [];
    },
    end() {
      if (citations.length === 0) return writer.endText();
      return [...writer.text('text', '', { anthropic: { citations } }), ...writer.endText()];
    },
  };
}

/** Returns a citation with its place under the names that all sources have. */
function sourceOf(citation: Fields): Fields {
  const {
    source,
    start_char_index: char,
    start_page_number: page,
    start_block_index: block,
  } = citation;
  const from = char ?? page ?? block;
  const url =
    citation['url'] ?? (typeof source === 'string' && URL.canParse(source) ? source : undefined);
  return {
    ...citation,
    ...(url === undefined ? {} : { url }),
    ...(from === undefined ? {} : { start_index: from }),
  };
}

/** A thought goes back with its signature, which is all that there is where the thought is not shown. */
function thinkingBlock({ writer }: BlockContext): OpenBlock {
  return {
    delta({ thinking, signature }) {
      const events =
        typeof thinking === 'string' && thinking !== ''
          ? writer.said('reasoning', thinking).concat(writer.text('reasoning', '', UNSIGNED))
          : [];
      if (typeof signature !== 'string' || signature === '') return events;
      return [...events, ...writer.text('reasoning', '', { anthropic: { signature } })];
    },
    end: () => writer.endText(),
  };
}

/** Servers of others do not sign. */
const UNSIGNED = { anthropic: {} };

function callBlock(block: Fields, key: string, { writer, nameOf }: BlockContext): OpenBlock {
  const { caller, toolset_name: toolset } = block;
  const own: JsonObject = {
    ...(caller === undefined || fieldsOf(caller)['type'] === 'direct'
      ? {}
      : { caller: jsonOf(caller) }),
    ...(typeof toolset === 'string' ? { toolset_name: toolset } : {}),
  };
  const begin = {
    id: stringOf(block['id']),
    name: nameOf(stringOf(block['name']) ?? ''),
    ...(Object.keys(own).length > 0 ? { meta: { anthropic: own } } : {}),
  };
  let hasBegun = false;
  let hasInput = false;
  return {
    delta({ partial_json: input }) {
      const piece = jsonTextOf(input);
      hasInput ||= piece !== '';
      const events = writer.toolCall(key, { ...(hasBegun ? {} : begin), input: piece });
      hasBegun = true;
      return events;
    },
    end() {
      const input = hasInput || emptied(block['input']) ? '' : JSON.stringify(block['input']);
      return hasBegun && input === ''
        ? []
        : writer.toolCall(key, { ...(hasBegun ? {} : begin), input });
    },
  };
}

/** Returns a piece of JSON; gateways send the whole object in its place. */
function jsonTextOf(piece: unknown): string {
  return isRecord(piece) ? JSON.stringify(piece) : (stringOf(piece) ?? '');
}

function emptied(input: unknown): boolean {
  return input === undefined || input === null || Object.keys(Object(input)).length === 0;
}

/** Opens the block of a tool that the server runs: its call is sent back unchanged. */
function runBlock(block: Fields, { writer, ran }: BlockContext): OpenBlock {
  let json = '';
  return {
    delta({ partial_json: piece }) {
      json += jsonTextOf(piece);
      return [];
    },
    end() {
      const input = parseJson(json) ?? jsonOf(block['input'] ?? {});
      const [id, name] = [stringOf(block['id']) ?? '', stringOf(block['name']) ?? 'tool'];
      ran.set(id, name);
      const record = jsonOf({ ...block, input });
      const meta = { anthropic: { providerExecuted: true, block: record } };
      return writer.part({ type: 'tool-call', id, name, input, meta });
    },
  };
}

function runResult(block: Fields, { writer, ran }: BlockContext): ChatEvent[] {
  const id = stringOf(block['tool_use_id']) ?? '';
  const content = jsonOf(block['content'] ?? null);
  const kind = stringOf(fieldsOf(content)['type']) ?? '';
  const isError = block['is_error'] === true || kind.endsWith('_error');
  return writer.part({
    type: 'tool-result',
    id,
    name: ran.get(id) ?? (stringOf(block['type']) ?? '').replace(/_tool_result$/, ''),
    output: content,
    ...(isError ? { isError } : {}),
    meta: { anthropic: { providerExecuted: true, block: jsonOf(block) } },
  });
}

/** A kind of block that is new goes back as it came. */
function otherBlock(block: Fields, { writer }: BlockContext): OpenBlock {
  let record = jsonOf(block);
  return {
    delta(delta) {
      record = merged(record, delta);
      return [];
    },
    end: () => [
      ...writer.endText(),
      ...writer.text('text', '', { anthropic: { block: record } }),
      ...writer.endText(),
    ],
  };
}

/** Texts are pieces; all else replaces what was there. */
function merged(record: JsonValue, { type: _, ...delta }: Fields): JsonValue {
  const before = isJsonObject(record) ? record : {};
  const changed = Object.entries(delta).map(([key, value]) => {
    const known = before[key];
    return [
      key,
      typeof known === 'string' && typeof value === 'string' ? known + value : jsonOf(value),
    ];
  });
  return { ...before, ...Object.fromEntries(changed) };
}
