import { Buffer } from 'node:buffer';
import { fieldsOf, stringOf, textAt } from '../json/fields.ts';
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
