import type { JsonObject, JsonValue } from '@vizprompt/providers';
import { isJsonObject, objectOf, textAt } from '@vizprompt/providers/internal';
import { textHash } from '@vizprompt/providers/transcripts/internal';

/** Describes a picture or document without its bytes: its form, size and hash. */
export function describedMedia(block: JsonObject): JsonObject {
  return objectOf(withoutMedia(block));
}

/** Returns the output of a tool: its text, or its blocks where they are more than text. */
export function shownOutput(output: JsonValue): JsonValue {
  if (!Array.isArray(output)) return output;
  const blocks = (output as readonly JsonValue[]).filter(isJsonObject);
  if (blocks.every(({ type }) => typeof type === 'string' && TEXT_TYPES.has(type))) {
    return blocks.map((part) => textAt(part, 'text') ?? '').join('\n');
  }
  return blocks;
}

const TEXT_TYPES: ReadonlySet<string> = new Set(['text', 'input_text', 'output_text']);

/** No value of a transcript is deeper. */
const MAX_DEPTH = 100;

/** Returns a value without the bytes of pictures, sounds and documents, wherever they are in it. */
export function withoutMedia(value: JsonValue, depth = 0): JsonValue {
  if (typeof value === 'string') return textWithoutMedia(value);
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return value;
  if (Array.isArray(value)) {
    const items = (value as readonly JsonValue[]).map((item) => withoutMedia(item, depth + 1));
    return items.every((item, at) => item === value[at]) ? value : items;
  }
  const object = objectOf(value);
  let isSame = true;
  const fields = Object.entries(object).flatMap(([name, field]): [string, JsonValue][] => {
    const kept = withoutMedia(field, depth + 1);
    if (kept === field && !(typeof field === 'string' && isBytes(field, object, name))) {
      return [[name, field]];
    }
    isSame = false;
    // The fields of the block say of which form it is.
    return typeof field === 'string' && isBase64(field) ? bytesOf(field) : [[name, kept]];
  });
  return isSame ? value : Object.fromEntries(fields);
}

/** Shorter strings are kept: no picture that says anything is smaller. */
const LEAST = 256;
const DATA_URL =
  /data:([a-z][a-z]*\/[\w.+-][\w.+-]*)(?:;[\w=.-][\w=.-]*){0,20};base64,([A-Za-z0-9+/_-]{256}[A-Za-z0-9+/_-]*={0,2})/g;
const BASE64 = /^[A-Za-z0-9+/_-][A-Za-z0-9+/_-]*={0,2}$/;

/** Prefixes of the base64 of binary files, by type. */
const MAGIC: readonly (readonly [type: string, head: RegExp])[] = [
  ['image/png', /^iVBORw0KGg[o-r]/],
  ['image/jpeg', /^\/9j\//],
  ['image/gif', /^R0lGOD[dl]h/],
  ['image/webp', /^UklGR.{6}XRUJQ/],
  ['image/bmp', /^Qk[0-3]/],
  ['image/tiff', /^(?:SUkqA|TU0AK)/],
  ['image/heic', /^AAAA..Z0eXBoZWl/],
  ['image/avif', /^AAAA..Z0eXBhdml/],
  ['application/pdf', /^JVBERi0/],
  ['application/zip', /^UEsDB/],
  ['audio/mpeg', /^(?:SUQz|\/\/[stuv]|\/[/+][NOPQRSTU])/],
  ['audio/wav', /^UklGR.{6}XQVZF/],
  ['audio/ogg', /^T2dnU/],
  ['video/mp4', /^AAAA..Z0eXB/],
  ['video/webm', /^GkXfo/],
];

function textWithoutMedia(text: string): string {
  if (text.length < LEAST) return text;
  const told = text.includes(';base64,')
    ? text.replace(DATA_URL, (_all, type: string, data: string) => shown(type, data))
    : text;
  const type = typeOf(told);
  if (type !== undefined) return shown(type, told);
  return HEADS.some((head) => told.includes(head))
    ? told.replace(INSIDE, (data) => shown(typeOf(data) ?? '', data))
    : told;
}

/** Beginnings of the base64 of files that tools print in texts of their own, such as a screenshot in JSON. */
const HEADS: readonly string[] = ['iVBORw0KGg', '/9j/', 'R0lGOD', 'JVBERi0'];
const INSIDE =
  /(?<![A-Za-z0-9+/])(?:iVBORw0KGg[o-r]|\/9j\/[24]|R0lGOD[dl]h|JVBERi0)[A-Za-z0-9+/]{256}[A-Za-z0-9+/]*={0,2}/g;

/** Returns the type of a file that is written as base64 and nothing else. */
function typeOf(text: string): string | undefined {
  const [type] = MAGIC.find(([, head]) => head.test(text)) ?? [];
  return type !== undefined && isBase64(text) ? type : undefined;
}

function isBase64(text: string): boolean {
  return text.length >= LEAST && BASE64.test(text.replaceAll(/[\r\n][\r\n]*/g, ''));
}

/** Checks whether a field contains bytes: another field of the object names base64 or a binary type. */
function isBytes(text: string, object: JsonObject, name: string): boolean {
  if (!/^(?:data|base64|bytes|blob|content)$/i.test(name) || !isBase64(text)) return false;
  const named = textAt(object, 'media_type', 'mediaType', 'mimeType', 'mime_type', 'type') ?? '';
  return /^(?:image|audio|video|application|font|model)\//.test(named) || named === 'base64';
}

function bytesOf(text: string): [string, JsonValue][] {
  return [
    ['characters', text.length],
    ['sha256_32', textHash(text)],
  ];
}

function shown(type: string, data: string): string {
  return `[${type}, ${Buffer.byteLength(data, 'base64')} bytes, sha256 ${textHash(data)}]`;
}
