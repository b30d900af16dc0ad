import { isDeepStrictEqual } from 'node:util';
import type { JsonObject, JsonValue } from '@vizprompt/providers';
import { isJsonObject, omitUndefined as defined } from '@vizprompt/providers/internal';
import type { ThreadMessage, ThreadPart } from '../thread/thread.ts';

/** Any message of the AI SDK: `UIMessage` of every major, with any tools, data and metadata. */
export interface AnyUIMessage {
  readonly id: string;
  readonly role: 'system' | 'user' | 'assistant';
  readonly metadata?: unknown;
  readonly parts: readonly { readonly type: string }[];
}

/** The format of messages that this bridge wrote, in the `meta` of each. */
const FORMAT = 'ai-sdk';
/** The kind of a part that has no other place: all of it is its value. */
const WHOLE = 'ui-part';

/** Converts a message to one of a thread; {@link fromThread} returns the same. Keys that are `undefined` are dropped. */
export function toThread(given: AnyUIMessage): ThreadMessage {
  const { id: _id, role: _role, parts, ...rest } = toJson(given);
  return {
    id: given.id,
    role: given.role,
    parts: Array.isArray(parts) ? parts.flatMap((part: JsonValue) => toParts(part)) : [],
    meta: { format: FORMAT, ...(Object.keys(rest).length > 0 ? { rest } : {}) },
  };
}

/** Returns a message, or a part of one, as plain JSON. */
export function toJson(message: object): JsonObject {
  const value: unknown = JSON.parse(JSON.stringify(message));
  return isJsonObject(value) ? value : {};
}

/** A part as parts of a thread; as data in one piece where anything of it would be lost. */
function toParts(part: JsonValue): readonly ThreadPart[] {
  const parts = isJsonObject(part) ? nativeParts(part) : undefined;
  const isKept = parts !== undefined && isDeepStrictEqual(ownParts(parts), [part]);
  return isKept ? parts : [{ type: 'data', kind: WHOLE, value: part }];
}

function nativeParts({ type, ...rest }: JsonObject): readonly ThreadPart[] | undefined {
  if (typeof type !== 'string') return undefined;
  switch (type) {
    case 'text':
    case 'reasoning': {
      const { text, ...more } = rest;
      return typeof text === 'string' ? [{ type, text, ...metaOf(more) }] : undefined;
    }
    case 'file': {
      const { url, mediaType, filename, ...more } = rest;
      if (typeof url !== 'string' || typeof mediaType !== 'string') return undefined;
      const fileName = typeof filename === 'string' ? filename : undefined;
      return [{ type, uri: url, mediaType, ...defined({ fileName }), ...metaOf(more) }];
    }
    case 'dynamic-tool':
      return toolParts(rest, rest['toolName'], true);
    default:
      return type.startsWith('tool-')
        ? toolParts(rest, type.slice('tool-'.length), false)
        : [{ type: 'data', kind: type, value: rest }];
  }
}

/** Returns a call of a tool, and its result if there is one. The other keys of the call are in its `meta`. */
function toolParts(
  { toolCallId: id, toolName: _, input, output, ...rest }: JsonObject,
  tool: JsonValue | undefined,
  isDynamic: boolean,
): readonly ThreadPart[] | undefined {
  if (typeof id !== 'string' || typeof tool !== 'string') return undefined;
  const meta = { call: rest, isDynamic, hasInput: input !== undefined };
  const isError = typeof rest['errorText'] === 'string' ? true : undefined;
  return [
    { type: 'tool-call', id, tool, input: input ?? null, meta },
    ...(output === undefined
      ? []
      : [{ type: 'tool-result', id, tool, output, ...defined({ isError }) } as const]),
  ];
}

function metaOf(more: JsonObject): { readonly meta?: JsonObject } {
  return Object.keys(more).length === 0 ? {} : { meta: more };
}

/** Converts a message of a thread, of any origin, to one of the AI SDK. */
export function fromThread({ id, role, parts, meta }: ThreadMessage): AnyUIMessage {
  const isOwn = meta?.['format'] === FORMAT;
  const rest = isOwn && isJsonObject(meta['rest']) ? meta['rest'] : {};
  return {
    id,
    role,
    ...rest,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- parts that toThread took, or of a known form
    parts: (isOwn ? ownParts(parts) : otherParts(parts)) as AnyUIMessage['parts'],
  };
}

/** Reads parts that {@link toThread} wrote. */
function ownParts(parts: readonly ThreadPart[]): readonly JsonValue[] {
  return parts.flatMap((part, at): readonly JsonValue[] => {
    switch (part.type) {
      case 'text':
      case 'reasoning':
        return [{ type: part.type, text: part.text, ...part.meta }];
      case 'file': {
        const { uri: url, mediaType, fileName: filename, meta } = part;
        return [{ type: 'file', ...defined({ url, mediaType, filename }), ...meta }];
      }
      case 'data':
        if (part.kind === WHOLE) return [part.value];
        return [{ type: part.kind, ...(isJsonObject(part.value) ? part.value : {}) }];
      case 'tool-call': {
        const { id: toolCallId, tool, input, meta = {} } = part;
        const { call, isDynamic, hasInput } = meta;
        const next = parts[at + 1];
        const isAnswered = next?.type === 'tool-result' && next.id === toolCallId;
        return [
          {
            ...(isDynamic === true
              ? { type: 'dynamic-tool', toolName: tool }
              : { type: `tool-${tool}` }),
            toolCallId,
            ...(hasInput === true ? { input } : {}),
            ...(isAnswered ? { output: next.output } : {}),
            ...(isJsonObject(call) ? call : {}),
          },
        ];
      }
      default:
        return [];
    }
  });
}

/** Reads parts of messages that came from elsewhere, such as an import or `chat`. */
function otherParts(parts: readonly ThreadPart[]): readonly JsonValue[] {
  const results = new Map(
    parts.flatMap((part) => (part.type === 'tool-result' ? [[part.id, part]] : [])),
  );
  return parts.flatMap((part): readonly JsonValue[] => {
    switch (part.type) {
      case 'text':
      case 'reasoning':
        return [{ type: part.type, text: part.text }];
      case 'file': {
        const { uri: url, mediaType = 'application/octet-stream', fileName: filename } = part;
        return url === undefined
          ? []
          : [{ type: 'file', url, mediaType, ...defined({ filename }) }];
      }
      case 'data':
        return [{ type: `data-${part.kind}`, data: part.value }];
      case 'tool-call': {
        const { id: toolCallId, tool: toolName, input } = part;
        const call = { type: 'dynamic-tool', toolName, toolCallId, input };
        const result = results.get(toolCallId);
        if (!result) return [{ ...call, state: 'input-available' }];
        if (result.isError !== true) {
          return [{ ...call, state: 'output-available', output: result.output }];
        }
        const { output } = result;
        const errorText = typeof output === 'string' ? output : JSON.stringify(output);
        return [{ ...call, state: 'output-error', errorText }];
      }
      default:
        return [];
    }
  });
}
