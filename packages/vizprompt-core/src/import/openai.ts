import type { JsonObject, JsonValue } from '@vizprompt/providers';
import { omitUndefined as defined, isJsonObject, type Role } from '@vizprompt/providers/internal';
import { readBlock } from './claude.ts';
import {
  BrokenEntry,
  type ImportedConversation,
  type ImportedMessage,
  type MessagePart,
} from './conversation.ts';
import { listAt, textAt, timeAt, objectAt } from './fields.ts';
import { chainOf, linkMessages } from './link-messages.ts';

/**
 * Reads messages in a row, as OpenAI's Chat Completions and its files for fine-tuning have them.
 *
 * A list that has no id gets one from its content, so that the same list is the same conversation, and one
 * that goes on from it can be recognised.
 *
 * Source: https://platform.openai.com/docs/api-reference/chat/create
 *
 * @throws BrokenEntry if there are no messages.
 */
export function readOpenAi(entry: JsonObject): ImportedConversation {
  const list = listAt(entry, 'records' in entry ? 'records' : 'messages');
  const raw = list.filter(isJsonObject).filter((message) => textAt(message, 'role') !== undefined);
  if (raw.length === 0) throw new BrokenEntry('it holds no messages');
  const scene = readScene(entry);
  const chain = chainOf(raw, scene[0]?.parts.map(valueOf));
  const given = textAt(entry, 'conversation_id') ?? textAt(entry, 'id');
  const warnings: string[] = [];
  const left = list.length - raw.length;
  if (left > 0) warnings.push(`${left} entries without a role were left out`);
  const model = textAt(entry, 'model');
  const ids = [
    ...scene.map((message) => message.id),
    ...raw.map((message, at) => textAt(message, 'id') ?? chain[at] ?? ''),
  ];
  const messages = raw.map((message, at): ImportedMessage => ({
    id: ids[at + scene.length] ?? '',
    ...defined({ parent: ids[at + scene.length - 1] }),
    ...defined({ model: textAt(message, 'role') === 'assistant' ? model : undefined }),
    ...readOpenAiMessage(message),
  }));
  return {
    format: 'openai',
    id: given ?? chain.at(-1) ?? '',
    ...(given === undefined ? { earlier: earlierIds(chain, messages) } : {}),
    title: textAt(entry, 'title') ?? '',
    ...defined({ created: timeAt(entry, 'created_at') ?? timeAt(entry, 'created') }),
    messages: linkMessages(nameTools([...scene, ...messages]), warnings),
    warnings,
  };
}

/** What the list was called when it was shorter, the latest first; it held a question and an answer. */
function earlierIds(
  chain: readonly string[],
  messages: readonly Pick<ImportedMessage, 'role'>[],
): readonly string[] {
  const asked = messages.findIndex(({ role }) => role === 'user');
  const answered = messages.findIndex(({ role }, at) => at > asked && role === 'assistant');
  if (asked < 0 || answered < 0) return [];
  return chain.slice(answered, -1).toReversed();
}

function valueOf(part: MessagePart): JsonValue {
  return part.type === 'data' ? [part.kind, part.value] : null;
}

/** The tools that the model could call stand beside the messages. */
function readScene(entry: JsonObject): ImportedMessage[] {
  const parts = ['tools', 'functions'].flatMap((kind): MessagePart[] => {
    const value = entry[kind];
    return Array.isArray(value) && value.length > 0 ? [{ type: 'data', kind, value }] : [];
  });
  return parts.length > 0 ? [{ id: 'tools', role: 'system', parts }] : [];
}

/** Results name the call, and the call the tool. */
function nameTools(messages: readonly ImportedMessage[]): ImportedMessage[] {
  const tools = new Map<string, string>();
  return messages.map((message) => ({
    ...message,
    parts: message.parts.map((part) => {
      if (part.type === 'tool-call') tools.set(part.id, part.tool);
      if (part.type !== 'tool-result' || part.tool !== '') return part;
      return { ...part, tool: tools.get(part.id) ?? '' };
    }),
  }));
}

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
function readOpenAiMessage(message: JsonObject): Omit<ImportedMessage, 'id' | 'parent'> {
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
