import { fileURLToPath } from 'node:url';
import { listAt, numberAt, objectAt, textAt } from '../../json/fields.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/json-value.ts';
import type { TranscriptCall, TranscriptResult } from '../model/entry.ts';

/** A call of a tool that is complete, and its result. */
export interface Called {
  readonly call: Pick<TranscriptCall, 'id' | 'input' | 'tool'>;
  readonly result: TranscriptResult;
}

/** Returns the call and the result of an item: of a tool of an MCP server or a program around Codex, or of a picture. */
export function readCalled(name: string, item: JsonObject): Called | undefined {
  const id = textAt(item, 'id') ?? '';
  if (id === '') return undefined;
  const isImage = name === 'ImageView';
  if (!isImage && name !== 'McpToolCall' && name !== 'DynamicToolCall') return undefined;
  const error = textAt(objectAt(item, 'error'), 'message') ?? textAt(item, 'error');
  const told = objectAt(item, 'result');
  const success =
    (textAt(item, 'status') ?? 'completed') === 'completed' &&
    error === undefined &&
    item['success'] !== false &&
    told['is_error'] !== true &&
    told['isError'] !== true;
  const path = pathOf(textAt(item, 'path') ?? '');
  return {
    call: {
      id,
      tool: isImage ? 'view_image' : (textAt(item, 'tool') ?? 'unknown'),
      input: isImage ? { path } : (item['arguments'] ?? null),
    },
    result: {
      type: 'tool-result',
      id,
      output: error ?? outputOf(item, told),
      success,
      error,
      durationMs: durationOf(item),
      raw: item,
    },
  };
}

function outputOf(item: JsonObject, told: JsonObject): JsonValue {
  const lists = [
    listAt(told, 'content'),
    listAt(item, 'content_items'),
    listAt(item, 'contentItems'),
  ];
  const blocks = lists.find((list) => list.length > 0) ?? [];
  return blocks.map((block) => {
    const text = isJsonObject(block) ? textAt(block, 'text') : undefined;
    return text === undefined ? block : { type: 'text', text };
  });
}

/** Returns how long an item took, in milliseconds. */
export function durationOf(item: JsonObject): number | undefined {
  const duration = objectAt(item, 'duration');
  const seconds = numberAt(duration, 'secs');
  if (seconds === undefined) return undefined;
  return Math.round(seconds * 1000 + (numberAt(duration, 'nanos') ?? 0) / 1e6);
}

/** Returns the path that a text names, as it is or as a URL. */
export function pathOf(text: string): string {
  if (!text.startsWith('file://')) return text;
  try {
    return fileURLToPath(text);
  } catch {
    return text;
  }
}
