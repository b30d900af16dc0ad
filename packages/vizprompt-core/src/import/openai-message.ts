import { type JsonObject, type JsonValue } from '@vizprompt/providers';
import { omitUndefined as defined, isJsonObject, type Role } from '@vizprompt/providers/internal';
import { readBlock } from './claude-block.ts';
import type { ImportedMessage, MessagePart } from './conversation.ts';
import { listAt, objectAt, textAt, timeAt } from './fields.ts';

const ROLES: ReadonlyMap<string, Role> = new Map([
  ['system', 'system'],
  ['developer', 'system'],
  ['user', 'user'],
  ['human', 'user'],
  ['assistant', 'assistant'],
  ['model', 'assistant'],
  ['tool', 'tool'],
  ['function', 'tool'],
]);

/** The role that a word stands for; whoever is unknown sets the scene. */
export function roleOf(word: string | undefined): Role {
  return ROLES.get(word ?? '') ?? 'system';
}

/** Reads a message in the form of OpenAI's Chat Completions. */
export function readOpenAiMessage(message: JsonObject): Omit<ImportedMessage, 'id' | 'parent'> {
  const spoken = roleOf(textAt(message, 'role'));
  const parts = spoken === 'tool' ? [readResult(message)] : readParts(message);
  const isResult = parts.length > 0 && parts.every(({ type }) => type === 'tool-result');
  return {
    role: isResult ? 'tool' : spoken,
    ...defined({
      name: textAt(message, 'name'),
      time: timeAt(message, 'created_at') ?? timeAt(message, 'timestamp'),
      model: textAt(message, 'model'),
    }),
    parts,
  };
}

function readParts(message: JsonObject): MessagePart[] {
  const { content } = message;
  const thought = textAt(message, 'reasoning_content') ?? textAt(message, 'reasoning');
  const refusal = textAt(message, 'refusal');
  const call = message['function_call'];
  return [
    ...(thought === undefined ? [] : [{ type: 'reasoning' as const, text: thought }]),
    ...(typeof content === 'string' ? [{ type: 'text' as const, text: content }] : []),
    ...listAt(message, 'content').map(readContentPart),
    ...(refusal === undefined ? [] : [refused(refusal)]),
    ...listAt(message, 'tool_calls').map(readCall),
    ...(isJsonObject(call) ? [readCall({ function: call })] : []),
  ];
}

function refused(text: string): MessagePart {
  return { type: 'data', kind: 'refusal', value: text };
}

/** Reads a piece of content, in the forms of OpenAI and of Anthropic. */
export function readContentPart(part: JsonValue): MessagePart {
  if (!isJsonObject(part)) return readBlock(part);
  switch (part['type']) {
    case 'text':
    case 'input_text':
    case 'output_text':
      return { type: 'text', text: textAt(part, 'text') ?? '' };
    case 'image_url': {
      const image = objectAt(part, 'image_url');
      const uri = textAt(image, 'url') ?? textAt(part, 'image_url');
      const { url: _, ...meta } = image;
      const isMore = Object.keys(meta).length > 0;
      return { type: 'file', ...defined({ uri }), ...(isMore ? { meta } : {}) };
    }
    case 'file': {
      const file = objectAt(part, 'file');
      const id = textAt(file, 'file_id');
      const uri = textAt(file, 'file_data') ?? (id === undefined ? undefined : `openai-file:${id}`);
      return { type: 'file', ...defined({ uri, fileName: textAt(file, 'filename') }) };
    }
    case 'refusal':
      return refused(textAt(part, 'refusal') ?? '');
    default:
      return readBlock(part);
  }
}

function readCall(call: JsonValue): MessagePart {
  if (!isJsonObject(call)) return { type: 'data', kind: 'tool_call', value: call };
  const named = objectAt(call, isJsonObject(call['custom']) ? 'custom' : 'function');
  return {
    type: 'tool-call',
    id: textAt(call, 'id') ?? '',
    tool: textAt(named, 'name') ?? '',
    input: readToolInput(named['arguments'] ?? named['input']),
  };
}

/** What a tool is given comes as the text of a JSON value. */
export function readToolInput(input: JsonValue | undefined): JsonValue {
  if (typeof input !== 'string') return input ?? null;
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what JSON.parse gives
    return JSON.parse(input) as JsonValue;
  } catch {
    return input;
  }
}

function readResult(message: JsonObject): MessagePart {
  return {
    type: 'tool-result',
    id: textAt(message, 'tool_call_id') ?? '',
    tool: textAt(message, 'name') ?? '',
    output: message['content'] ?? null,
  };
}
