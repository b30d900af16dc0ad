import { readFinish } from '../adapter-kit/finish-reasons.ts';
import { PartWriter } from '../adapter-kit/part-writer.ts';
import { fieldsOf, stringOf } from '../json/fields.ts';
import type { ChatEvent, ChatWarning, FinishReason, StartEvent } from '../models/events.ts';
import { LLMError } from '../models/llm-error.ts';
import type { FilePart, Part, ProviderMeta, SourcePart } from '../models/message.ts';
import { fromBase64, metaOf, plainJson, type PlainJson } from './json.ts';
import { streamError } from './read-failure.ts';
import type {
  AiSdkStreamPart,
  AiSdkWarning,
  StreamFile,
  StreamFinish,
  StreamToolResult,
} from './spec.ts';
import { readUsage } from './usage.ts';

/** Turns the stream of a language model of the AI SDK into the events of the contract. */
export class StreamReader {
  readonly #version: 'v3' | 'v4';
  readonly #blocks = new BlockWriter();
  readonly #sources: PlainJson[] = [];
  #start: StartEvent | undefined;

  /** @param warnings - The settings of the request that had no effect. */
  constructor(version: 'v3' | 'v4', warnings: readonly ChatWarning[]) {
    this.#version = version;
    this.#start = { type: 'start', warnings };
  }

  /**
   * Returns the events of one piece, most often none or one.
   *
   * @throws LLMError for a stream that was cut off, and what an `error` piece holds.
   */
  read(part: AiSdkStreamPart): ChatEvent[] {
    if (part.type === 'stream-start') {
      this.#addToStart({ warnings: part.warnings.map((warning) => readWarning(warning)) });
      return [];
    }
    if (part.type === 'response-metadata') {
      const { id, modelId: model } = part;
      this.#addToStart({ ...(id ? { id } : {}), ...(model ? { model } : {}) });
      return [];
    }
    if (part.type === 'error') throw streamError(part.error);
    const events = part.type === 'finish' ? this.#finish(part) : this.#content(part);
    if (events.length === 0 || !this.#start) return events;
    const start = this.#start;
    this.#start = undefined;
    return [start, ...events];
  }

  /** The start waits for the first content: id and model may come after the warnings. */
  #addToStart(facts: Partial<StartEvent>): void {
    if (!this.#start) return;
    const warnings = [...this.#start.warnings, ...(facts.warnings ?? [])];
    this.#start = { ...this.#start, ...facts, warnings };
  }

  #content(part: AiSdkStreamPart): ChatEvent[] {
    const blocks = this.#blocks;
    switch (part.type) {
      case 'text-start':
      case 'reasoning-start':
        return blocks.text(kindOf(part.type), part.id, '', metaIn(part));
      case 'text-delta':
      case 'reasoning-delta':
        return blocks.text(kindOf(part.type), part.id, part.delta, metaIn(part));
      case 'text-end':
      case 'reasoning-end':
        return blocks.endText(kindOf(part.type), part.id, metaIn(part));
      case 'tool-input-start':
        blocks.startCall(part.id, part.toolName);
        return [];
      case 'tool-input-delta':
        return blocks.callInput(part.id, part.delta);
      case 'tool-call': {
        const { toolCallId: id, toolName: name, input, providerMetadata } = part;
        const marks = part.providerExecuted ? { providerExecuted: true } : undefined;
        return blocks.call({ id, name, input, ...metaOf(providerMetadata, marks) });
      }
      case 'tool-result':
        return part.preliminary ? [] : this.#result(part);
      case 'file':
      case 'reasoning-file':
        return blocks.part(readFile(part));
      case 'custom': {
        const { kind, providerMetadata = {} } = part;
        return blocks.part({
          type: 'reasoning',
          text: '',
          ...metaOf(providerMetadata, { custom: kind }),
        });
      }
      case 'source':
        this.#sources.push(plainJson(part));
        return blocks.part(readSource(part));
      default:
        return [];
    }
  }

  /** Returns the result of a tool that the provider ran itself. */
  #result(part: StreamToolResult): ChatEvent[] {
    const { toolCallId: id, toolName: name, result, isError, providerMetadata } = part;
    return this.#blocks.part({
      type: 'tool-result',
      id,
      name,
      output: plainJson(result),
      ...(isError ? { isError } : {}),
      ...metaOf(providerMetadata, { providerExecuted: true }),
    });
  }

  #finish({ finishReason, usage, providerMetadata }: StreamFinish): ChatEvent[] {
    const { unified, raw } = finishReason;
    // Providers of v3 say so when the server never said why it ended; v4 has a word for it.
    const isCutOff = this.#version === 'v3' && unified === 'other' && raw === undefined;
    if (unified === 'interrupted' || isCutOff) {
      throw new LLMError('truncated', 'the stream ended before the answer was complete');
    }
    const reason = reasonOf(unified, raw);
    const marks = this.#sources.length === 0 ? undefined : { sources: this.#sources };
    return [
      ...this.#blocks.end(),
      {
        type: 'finish',
        reason,
        ...(raw === undefined ? {} : { rawReason: raw }),
        usage: readUsage(usage),
        ...metaOf(providerMetadata, marks),
      },
    ];
  }
}

/** The provider's own word is more precise than `other`. */
function reasonOf(unified: Exclude<Unified, 'interrupted'>, raw: string | undefined): FinishReason {
  if (unified === 'error') return readFinish(raw ?? 'error');
  if (unified !== 'other') return unified;
  return raw === undefined ? 'unknown' : readFinish(raw);
}

type Unified = StreamFinish['finishReason']['unified'];

function kindOf(type: `${'text' | 'reasoning'}-${string}`): 'text' | 'reasoning' {
  return type.startsWith('text') ? 'text' : 'reasoning';
}

function metaIn(part: {
  readonly providerMetadata?: Readonly<Record<string, object>>;
}): ProviderMeta | undefined {
  return metaOf(part.providerMetadata).meta;
}

function readWarning(warning: AiSdkWarning): ChatWarning {
  switch (warning.type) {
    case 'other':
      return { message: warning.message };
    case 'deprecated':
      return { message: warning.message, field: warning.setting };
    default: {
      const { type, feature, details } = warning;
      const message = details ?? (type === 'unsupported' ? 'not supported' : 'supported in part');
      return { message: `${feature}: ${message}`, field: feature };
    }
  }
}

function readSource(part: object): SourcePart {
  const { url, title, filename } = fieldsOf(part);
  const name = stringOf(title) ?? stringOf(filename);
  return {
    type: 'source',
    ...(typeof url === 'string' ? { url } : {}),
    ...(name === undefined ? {} : { title: name }),
    ...metaOf(undefined, { source: plainJson(part) }),
  };
}

function readFile(part: StreamFile): FilePart {
  const { type, mediaType, data, providerMetadata } = part;
  return {
    type: 'file',
    mediaType,
    data: readData(data),
    ...metaOf(providerMetadata, type === 'file' ? undefined : { reasoning: true }),
  };
}

function readData(data: StreamFile['data']): Uint8Array | URL {
  if (typeof data === 'string') return fromBase64(data);
  if (data instanceof Uint8Array) return data;
  return data.type === 'url' ? data.url : readData(data.data);
}

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
interface FinishedCall {
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
class BlockWriter {
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
