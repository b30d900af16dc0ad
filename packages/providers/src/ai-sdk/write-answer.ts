import type {
  LanguageModelV3File,
  LanguageModelV3GenerateResult,
  LanguageModelV3Source,
  LanguageModelV3StreamPart,
  LanguageModelV3ToolCall,
  LanguageModelV3ToolResult,
  SharedV3Warning,
} from '@ai-sdk/provider';
import type {
  ChatEvent,
  ChatResult,
  ChatWarning,
  DeltaEvent,
  PartEvent,
  ToolCallDeltaEvent,
} from '../models/events.ts';
import type { FilePart, Part, ReasoningPart, SourcePart, TextPart } from '../models/message.ts';
import { markOf, metadataOf, plainJson } from './json.ts';
import { writeReason, writeUsage } from './usage.ts';

/** Turns the events of a stream into the pieces of the AI SDK. */
export class StreamWriter {
  readonly #warnings: readonly SharedV3Warning[];
  /** Text blocks that have begun. */
  readonly #texts = new Set<number>();
  /** Input of tool calls; an array while the name is not known yet. */
  readonly #calls = new Map<number, string[] | 'open'>();

  /** @param warnings - The options of the call that could not be kept. */
  constructor(warnings: readonly SharedV3Warning[]) {
    this.#warnings = warnings;
  }

  write(event: ChatEvent): LanguageModelV3StreamPart[] {
    switch (event.type) {
      case 'start': {
        const { id, model } = event;
        const warnings = [...this.#warnings, ...event.warnings.map((each) => writeWarning(each))];
        return [
          { type: 'stream-start', warnings },
          {
            type: 'response-metadata',
            ...(id === undefined ? {} : { id }),
            ...(model === undefined ? {} : { modelId: model }),
          },
        ];
      }
      case 'text-delta':
      case 'reasoning-delta':
        return this.#delta(event);
      case 'tool-call-delta':
        return this.#callInput(event);
      case 'part':
        return this.#part(event);
      default: {
        const { reason, rawReason, usage, meta } = event;
        return [
          {
            type: 'finish',
            finishReason: writeReason(reason, rawReason),
            usage: writeUsage(usage),
            ...metadataOf(meta),
          },
        ];
      }
    }
  }

  #delta({ type, index, text }: DeltaEvent): LanguageModelV3StreamPart[] {
    const id = String(index);
    const delta: LanguageModelV3StreamPart = { type, id, delta: text };
    if (this.#texts.has(index)) return [delta];
    this.#texts.add(index);
    return [{ type: type === 'text-delta' ? 'text-start' : 'reasoning-start', id }, delta];
  }

  #callInput({ index, id, name, inputDelta }: ToolCallDeltaEvent): LanguageModelV3StreamPart[] {
    const delta = { type: 'tool-input-delta', id } as const;
    const held = this.#calls.get(index) ?? [];
    if (held === 'open') return [{ ...delta, delta: inputDelta }];
    if (name === '') {
      this.#calls.set(index, [...held, inputDelta]);
      return [];
    }
    this.#calls.set(index, 'open');
    return [
      { type: 'tool-input-start', id, toolName: name },
      { ...delta, delta: held.join('') + inputDelta },
    ];
  }

  #part({ index, part }: PartEvent): LanguageModelV3StreamPart[] {
    if (part.type === 'text' || part.type === 'reasoning') {
      const begun = this.#texts.has(index)
        ? []
        : this.#delta({ type: `${part.type}-delta`, index, text: part.text });
      return [...begun, { type: `${part.type}-end`, id: String(index), ...metadataOf(part.meta) }];
    }
    const whole = writePart(part);
    if (part.type !== 'tool-call' || this.#calls.get(index) !== 'open') return [whole];
    return [{ type: 'tool-input-end', id: part.id }, whole];
  }
}

/** A part in a stream of the AI SDK as a whole. */
type WholePart =
  | LanguageModelV3File
  | LanguageModelV3Source
  | LanguageModelV3ToolCall
  | LanguageModelV3ToolResult;

/** Returns an answer as the AI SDK's. */
export function writeResult(
  result: ChatResult,
  warnings: readonly SharedV3Warning[],
): LanguageModelV3GenerateResult {
  const { id, model, parts, finishReason, rawFinishReason, usage, meta } = result;
  return {
    content: parts.map((part) =>
      part.type === 'text' || part.type === 'reasoning'
        ? { type: part.type, text: part.text, ...metadataOf(part.meta) }
        : writePart(part),
    ),
    finishReason: writeReason(finishReason, rawFinishReason),
    usage: writeUsage(usage),
    response: {
      ...(id === undefined ? {} : { id }),
      ...(model === undefined ? {} : { modelId: model }),
    },
    warnings: [...warnings, ...result.warnings.map((warning) => writeWarning(warning))],
    ...metadataOf(meta),
  };
}

/** Returns a part that is neither text nor reasoning. */
function writePart(part: Exclude<Part, TextPart | ReasoningPart>): WholePart {
  const metadata = metadataOf(part.meta);
  switch (part.type) {
    case 'file':
      return { ...writeFile(part), ...metadata };
    case 'source':
      return { ...writeSource(part), ...metadata };
    case 'tool-call':
      return {
        type: 'tool-call',
        toolCallId: part.id,
        toolName: part.name,
        input: JSON.stringify(part.input),
        ...(markOf(part.meta, 'providerExecuted') === true ? { providerExecuted: true } : {}),
        ...metadata,
      };
    default:
      return {
        type: 'tool-result',
        toolCallId: part.id,
        toolName: part.name,
        result: plainJson(part.output) ?? {},
        ...(part.isError ? { isError: true } : {}),
        ...metadata,
      };
  }
}

/** v3 wants an id, and a media type for a source without an address. */
function writeSource({ url, title }: SourcePart): LanguageModelV3Source {
  const id = url ?? title ?? 'source';
  if (url === undefined) {
    return { type: 'source', sourceType: 'document', id, mediaType: 'text/plain', title: id };
  }
  const about = title === undefined ? {} : { title };
  return { type: 'source', sourceType: 'url', id, url, ...about };
}

function writeWarning({ message, field }: ChatWarning): SharedV3Warning {
  return field === undefined
    ? { type: 'other', message }
    : { type: 'unsupported', feature: field, details: message };
}

/** v3 has no files by address: they become sources. */
function writeFile({
  mediaType,
  data,
  name,
}: FilePart): LanguageModelV3File | LanguageModelV3Source {
  if (!(data instanceof URL)) return { type: 'file', mediaType, data };
  const { href } = data;
  return {
    type: 'source',
    sourceType: 'url',
    id: href,
    url: href,
    ...(name === undefined ? {} : { title: name }),
  };
}
