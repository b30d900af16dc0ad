import type { JsonObject, JsonValue } from '@vizprompt/providers';
import { isJsonObject, omitUndefined as defined, type Role } from '@vizprompt/providers/internal';
import type { MessagePart } from './conversation.ts';
import { listAt, numberAt, objectAt, objectOf, textAt } from './fields.ts';

/** Reads the content of a message of ChatGPT. Unknown parts are kept as they are. */
export function readChatGptContent(message: JsonObject, role: Role): MessagePart[] {
  const value = message['content'];
  if (typeof value === 'string') return [{ type: 'text', text: value }];
  const content = Array.isArray(value)
    ? { content_type: 'multimodal_text', parts: value }
    : objectOf(value);
  const kind =
    textAt(content, 'content_type') ?? ('parts' in content ? 'multimodal_text' : 'unknown');
  const recipient = textAt(message, 'recipient') ?? 'all';
  const id = textAt(message, 'id') ?? '';
  if (role === 'tool') {
    // Pictures that a tool has made are files of their own, too.
    const files = listAt(content, 'parts').filter(isJsonObject).flatMap(readPiece);
    return [toolResult(message, content, kind), ...files.filter(({ type }) => type === 'file')];
  }
  if (role === 'assistant' && recipient !== 'all') {
    const input = kind === 'text' || kind === 'code' ? plainText(content) : content;
    return [{ type: 'tool-call', id, tool: recipient, input }];
  }
  switch (kind) {
    case 'text':
    case 'multimodal_text':
      return readText(content, kind);
    case 'code': {
      const meta = { code: textAt(content, 'language') ?? '' };
      return [{ type: 'text', text: plainText(content), meta }];
    }
    case 'thoughts':
      return 'thoughts' in content
        ? listAt(content, 'thoughts').map(readThought)
        : [{ type: 'reasoning', text: plainText(content) }];
    case 'reasoning_recap':
      return [{ type: 'reasoning', text: textAt(content, 'content') ?? '', meta: { recap: true } }];
    default:
      return [own(kind, content)];
  }
}

/** Data that VizPrompt has wrapped when it exported it, or that is not known. */
function own(kind: string, content: JsonObject): MessagePart {
  const [, wrapped] = /^vizprompt_(.+)$/s.exec(kind) ?? [];
  if (wrapped !== undefined && content['value'] !== undefined) {
    return { type: 'data', kind: wrapped, value: content['value'] };
  }
  return { type: 'data', kind, value: content };
}

/** Returns the pieces of a text; where all are strings, they are one. */
function readText(content: JsonObject, kind: string): MessagePart[] {
  const parts = listAt(content, 'parts');
  const isPlain = kind === 'text' && parts.every((part) => typeof part === 'string');
  if (isPlain || parts.length === 0) return [{ type: 'text', text: plainText(content) }];
  return parts.flatMap(readPiece);
}

function plainText(content: JsonObject): string {
  const text = textAt(content, 'text');
  if (text !== undefined) return text;
  return listAt(content, 'parts')
    .filter((part) => typeof part === 'string')
    .join('\n');
}

function toolResult(message: JsonObject, content: JsonObject, kind: string): MessagePart {
  const tool = textAt(objectAt(message, 'author'), 'name') ?? 'tool';
  const isText =
    kind === 'text' && listAt(content, 'parts').every((part) => typeof part === 'string');
  const output = isText ? plainText(content) : content;
  return { type: 'tool-result', id: textAt(message, 'id') ?? '', tool, output };
}

/** Pieces that are a text; without a type, it is one. */
const SPOKEN: ReadonlySet<string> = new Set(['audio_transcription', 'text', 'unknown']);

/** Files of a piece of content: what was heard and seen is named within the piece. */
const POINTERS = ['audio_asset_pointer', 'video_container_asset_pointer', 'image_asset_pointer'];

function readPiece(piece: JsonValue): MessagePart[] {
  if (typeof piece === 'string') return [{ type: 'text', text: piece }];
  if (!isJsonObject(piece)) return [{ type: 'data', kind: 'unknown', value: piece }];
  const kind = textAt(piece, 'content_type') ?? 'unknown';
  // A transcript of speech, or plain text.
  const text = textAt(piece, 'text');
  if (SPOKEN.has(kind) && text !== undefined) {
    return [
      {
        type: 'text',
        text,
        ...(kind === 'audio_transcription'
          ? { meta: { voice: textAt(piece, 'direction') ?? '' } }
          : {}),
      },
    ];
  }
  const pointers = POINTERS.map((key) => piece[key]).filter(isJsonObject);
  const files = [piece, ...pointers].flatMap((each): MessagePart[] => {
    const uri = textAt(each, 'asset_pointer');
    if (uri === undefined) return [];
    const details = {
      fileName: textAt(each, 'name'),
      mediaType: textAt(each, 'mime_type'),
      size: numberAt(each, 'size_bytes'),
    };
    const { asset_pointer: _, ...about } = piece;
    const meta = uri.startsWith('data:') ? about : pointers.length > 0 ? piece : each;
    return [{ type: 'file', uri, ...defined(details), meta }];
  });
  return files.length > 0 ? files.slice(0, 1) : [own(kind, piece)];
}

function readThought(thought: JsonValue): MessagePart {
  if (!isJsonObject(thought)) return { type: 'data', kind: 'thought', value: thought };
  const summary = textAt(thought, 'summary') ?? '';
  const text = textAt(thought, 'content') ?? '';
  return { type: 'reasoning', text: [summary, text].filter(Boolean).join('\n'), meta: thought };
}
