import {
  fieldsOf,
  isRecord,
  jsonOf,
  listOf,
  stringOf,
  textAt,
  type Fields,
} from '../json/fields.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/json-value.ts';
import { LLMError } from '../models/llm-error.ts';
import {
  isRole,
  type Message,
  type Part,
  type ProviderMeta,
  type Role,
  type ToolResultPart,
} from '../models/message.ts';
import { isFileForm, readFileForm } from './media.ts';
import { readToolInput } from './repair-json.ts';
import { toolOutput } from './tool-content.ts';

/** Words of other SDKs for roles. */
const ROLES: Readonly<Record<string, Role>> = {
  developer: 'system',
  function: 'tool',
  human: 'user',
  ai: 'assistant',
  model: 'assistant',
};

/** Context for reading one message. */
interface Reading {
  /** Such as `messages[2]`. */
  readonly place: string;
  readonly role: Role;
  /** The messages before, which have the names of the tools that were called. */
  readonly before: readonly Message[];
}

/**
 * Reads a message with `content`: that of OpenAI's Chat Completions, of Anthropic's Messages, or of the AI SDK.
 *
 * @throws LLMError with the code `invalid_request` that names the place of what cannot be read.
 */
export function readContentMessage(
  message: Fields,
  place: string,
  before: readonly Message[],
): Message {
  const { role: word, content } = message;
  const role = isRole(word) ? word : ROLES[stringOf(word) ?? ''];
  if (role === undefined) {
    throw invalidInput(`${place}.role`, 'system, user, assistant or tool', word ?? message);
  }
  const reading = { place, role, before };
  const parts =
    role === 'tool' && !listOf(content).some(isToolResult)
      ? [readResult(message, reading)]
      : readParts(message, reading);
  const meta = metaIn(message);
  // Only tools produce results, whatever the role of the message that contains them.
  const isResults = parts.length > 0 && parts.every(({ type }) => type === 'tool-result');
  return { role: isResults ? 'tool' : role, parts, ...(meta ? { meta } : {}) };
}

function readParts(message: Fields, reading: Reading): Part[] {
  const { content, tool_calls: calls, function_call: call } = message;
  const hasCalls = Array.isArray(calls) || isRecord(call);
  const thought = textAt(message, 'reasoning_content', 'reasoning');
  const refusal = stringOf(message['refusal']);
  if (!hasCalls && thought === undefined && refusal === undefined && !isContent(content)) {
    throw invalidInput(
      `${reading.place}.content`,
      'a string or a list of content',
      content ?? message,
    );
  }
  return [
    ...(thought ? [{ type: 'reasoning', text: thought } as const] : []),
    ...(typeof content === 'string' && content !== ''
      ? [{ type: 'text', text: content } as const]
      : []),
    ...listOf(content).map((item, at) =>
      readItem(item, { ...reading, place: `${reading.place}.content[${at}]` }),
    ),
    ...(refusal ? [{ type: 'text', text: refusal } as const] : []),
    ...listOf(calls).map((item, at) =>
      readCall(fieldsOf(item), `${reading.place}.tool_calls[${at}]`),
    ),
    ...(isRecord(call) ? [readCall({ id: functionId(call), function: call }, reading.place)] : []),
  ];
}

function isContent(content: unknown): boolean {
  return typeof content === 'string' || Array.isArray(content);
}

/** Returns a result of OpenAI's form: the message is the result. */
function readResult(message: Fields, { place, before }: Reading): ToolResultPart {
  const { content = null } = message;
  const id = textAt(message, 'tool_call_id', 'toolCallId') ?? functionId(message);
  if (id === undefined) throw invalidInput(`${place}.tool_call_id`, 'the id of a call', message);
  const name = textAt(message, 'name', 'toolName') ?? nameOfCall(id, before);
  return { type: 'tool-result', id, name, output: outputOf(content), ...errorMark(message) };
}

/** `function_call` has no ids. */
function functionId({ name }: Fields): string | undefined {
  return typeof name === 'string' ? `function_${name}` : undefined;
}

/** OpenAI's results do not say which tool gave them. */
function nameOfCall(id: string, before: readonly Message[]): string {
  const parts = before.flatMap((message) => message.parts);
  const call = parts.findLast((part) => part.type === 'tool-call' && part.id === id);
  return call?.type === 'tool-call' ? call.name : '';
}

/** Returns the output of a tool as JSON: strings unchanged, files in the form that is stored. */
function outputOf(content: unknown): JsonValue {
  if (!Array.isArray(content)) return jsonOf(content);
  const items = listOf(content).map((item) => fieldsOf(item));
  const texts = items.map((item) => (isText(item) ? stringOf(item['text']) : undefined));
  if (texts.every((text) => text !== undefined)) return texts.join('\n');
  const parts = items.flatMap((item) =>
    isText(item) ? textPart(item) : (readFileForm(item) ?? []),
  );
  return parts.length === items.length ? toolOutput(parts) : jsonOf(content);
}

function readCall(item: Fields, place: string): Part {
  const named = fieldsOf(item['function'] ?? item['custom'] ?? item);
  const [id, name] = [stringOf(item['id']), stringOf(named['name'])];
  if (id === undefined || name === undefined) {
    throw invalidInput(place, 'a call with an id and the name of a function', item);
  }
  return { type: 'tool-call', id, name, input: inputOf(named['arguments'] ?? named['input']) };
}

function inputOf(input: unknown): JsonValue {
  if (typeof input !== 'string') return jsonOf(input ?? {});
  return readToolInput(input)?.value ?? input;
}

