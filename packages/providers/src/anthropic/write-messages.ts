import { createHash } from 'node:crypto';
import type { Anthropic } from '@anthropic-ai/sdk';
import { fileAt, imageTypeOf } from '../adapter-kit/media.ts';
import {
  isProviderExecuted,
  mention,
  toolContent,
  toolOutputText,
} from '../adapter-kit/tool-content.ts';
import { base64Of } from '../adapter-kit/wire.ts';
import { stringOf } from '../json/fields.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/json-value.ts';
import { LLMError } from '../models/llm-error.ts';
import type {
  FilePart,
  Message,
  Part,
  ProviderMeta,
  ReasoningPart,
  TextPart,
  ToolCallPart,
  ToolResultPart,
} from '../models/message.ts';
import type { ChatRequest } from '../models/request.ts';

/** A block of content, as it is sent. */
export type WireBlock = JsonObject;

/** One message, as it is sent. */
interface WireMessage {
  readonly role: 'user' | 'assistant';
  readonly content: readonly WireBlock[];
}

/** Messages in the form of the Messages API. */
export interface WrittenMessages {
  /** The system prompt. */
  readonly system: readonly WireBlock[];
  readonly messages: readonly WireMessage[];
}

/**
 * Writes messages for the Messages API: what the system says goes first, and messages of one side that follow each other
 * become one, with the results of tools before all else.
 *
 * @param hasThoughts - `false`: thoughts of earlier turns are left out.
 * @throws LLMError with the code `unsupported` for a file that the API has no place for.
 */
export function writeMessages(messages: readonly Message[], hasThoughts: boolean): WrittenMessages {
  const system: WireBlock[] = [];
  const written: { role: WireMessage['role']; content: WireBlock[] }[] = [];
  for (const message of messages) {
    const parts = message.role === 'assistant' ? withoutForeignRuns(message.parts) : message.parts;
    const blocks = marked(
      parts.flatMap((part) => writePart(part, hasThoughts)),
      message.meta,
    );
    if (message.role === 'system') {
      system.push(...blocks);
      continue;
    }
    const role = message.role === 'assistant' ? 'assistant' : 'user';
    const last = written.at(-1);
    if (last?.role === role) last.content.push(...blocks);
    else if (blocks.length > 0) written.push({ role, content: blocks });
  }
  return { system, messages: written.map((message) => inOrder(message)) };
}

/** Results must come first; an answer that the model is to continue must not end in white space. */
function inOrder({ role, content }: WireMessage): WireMessage {
  if (role === 'user') {
    const isResult = (block: WireBlock): boolean => block['type'] === 'tool_result';
    return {
      role,
      content: [...content.filter(isResult), ...content.filter((each) => !isResult(each))],
    };
  }
  const last = content.at(-1);
  const text = stringOf(last?.['text']);
  if (!last || text === undefined || text === text.trimEnd()) return { role, content };
  const trimmed = text.trimEnd();
  const rest = content.slice(0, -1);
  return { role, content: trimmed === '' ? rest : [...rest, { ...last, text: trimmed }] };
}

/** Removes tool runs of other providers, which have call and result in one answer: the API cannot represent them. */
function withoutForeignRuns(parts: readonly Part[]): readonly Part[] {
  return parts.filter(
    (part) => !isProviderExecuted(part) || isJsonObject(part.meta?.['anthropic']?.['block']),
  );
}

function writePart(part: Part, hasThoughts: boolean): WireBlock[] {
  const own = part.meta?.['anthropic'];
  // Blocks that the server created are sent back unchanged.
  if (isJsonObject(own?.['block'])) return [own['block']];
  switch (part.type) {
    case 'text':
      return writeText(part);
    case 'reasoning':
      return hasThoughts ? writeThought(part) : [];
    case 'file':
      return [{ ...fileBlock(part), ...cacheMark(part.meta) }];
    case 'tool-call':
      return [writeCall(part)];
    case 'tool-result':
      return [writeResult(part)];
    default:
      return [];
  }
}

/** An empty text is refused. */
function writeText({ text, meta }: TextPart): WireBlock[] {
  if (text === '') return [];
  const citations = meta?.['anthropic']?.['citations'];
  const cited = citations === undefined ? {} : { citations };
  return [{ type: 'text', text, ...cited, ...cacheMark(meta) }];
}

/** Returns the blocks of a thought; thoughts of other providers have no meaning there and give none. */
function writeThought({ text, meta }: ReasoningPart): WireBlock[] {
  const { redactedData: data, signature } = meta?.['anthropic'] ?? {};
  if (typeof data === 'string') return [{ type: 'redacted_thinking', data }];
  return typeof signature === 'string' ? [{ type: 'thinking', thinking: text, signature }] : [];
}

function writeCall({ id, name, input, meta }: ToolCallPart): WireBlock {
  const { caller, toolset_name: toolset } = meta?.['anthropic'] ?? {};
  return {
    type: 'tool_use',
    id: safeToolId(id),
    name: safeToolName(name),
    input: isJsonObject(input) ? input : { value: input },
    ...(caller === undefined ? {} : { caller }),
    ...(toolset === undefined ? {} : { toolset_name: toolset }),
    ...cacheMark(meta),
  };
}

function writeResult(part: ToolResultPart): WireBlock {
  const { id, isError = false, meta } = part;
  return {
    type: 'tool_result',
    tool_use_id: safeToolId(id),
    content: resultContent(part),
    ...(isError ? { is_error: true } : {}),
    ...cacheMark(meta),
  };
}

