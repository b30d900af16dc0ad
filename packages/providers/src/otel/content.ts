import type { Attributes } from '@opentelemetry/api';
import type { ChatResult } from '../models/events.ts';
import type { FilePart, Message, Part } from '../models/message.ts';
import type { ChatRequest } from '../models/request.ts';
import type { JsonObject } from '../json/json-value.ts';
import { reasonName } from './attributes.ts';
import { ATTRIBUTE } from './names.ts';

/** Returns the conversation and the tools, as JSON in the schema of the conventions. */
export function requestContent({ messages, tools }: ChatRequest): Attributes {
  const system = messages.filter(({ role }) => role === 'system');
  const rest = messages.filter(({ role }) => role !== 'system');
  return {
    ...(system.length === 0
      ? {}
      : { [ATTRIBUTE.systemInstructions]: JSON.stringify(system.flatMap(writeParts)) }),
    [ATTRIBUTE.inputMessages]: JSON.stringify(
      rest.map((message) => ({ role: message.role, parts: writeParts(message) })),
    ),
    ...(tools === undefined
      ? {}
      : {
          [ATTRIBUTE.toolDefinitions]: JSON.stringify(
            tools.map((tool) => ({ type: 'function', ...tool })),
          ),
        }),
  };
}

/** Returns the answer as far as it came. */
export function resultContent(result: ChatResult, isFinished: boolean): Attributes {
  const reason = isFinished ? reasonName(result.finishReason) : 'error';
  const message = { role: 'assistant', parts: writeParts(result), finish_reason: reason };
  return { [ATTRIBUTE.outputMessages]: JSON.stringify([message]) };
}

function writeParts({ parts }: Pick<Message, 'parts'>): JsonObject[] {
  return parts.map((part) => writePart(part));
}

function writePart(part: Part): JsonObject {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return { type: part.type, content: part.text };
    case 'tool-call':
      return { type: 'tool_call', id: part.id, name: part.name, arguments: part.input };
    case 'tool-result':
      return { type: 'tool_call_response', id: part.id, response: part.output };
    case 'source': {
      const { url, title } = part;
      return { type: 'source', ...(url && { uri: url }), ...(title && { title }) };
    }
    default:
      return writeFile(part);
  }
}

/** Bytes do not belong in a trace: only their number is written. */
function writeFile({ mediaType, data }: FilePart): JsonObject {
  const kind = { mime_type: mediaType, modality: mediaType.split('/', 1)[0] ?? '' };
  return data instanceof URL
    ? { type: 'uri', ...kind, uri: data.href }
    : { type: 'bytes', ...kind, size: data.byteLength };
}
