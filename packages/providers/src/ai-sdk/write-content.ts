import type {
  LanguageModelV3File,
  LanguageModelV3GenerateResult,
  LanguageModelV3Source,
  LanguageModelV3ToolCall,
  LanguageModelV3ToolResult,
  SharedV3Warning,
} from '@ai-sdk/provider';
import type { ChatResult, ChatWarning } from '../models/events.ts';
import type { FilePart, Part, ReasoningPart, SourcePart, TextPart } from '../models/message.ts';
import { markOf, metadataOf, plainJson } from './json.ts';
import { writeReason, writeUsage } from './usage.ts';

/** A part in a stream of the AI SDK as a whole. */
export type WholePart =
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
export function writePart(part: Exclude<Part, TextPart | ReasoningPart>): WholePart {
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

export function writeWarning({ message, field }: ChatWarning): SharedV3Warning {
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
