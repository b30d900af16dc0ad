import { isJsonObject, type JsonObject, type JsonValue } from '@vizprompt/providers';
import { objectAt, objectOf, textAt } from '../fields.ts';
import { textHash } from '../keys.ts';

/** The blocks of a message, of which text may stand alone. */
export function blocksOf(message: JsonObject): readonly JsonObject[] {
  const { content } = message;
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  if (!Array.isArray(content)) return [];
  return (content as readonly JsonValue[]).map((block) =>
    isJsonObject(block) ? block : { type: 'text', text: typeof block === 'string' ? block : '' },
  );
}

/** A picture or document without its bytes: its form, size and hash. */
export function describedMedia(block: JsonObject): JsonObject {
  const source = objectAt(block, 'source');
  const data = textAt(source, 'data');
  if (data === undefined) return block;
  const { data: _data, ...rest } = source;
  return { ...block, source: { ...rest, characters: data.length, sha256_32: textHash(data) } };
}

/** Whether a block is a picture or document. */
export function isMedia({ type }: JsonObject): boolean {
  return type === 'image' || type === 'document';
}

/** The content of a tool's result: its text, or its blocks where they are more than text. */
export function resultContent(block: JsonObject): JsonValue {
  const { content } = block;
  if (!Array.isArray(content)) return content ?? '';
  const blocks = (content as readonly JsonValue[]).filter(isJsonObject);
  if (blocks.every(({ type }) => type === 'text')) {
    return blocks.map((part) => textAt(part, 'text') ?? '').join('\n');
  }
  return blocks.map((part) => (isMedia(part) ? describedMedia(part) : part));
}

/** A value without the bytes of pictures, wherever they stand in it. */
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
