import { base64Of, urlOf } from '../../adapter-kit/wire.ts';
import type { JsonObject } from '../../json/json-value.ts';
import type { FilePart } from '../../models/message.ts';

/** Writes a file as an item of content. */
export function fileContent(part: FilePart): JsonObject {
  const { mediaType, name = 'file', data } = part;
  if (mediaType.startsWith('image/')) {
    return { type: 'input_image', image_url: urlOf(part), detail: 'auto' };
  }
  const format = /^audio\/(?:x-)?(wav|mpeg|mp3)$/.exec(mediaType)?.[1];
  const bytes = base64Of(part);
  if (format !== undefined && bytes !== undefined) {
    const audio = { data: bytes, format: format === 'wav' ? 'wav' : 'mp3' };
    return { type: 'input_audio', input_audio: audio };
  }
  if (data instanceof URL) return { type: 'input_file', file_url: data.href };
  return { type: 'input_file', filename: name, file_data: urlOf(part) };
}