function isText({ type, text }: Fields): boolean {
  return typeof text === 'string' && /^(?:input_|output_)?text$/.test(stringOf(type) ?? '');
}

function textPart({ text }: Fields): { readonly type: 'text'; readonly text: string } {
  return { type: 'text', text: stringOf(text) ?? '' };
}

function isToolResult(item: unknown): boolean {
  const { type } = fieldsOf(item);
  return type === 'tool-result' || type === 'tool_result';
}

/** One item of content. */
function readItem(item: unknown, reading: Reading): Part {
  if (typeof item === 'string') return { type: 'text', text: item };
  const fields = fieldsOf(item);
  const part = partOf(fields, reading);
  if (part === undefined) {
    throw invalidInput(reading.place, 'a string, a file, a call of a tool or its result', item);
  }
  const meta = part.meta ?? metaIn(fields);
  return meta ? { ...part, meta } : part;
}

function partOf(item: Fields, { before }: Reading): Part | undefined {
  const type = stringOf(item['type']) ?? '';
  if (isText(item)) return withCitations(item);
  switch (type) {
    case 'refusal':
      return { type: 'text', text: stringOf(item['refusal']) ?? '' };
    case 'reasoning':
      return { type: 'reasoning', text: stringOf(item['text']) ?? '' };
    case 'thinking':
      return {
        type: 'reasoning',
        text: stringOf(item['thinking']) ?? '',
        meta: { anthropic: { signature: stringOf(item['signature']) ?? '' } },
      };
    case 'redacted_thinking':
      return {
        type: 'reasoning',
        text: '',
        meta: { anthropic: { redactedData: stringOf(item['data']) ?? '' } },
      };
    case 'tool-call':
    case 'tool_use': {
      const [id, name] = [textAt(item, 'toolCallId', 'id'), textAt(item, 'toolName', 'name')];
      if (id === undefined || name === undefined) return undefined;
      return { type: 'tool-call', id, name, input: inputOf(item['input'] ?? item['args']) };
    }
    case 'tool-result':
    case 'tool_result':
      return resultOf(item, before);
    default:
      if (isFileForm(item)) return readFileForm(item);
      // Blocks of tools that Anthropic's server ran are sent back unchanged.
      return /^\w+_tool_(?:use|result)$/.test(type)
        ? { type: 'text', text: '', meta: { anthropic: { block: jsonOf(item) } } }
        : undefined;
  }
}

function withCitations(item: Fields): Part {
  const { citations } = item;
  const cited = Array.isArray(citations) && citations.length > 0;
  if (!cited) return textPart(item);
  const meta = metaIn(item);
  return {
    ...textPart(item),
    meta: { ...meta, anthropic: { ...meta?.['anthropic'], citations: jsonOf(citations) } },
  };
}

function resultOf(item: Fields, before: readonly Message[]): ToolResultPart | undefined {
  const id = textAt(item, 'toolCallId', 'tool_use_id', 'id');
  if (id === undefined) return undefined;
  const name = textAt(item, 'toolName', 'name') ?? nameOfCall(id, before);
  const { output = item['result'] ?? item['content'] ?? null } = item;
  return { type: 'tool-result', id, name, ...readOutput(output), ...errorMark(item) };
}

/** Reads the output of a tool. The AI SDK wraps it and adds its kind; other SDKs pass it unwrapped. */
export function readOutput(output: unknown): Pick<ToolResultPart, 'output' | 'isError'> {
  const { type, value, reason } = fieldsOf(output);
  switch (type) {
    case 'text':
    case 'json':
      return value === undefined ? { output: outputOf(output) } : { output: jsonOf(value) };
    case 'error-text':
    case 'error-json':
      return { output: jsonOf(value ?? null), isError: true };
    case 'execution-denied':
      return { output: stringOf(reason) ?? 'the user did not allow the call', isError: true };
    case 'content':
      return { output: outputOf(value) };
    default:
      return { output: outputOf(output) };
  }
}

function errorMark(item: Fields): { isError?: true } {
  return item['is_error'] === true || item['isError'] === true ? { isError: true } : {};
}

/** Settings of providers on a message or an item: those of the AI SDK, and Anthropic's marks for its cache. */
function metaIn(item: Fields): ProviderMeta | undefined {
  const { providerOptions, providerMetadata, cache_control: mark } = item;
  const own = providerOptions ?? providerMetadata;
  const known = isProviderMeta(own) ? own : undefined;
  if (!isRecord(mark)) return known;
  const cacheControl: JsonObject = isJsonObject(mark) ? mark : {};
  return { ...known, anthropic: { ...known?.['anthropic'], cacheControl } };
}

function isProviderMeta(value: unknown): value is ProviderMeta {
  return isRecord(value) && Object.values(value).every((own) => isRecord(own));
}

/** Returns the error of a request that cannot be read: where, what it must be, what it is, and a line that is right. */
export function invalidInput(place: string, expected: string, value: unknown): LLMError {
  const message =
    `${place}: expected ${expected}, got ${shown(value)}; write ` +
    "{ role: 'user', parts: [{ type: 'text', text: '…' }] } or { role: 'user', content: '…' }";
  return new LLMError('invalid_request', message, { context: { place } });
}

/** Returns a value as its keys and texts, cut. */
function shown(value: unknown): string {
  const json: string | undefined = JSON.stringify(value, (_key, inner: unknown) =>
    inner instanceof Uint8Array ? `[${inner.byteLength} bytes]` : inner,
  );
  const text = json ?? typeof value;
  return text.length > 120 ? `${text.slice(0, 119).toWellFormed()}…` : text;
}
