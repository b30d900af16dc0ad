import { Buffer } from 'node:buffer';
import { type Fields, fieldsOf, isRecord, stringOf, textAt } from '../json/fields.ts';
import type { FilePart, ProviderMeta } from '../models/message.ts';

/** Returns a file of an answer that is an address: bytes where the address holds them (RFC 2397). */
export function fileAt(url: string, mediaType: string, meta?: ProviderMeta): FilePart | undefined {
  const more = meta ? { meta } : {};
  const [, type, isBase64, data] =
    /^data:([^;,]*)(?:;[^;,][^;,]*?)*?(;base64)?,(.*)$/s.exec(url) ?? [];
  if (data !== undefined) {
    const bytes = isBase64 ? Buffer.from(data, 'base64') : Buffer.from(decodeURIComponent(data));
    return { type: 'file', mediaType: type || mediaType, data: bytes, ...more };
  }
  return URL.canParse(url) ? { type: 'file', mediaType, data: new URL(url), ...more } : undefined;
}

/** Returns a file of an answer in base64. */
export function fileOf(base64: string, mediaType: string, meta?: ProviderMeta): FilePart {
  return {
    type: 'file',
    mediaType,
    data: Buffer.from(base64, 'base64'),
    ...(meta ? { meta } : {}),
  };
}

/**
 * Returns a picture in the forms that servers send: an address, `{ image_url: { url } }`, `{ url }`, `{ b64_json }`, or
 * base64 alone.
 */
export function pictureOf(value: unknown): FilePart | undefined {
  if (typeof value === 'string') {
    return /^(?:data|https?):/.test(value)
      ? fileAt(value, 'image/*')
      : fileOf(value, imageTypeOf(value));
  }
  const fields = fieldsOf(value);
  const inner = ['image_url', 'image', 'output_image', 'inline_data', 'inlineData', 'source']
    .map((key) => fields[key])
    .find((each) => each !== undefined && each !== null);
  if (inner !== undefined) return pictureOf(inner);
  const base64 = textAt(fields, 'b64_json', 'base64', 'data');
  const type = textAt(fields, 'media_type', 'mime_type', 'mimeType');
  if (base64 !== undefined && !base64.startsWith('data:'))
    return fileOf(base64, type ?? imageTypeOf(base64));
  const url = base64 ?? stringOf(fields['url']);
  return url === undefined ? undefined : pictureOf(url);
}

/** Beginnings of files, in base64. */
const IMAGES: readonly (readonly [start: string, type: string])[] = [
  ['iVBOR', 'image/png'],
  ['/9j/', 'image/jpeg'],
  ['R0lGOD', 'image/gif'],
  ['UklGR', 'image/webp'],
];

const SOUNDS: readonly (readonly [start: string, type: string])[] = [
  ['UklGR', 'audio/wav'],
  ['SUQz', 'audio/mpeg'],
  ['//v', 'audio/mpeg'],
  ['//N', 'audio/mpeg'],
  ['T2dnU', 'audio/ogg'],
  ['ZkxhQ', 'audio/flac'],
];

/** Returns the media type of a picture in base64. */
export function imageTypeOf(base64: string): string {
  return IMAGES.find(([start]) => base64.startsWith(start))?.[1] ?? 'image/png';
}

/** Returns the media type of sound in base64; what has no header is raw (16 bits, 24 kHz, as OpenAI streams it). */
export function soundType(base64: string): string {
  return SOUNDS.find(([start]) => base64.startsWith(start))?.[1] ?? 'audio/pcm';
}

/** Types of content that are files, in the forms of the world. */
const FILE_TYPES: ReadonlySet<unknown> = new Set([
  // MCP, Anthropic, this SDK
  'image',
  'audio',
  'document',
  'file',
  // OpenAI
  'image_url',
  'input_image',
  'input_file',
  'input_audio',
  'output_image',
  // AI SDK
  'media',
  'image-data',
  'image-url',
  'file-data',
  'file-url',
]);