/** An error may have texts only. */
function resultContent({ isError, ...part }: ToolResultPart): JsonValue {
  const parts = toolContent(part.output);
  if (isError || parts.every(({ type }) => type === 'text')) return toolOutputText(part);
  return parts.flatMap((each) => (each.type === 'text' ? writeText(each) : resultFile(each)));
}

/** A file that the API has no place for is only named. */
function resultFile(file: FilePart): WireBlock[] {
  const { mediaType, data } = file;
  const isShown =
    mediaType.startsWith('image/') ||
    mediaType === 'application/pdf' ||
    (isText(mediaType) && data instanceof Uint8Array);
  return isShown ? [fileBlock(file)] : writeText({ type: 'text', text: mention(file) });
}

/** Source: the types `Base64ImageSource`, `Base64PDFSource`, `PlainTextSource` and the sources by address and file id. */
function fileBlock(file: FilePart): WireBlock {
  const { mediaType, name, meta, data } = held(file);
  const own = meta?.['anthropic'] ?? {};
  const fileId = stringOf(own['fileId'] ?? own['file_id']);
  const bytes = base64Of({ ...file, data });
  const url = data instanceof URL ? data.href : '';
  const byId = fileId === undefined ? undefined : { type: 'file', file_id: fileId };
  if (mediaType.startsWith('image/')) {
    const type = IMAGES.has(mediaType) ? mediaType : imageTypeOf(bytes ?? '');
    const source =
      bytes === undefined
        ? { type: 'url', url }
        : { type: 'base64', media_type: type, data: bytes };
    return { type: 'image', source: byId ?? source };
  }
  const about = {
    ...(name === undefined ? {} : { title: name }),
    ...(isJsonObject(own['citations']) ? { citations: own['citations'] } : {}),
    ...(typeof own['context'] === 'string' ? { context: own['context'] } : {}),
  };
  if (byId) return { type: 'document', source: byId, ...about };
  if (mediaType === 'application/pdf') {
    const source =
      bytes === undefined
        ? { type: 'url', url }
        : { type: 'base64', media_type: mediaType, data: bytes };
    return { type: 'document', source, ...about };
  }
  if (isText(mediaType) && data instanceof Uint8Array) {
    const text = new TextDecoder().decode(data);
    return {
      type: 'document',
      source: { type: 'text', media_type: 'text/plain', data: text },
      ...about,
    };
  }
  const what =
    bytes === undefined
      ? `the address of a file of type ${mediaType}`
      : `a file of type ${mediaType}`;
  throw new LLMError('unsupported', `the Messages API reads images, PDF and text, not ${what}`);
}

const IMAGES: ReadonlySet<string> = new Set<Anthropic.Base64ImageSource['media_type']>([
  'image/jpeg',
  'image/png',
  'image/gif',
  'image/webp',
]);

function isText(mediaType: string): boolean {
  return /^text\/|^application\/(?:[\w.-]+\+)?(?:json|xml|yaml|javascript)\b/.test(mediaType);
}

/** An address that holds the bytes is not one for the API. */
function held(file: FilePart): FilePart {
  if (!(file.data instanceof URL) || file.data.protocol !== 'data:') return file;
  return { ...file, ...fileAt(file.data.href, file.mediaType, file.meta) };
}

/** Returns a mark up to which the prompt is cached, in the spelling of the API or of the AI SDK; to be spread. */
function cacheMark(meta: ProviderMeta | undefined): { cache_control?: JsonObject } {
  const { cacheControl, cache_control: mark = cacheControl } = meta?.['anthropic'] ?? {};
  return isJsonObject(mark) ? { cache_control: mark } : {};
}

/** A mark on a message is one on its last block. */
function marked(blocks: WireBlock[], meta: ProviderMeta | undefined): WireBlock[] {
  const mark = cacheMark(meta);
  const at = blocks.findLastIndex(
    ({ type }) => type !== 'thinking' && type !== 'redacted_thinking',
  );
  if (mark.cache_control === undefined || at < 0) return blocks;
  return blocks.map((block, index) => (index === at ? { ...block, ...mark } : block));
}

/** Names of tools as the API takes them: Latin letters, digits, `_` and `-`. */
const SAFE = /^[a-zA-Z0-9_-]{1,64}$/;

/** Returns the name of a tool as the API takes it: the same for the same name, and another for another. */
export function safeToolName(name: string): string {
  if (SAFE.test(name)) return name;
  const readable = name.replace(/[^a-zA-Z0-9_-]+/g, '_').slice(0, 48);
  return `${readable}_${digestOf(name, 12)}`;
}

/** Returns the id of a call, which another server may have made, as the API takes it. */
function safeToolId(id: string): string {
  return /^[a-zA-Z0-9_-]+$/.test(id) ? id : `toolu_${digestOf(id, 24)}`;
}

/** Returns a function that gives a tool its name back. */
export function toolNames({
  tools = [],
}: Pick<ChatRequest, 'tools'>): (wireName: string) => string {
  const names = new Map(tools.map(({ name }) => [safeToolName(name), name]));
  return (wireName) => names.get(wireName) ?? wireName;
}

function digestOf(text: string, length: number): string {
  return createHash('sha256').update(text).digest('hex').slice(0, length);
}
