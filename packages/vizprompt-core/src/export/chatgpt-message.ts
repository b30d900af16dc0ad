import {
  isJsonObject,
  defined,
  type JsonObject,
  type JsonValue,
  type Role,
} from '@vizprompt/providers';
import type { MessagePart } from '../import/conversation.ts';
import type { NodeMessage } from './node-messages.ts';

/** A message of ChatGPT, but for its place in the tree. */
export interface ChatGptMessage {
  /** Its id, where it must have that very one. */
  readonly id?: string;
  readonly author: { readonly role: Role; readonly name: string | null; readonly metadata: object };
  readonly create_time: number | null;
  readonly content: JsonObject;
  readonly status: 'finished_successfully';
  readonly weight: 1;
  readonly metadata: JsonObject;
  readonly recipient: string;
}

/** A message in ChatGPT's form, which knows one kind of content a message: often several. */
export function toChatGpt(message: NodeMessage, model: string | undefined): ChatGptMessage[] {
  if (message.role === 'user') return [toUser(message)];
  const made: ChatGptMessage[] = [];
  let run: MessagePart[] = [];
  const end = (): void => {
    if (run.length > 0) made.push(...toContent(message, run, model));
    run = [];
  };
  for (const part of message.parts) {
    const [first] = run;
    if (first && kindOf(first) !== kindOf(part)) end();
    run.push(part);
  }
  end();
  return made;
}

/** Parts of the same kind share a message. */
function kindOf(part: MessagePart): unknown {
  if (part.type === 'reasoning') return 'reasoning';
  return part.type === 'file' || (part.type === 'text' && !part.meta) ? 'content' : part;
}

function toContent(
  message: NodeMessage,
  parts: readonly MessagePart[],
  model: string | undefined,
): ChatGptMessage[] {
  const [part] = parts;
  const metadata = defined({ model_slug: message.role === 'assistant' ? model : undefined });
  const shared = { message, metadata };
  if (part?.type === 'reasoning') {
    return [
      make({ ...shared, content: { content_type: 'thoughts', thoughts: parts.map(thought) } }),
    ];
  }
  if (part?.type === 'tool-call') {
    const content = contentOf(part.input, 'code');
    return [{ ...make({ ...shared, content, recipient: part.tool || 'tool' }), ...idOf(part) }];
  }
  if (part?.type === 'tool-result' && message.role !== 'system') {
    const name = message.name ?? part.tool;
    const author = { role: 'tool' as const, name: name || null, metadata: {} };
    return [{ ...make({ ...shared, content: contentOf(part.output, 'text') }), author }];
  }
  if (part?.type === 'data') return [make({ ...shared, content: wrapped(part) })];
  if (part?.type === 'tool-result') {
    return [make({ ...shared, content: contentOf(part.output, 'text') })];
  }
  if (part?.type === 'text' && typeof part.meta?.['code'] === 'string') {
    const content = { content_type: 'code', language: part.meta['code'], text: part.text };
    return [make({ ...shared, content })];
  }
  const { content, attachments } = multimodal(parts);
  return [make({ ...shared, content, metadata: { ...metadata, ...attachments } })];
}

function toUser(message: NodeMessage): ChatGptMessage {
  const { content, attachments } = multimodal(message.parts);
  return make({ message, content, metadata: attachments });
}

function make({
  message,
  content,
  metadata,
  recipient = 'all',
}: {
  readonly message: NodeMessage;
  readonly content: JsonObject;
  readonly metadata: JsonObject;
  readonly recipient?: string;
}): ChatGptMessage {
  return {
    author: { role: message.role, name: message.name ?? null, metadata: {} },
    create_time: message.time === undefined ? null : secondsOf(message.time),
    content,
    status: 'finished_successfully',
    weight: 1,
    metadata,
    recipient,
  };
}

function idOf({ id }: { readonly id: string }): { readonly id?: string } {
  return id === '' ? {} : { id };
}

/** Texts and files as one content; files that are only attached stand in the metadata. */
function multimodal(parts: readonly MessagePart[]): {
  readonly content: JsonObject;
  readonly attachments: JsonObject;
} {
  const isAttached = (part: MessagePart): part is MessagePart & { readonly meta: JsonObject } =>
    part.type === 'file' &&
    typeof part.meta?.['id'] === 'string' &&
    !('asset_pointer' in part.meta);
  const pieces = parts.filter((part) => !isAttached(part)).map(toPiece);
  const attached = parts.filter(isAttached).map(({ meta }) => meta);
  const isPlain = pieces.length === 0 || (pieces.length === 1 && typeof pieces[0] === 'string');
  return {
    content: isPlain
      ? { content_type: 'text', parts: pieces.length > 0 ? pieces : [''] }
      : { content_type: 'multimodal_text', parts: pieces },
    attachments: attached.length > 0 ? { attachments: attached } : {},
  };
}

function toPiece(part: MessagePart): JsonValue {
  if (part.type === 'text') return part.text;
  if (part.type === 'data') return wrapped(part);
  if (part.type !== 'file') return { content_type: `vizprompt_${part.type}`, ...part };
  if (part.meta && 'asset_pointer' in part.meta) return part.meta;
  const { uri, path, size, mediaType, fileName } = part;
  const details = { size_bytes: size, mime_type: mediaType, name: fileName };
  return {
    content_type: 'image_asset_pointer',
    asset_pointer: uri ?? path ?? '',
    ...defined(details),
  };
}

/** Content that was kept as it came, or is marked as what it is. */
function wrapped({ kind, value }: Extract<MessagePart, { readonly type: 'data' }>): JsonObject {
  if (isJsonObject(value) && typeof value['content_type'] === 'string') return value;
  return { content_type: `vizprompt_${kind}`, value };
}

/** What a tool was given or gave back. */
function contentOf(value: JsonValue, kind: 'code' | 'text'): JsonObject {
  if (isJsonObject(value) && typeof value['content_type'] === 'string') return value;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const language = typeof value === 'string' ? 'unknown' : 'json';
  return kind === 'code'
    ? { content_type: 'code', language, text }
    : { content_type: 'text', parts: [text] };
}

function thought(part: MessagePart): JsonObject {
  const text = part.type === 'reasoning' ? part.text : '';
  const { meta = {} } = part;
  const isTheirs = typeof meta['summary'] === 'string' && typeof meta['content'] === 'string';
  return isTheirs ? meta : { summary: '', content: text, ...(part.meta ? { meta } : {}) };
}

/** Seconds since 1970, to the microsecond. */
export function secondsOf(time: string): number | null {
  const milliseconds = Date.parse(time);
  if (Number.isNaN(milliseconds)) return null;
  const [, digits = '0'] = /[.,](\d+)/.exec(time) ?? [];
  return Math.floor(milliseconds / 1000) + Number(`0.${digits.slice(0, 6)}`);
}