/** Checks whether an item of content is of a type that files have. */
export function isFileForm({ type }: Fields): boolean {
  return FILE_TYPES.has(type);
}

/**
 * Checks whether an item that is of a type that files have is surely one: data has the words `image` and `file`, too, and
 * neither a media type nor a `source`.
 */
export function isSurelyFile(item: Fields): boolean {
  const isPlain = /^(?:image|audio|document|file)$/.test(stringOf(item['type']) ?? '');
  return !isPlain || mediaTypeOf(item) !== undefined || innerOf(item) !== undefined;
}

/** Reads the bytes or the address of a file, wherever its form has them; `undefined` if there are none. */
export function readFileForm(item: Fields): FilePart | undefined {
  const inner = innerOf(item);
  const fields = { ...item, ...inner };
  const content = contentOf(fields, inner);
  if (content === undefined) return undefined;
  const name = textAt(fields, 'filename', 'name', 'title');
  const more = name === undefined ? {} : { name };
  const known = mediaTypeOf(fields);
  if (content instanceof Uint8Array) {
    const type = known ?? typeOf(item, content);
    return { type: 'file', mediaType: type, data: content, ...more };
  }
  const type = known ?? typeOf(item, new Uint8Array());
  const file = isAddress(content) ? fileAt(content, type) : fileIfBase64(content, type);
  return file && { ...file, ...more };
}

/** Returns the object in which a form has the bytes or the address. */
function innerOf(item: Fields): Fields | undefined {
  const inner = ['source', 'image_url', 'input_audio', 'file', 'image', 'data']
    .map((key) => item[key])
    .find((value) => isRecord(value) && !isBinary(value) && !(value instanceof URL));
  return inner === undefined ? undefined : fieldsOf(inner);
}

const CONTENT_KEYS = ['data', 'image', 'file_data', 'blob', 'b64_json'];

function contentOf(fields: Fields, inner: Fields | undefined): Uint8Array | string | undefined {
  // A string in place of a file.
  if (inner?.['type'] === 'text') {
    const text = stringOf(inner['data'] ?? inner['text']);
    return text === undefined ? undefined : new TextEncoder().encode(text);
  }
  for (const key of CONTENT_KEYS) {
    const value = fields[key];
    if (isBinary(value)) return bytesOf(value);
    if (value instanceof URL) return value.href;
  }
  return textAt(fields, 'url', 'image_url', 'file_url', 'uri') ?? textAt(fields, ...CONTENT_KEYS);
}

function isBinary(value: unknown): value is Uint8Array | ArrayBuffer {
  return value instanceof Uint8Array || value instanceof ArrayBuffer;
}

function bytesOf(value: Uint8Array | ArrayBuffer): Uint8Array {
  return value instanceof Uint8Array ? value : new Uint8Array(value);
}

function isAddress(text: string): boolean {
  return /^(?:data|https?|gs|file):/.test(text);
}

function fileIfBase64(text: string, mediaType: string): FilePart | undefined {
  const isBase64 = text.length % 4 !== 1 && /^[A-Za-z0-9+/_-]*={0,2}$/.test(text);
  return isBase64 ? fileOf(text, mediaType) : undefined;
}

const DEFAULTS: Readonly<Record<string, string>> = {
  'image-url': 'image/png',
  audio: 'audio/wav',
  input_audio: 'audio/wav',
  document: 'application/pdf',
};

function typeOf(item: Fields, bytes: Uint8Array): string {
  const type = stringOf(item['type']) ?? '';
  if (type.includes('image'))
    return imageTypeOf(Buffer.from(bytes.subarray(0, 12)).toString('base64'));
  return DEFAULTS[type] ?? 'application/octet-stream';
}

function mediaTypeOf(item: Fields): string | undefined {
  const fields = { ...item, ...innerOf(item) };
  const named = textAt(fields, 'mediaType', 'mimeType', 'media_type', 'mime_type');
  const format = stringOf(fields['format']);
  return (
    named ?? (format === undefined ? undefined : `audio/${format === 'mp3' ? 'mpeg' : format}`)
  );
}
