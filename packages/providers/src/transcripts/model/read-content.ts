import { numberAt, objectOf, textAt } from '../../json/fields.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/json-value.ts';
import type { TranscriptPart, TranscriptResult } from './entry.ts';

/** Blocks that are neither texts nor of tools; `fallback` names the model that answers instead of another. */
const KINDS: ReadonlyMap<string, 'media' | 'note'> = new Map([
  ['document', 'media'],
  ['fallback', 'note'],
  ['image', 'media'],
]);

/**
 * Reads the content of a message of Claude Code or pi: blocks, or a text alone.
 *
 * @param keyOf - Names a text by the place of its block.
 */
export function readContent(
  content: JsonValue | undefined,
  details: JsonValue | undefined,
  cwd: string | undefined,
  keyOf: (index: number) => string,
): readonly TranscriptPart[] {
  const list = Array.isArray(content) ? (content as readonly JsonValue[]) : [];
  const blocks = typeof content === 'string' ? [content] : list;
  return blocks.map((block, index): TranscriptPart => {
    const key = keyOf(index);
    if (typeof block === 'string') return { type: 'text', key, text: block, raw: block };
    if (!isJsonObject(block)) return { type: 'other', name: '', kind: 'unknown', raw: block };
    const name = textAt(block, 'type') ?? '';
    switch (name) {
      case 'text':
        return { type: 'text', key, text: textAt(block, 'text') ?? '', raw: block };
      case 'thinking':
      case 'redacted_thinking':
        return { type: 'thinking', key, text: textAt(block, 'thinking') ?? '', raw: block };
      case 'tool_use':
      case 'server_tool_use':
      case 'mcp_tool_use':
      case 'toolCall': {
        const tool = textAt(block, 'name') ?? 'unknown';
        const input = block['input'] ?? block['arguments'] ?? null;
        return { type: 'tool-call', id: textAt(block, 'id') ?? '', tool, input, cwd, raw: block };
      }
      case 'tool_result':
        return claudeResult({ id: textAt(block, 'tool_use_id') ?? '', raw: block, details });
      default: {
        // Tools of the provider, such as its search, return in the answer itself.
        const id = name.endsWith('_tool_result') ? textAt(block, 'tool_use_id') : undefined;
        if (id !== undefined) return claudeResult({ id, raw: block, details: undefined });
        return { type: 'other', name, kind: KINDS.get(name) ?? 'unknown', key, raw: block };
      }
    }
  });
}

/**
 * Returns the result of a call of one of Claude Code's tools.
 *
 * @param facts.raw - The block `tool_result`.
 * @param facts.details - `toolUseResult` of a transcript, or the response that a hook receives.
 */
export function claudeResult(facts: {
  readonly id: string;
  readonly raw: JsonObject;
  readonly details: JsonValue | undefined;
}): TranscriptResult {
  const { raw, details } = facts;
  const object = objectOf(details);
  return {
    type: 'tool-result',
    ...facts,
    output: raw['content'] === undefined ? '' : raw['content'],
    success: raw['is_error'] !== true,
    durationMs: numberAt(object, 'durationMs') ?? numberAt(object, 'totalDurationMs'),
  };
}
