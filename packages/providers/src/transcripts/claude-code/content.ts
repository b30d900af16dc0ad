import { textAt } from '../../json/fields.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/json-value.ts';
import type { TranscriptPart, TranscriptResult } from '../model/entry.ts';
import { claudeResult } from './claude-result.ts';

/** Names the text of a block by its place in the message. */
type KeyOf = (index: number) => string;

/** Reads the content of a message: blocks, or a text alone. */
export function readContent(
  line: JsonObject,
  content: JsonValue | undefined,
  keyOf: KeyOf,
  cwd: string | undefined,
): readonly TranscriptPart[] {
  if (typeof content === 'string') return [textPart(keyOf(0), content, content)];
  if (!Array.isArray(content)) return [];
  return (content as readonly JsonValue[]).map((block, index): TranscriptPart => {
    if (typeof block === 'string') return textPart(keyOf(index), block, block);
    if (isJsonObject(block)) return readBlock(line, block, keyOf(index), cwd);
    return { type: 'other', name: 'unknown', kind: 'unknown', raw: block };
  });
}

function textPart(key: string, text: string, raw: JsonValue): TranscriptPart {
  return { type: 'text', key, text, raw };
}

function readBlock(
  line: JsonObject,
  block: JsonObject,
  key: string,
  cwd: string | undefined,
): TranscriptPart {
  const name = textAt(block, 'type') ?? '';
  switch (name) {
    case 'text':
      return textPart(key, textAt(block, 'text') ?? '', block);
    case 'thinking':
    case 'redacted_thinking':
      return { type: 'thinking', key, text: textAt(block, 'thinking') ?? '', raw: block };
    case 'tool_use':
    case 'server_tool_use': {
      const tool = textAt(block, 'name') ?? 'unknown';
      const input = block['input'] ?? null;
      const call = { type: 'tool-call', id: textAt(block, 'id') ?? '', tool, input } as const;
      return { ...call, ...(cwd === undefined ? {} : { cwd }), raw: block };
    }
    case 'tool_result':
      return readResult(line, block);
    default:
      return isMedia(name)
        ? { type: 'other', name, kind: 'media', key, raw: block }
        : { type: 'other', name, kind: 'unknown', raw: block };
  }
}

function readResult(line: JsonObject, block: JsonObject): TranscriptResult {
  return claudeResult({
    id: textAt(block, 'tool_use_id') ?? '',
    success: block['is_error'] !== true,
    output: block['content'] ?? '',
    details: line['toolUseResult'],
    raw: block,
  });
}

function isMedia(type: string): boolean {
  return type === 'image' || type === 'document';
}
