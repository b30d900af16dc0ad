import type { JsonObject, JsonValue } from '@vizprompt/providers';
import { objectAt, objectOf, textAt, isJsonObject } from '@vizprompt/providers/internal';
import { textHash } from '@vizprompt/providers/transcripts/internal';

/** Describes a picture or document without its bytes: its form, size and hash. */
export function describedMedia(block: JsonObject): JsonObject {
  if (textAt(block, 'image_url')?.startsWith('data:') === true) {
    return { type: block['type'] ?? null, image_url: 'data:' };
  }
  const source = objectAt(block, 'source');
  const data = textAt(source, 'data');
  if (data === undefined) return block;
  const { data: _data, ...rest } = source;
  return { ...block, source: { ...rest, characters: data.length, sha256_32: textHash(data) } };
}

function isMedia({ type }: JsonObject): boolean {
  return type === 'image' || type === 'document';
}

/** Returns the output of a tool: its text, or its blocks where they are more than text. */
export function shownOutput(output: JsonValue): JsonValue {
  if (!Array.isArray(output)) return output;
  const blocks = (output as readonly JsonValue[]).filter(isJsonObject);
  if (blocks.every(({ type }) => type === 'text')) {
    return blocks.map((part) => textAt(part, 'text') ?? '').join('\n');
  }
  return blocks.map((part) => (isMedia(part) ? describedMedia(part) : part));
}

/** Returns a value without the bytes of pictures, wherever they are in it. */
export function withoutMedia(value: JsonValue, depth = 0): JsonValue {
  if (typeof value !== 'object' || value === null || depth > 4) return value;
  if (Array.isArray(value)) {
    return (value as readonly JsonValue[]).map((item) => withoutMedia(item, depth + 1));
  }
  const object = objectOf(value);
  if (isMedia(object) && 'source' in object) return describedMedia(object);
  const isImage = object['type'] === 'image' || object['isImage'] === true;
  if (!isImage) return value;
  return Object.fromEntries(
    Object.entries(object).map(([key, field]) => [key, shortened(field, depth)]),
  );
}

function shortened(field: JsonValue, depth: number): JsonValue {
  if (typeof field !== 'string' || field.length < 4096) return withoutMedia(field, depth + 1);
  return { characters: field.length, sha256_32: textHash(field) };
}
