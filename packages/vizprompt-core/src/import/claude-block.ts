import { type JsonObject, type JsonValue } from '@vizprompt/providers';
import { isJsonObject } from '@vizprompt/providers/internal';
import type { MessagePart } from './conversation.ts';
import { textAt } from './fields.ts';

/** Reads a content block as Claude's exports, its API and Claude Code have it. */
export function readBlock(block: JsonValue): MessagePart {
  if (typeof block === 'string') return { type: 'text', text: block };
  if (!isJsonObject(block)) return { type: 'data', kind: 'unknown', value: block };
  const { type, ...rest } = block;
  switch (type) {
    case 'text':
      return { type, text: textAt(block, 'text') ?? '' };
    case 'thinking':
      return {
        type: 'reasoning',
        text: textAt(block, 'thinking') ?? '',
        meta: without(rest, 'thinking'),
      };
    case 'tool_use':
      return {
        type: 'tool-call',
        id: textAt(block, 'id') ?? '',
        tool: textAt(block, 'name') ?? '',
        input: block['input'] ?? null,
      };
    case 'tool_result':
      return {
        type: 'tool-result',
        id: textAt(block, 'tool_use_id') ?? '',
        tool: textAt(block, 'name') ?? '',
        output: block['content'] ?? null,
        ...(block['is_error'] === true ? { isError: true } : {}),
      };
    default:
      return { type: 'data', kind: typeof type === 'string' ? type : 'unknown', value: block };
  }
}

function without(object: JsonObject, key: string): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => name !== key));
}
