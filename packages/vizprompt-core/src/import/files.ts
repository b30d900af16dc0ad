import type { JsonObject, JsonValue } from '@vizprompt/providers';
import { isJsonObject, omitUndefined as defined } from '@vizprompt/providers/internal';
import type { MessagePart } from './conversation.ts';
import { firstOf, firstText, spelled, squash, type Spelled } from './fields.ts';

const URLS = ['url', 'uri', 'filepath', 'fileuri', 'fileurl', 'src', 'path', 'assetpointer'];
const IDS = ['fileid', 'fileuuid', 'id', 'uuid', 'storagekey'];
const NAMES = ['filename', 'name', 'originalfilename', 'originname', 'title'];
const TYPES = ['mimetype', 'mediatype', 'contenttype', 'filetype', 'type'];
const SIZES = ['size', 'sizebytes', 'bytes', 'filesize'];
/** The fields in which programs store the text of an attached file. */
const TEXTS = ['extractedcontent', 'extractedtext', 'content', 'text', 'filecontent'];
const DATA = ['data', 'filedata', 'base64', 'base64url', 'bytesbase64'];
const WRAPPERS = [
  'imageurl',
  'file',
  'inlinedata',
  'filedata',
  'source',
  'inputaudio',
  'image',
  'meta',
  'dataref',
  'inlinefile',
];

/**
 * Reads a file that belongs to a message, in any spelling. Text that was extracted from it, such as from a long
 * paste, follows it as text of the message.
 *
 * @param scheme - Names the files of a program that are known by an id only.
 */
export function readAttached(file: JsonValue, scheme?: string): MessagePart[] {
  if (typeof file === 'string') return [{ type: 'file', uri: dataUrlOf(file) ?? file }];
  if (!isJsonObject(file)) return [{ type: 'data', kind: 'file', value: file }];
  const outer = spelled(file);
  const inner = WRAPPERS.map((name) => outer.get(name)).filter(isJsonObject);
  // Open WebUI wraps the text of a file, and what kind it is, once more.
  const deeper = inner.flatMap((each) => ['data', 'meta'].map((name) => each[name]));
  const fields = spelled(file, ...inner, ...deeper.filter(isJsonObject));
  const plain = WRAPPERS.map((name) => outer.get(name)).find((value) => typeof value === 'string');
  const mediaType = mediaTypeIn(fields);
  const fileName = firstText(fields, NAMES);
  const text = textIn(fields);
  const uri = uriIn(fields, plain, mediaType, scheme);
  const part: MessagePart = {
    type: 'file',
    ...defined({ uri, fileName, mediaType, size: sizeIn(fields) }),
    ...metaOf(file, uri, text),
  };
  if (text === undefined) return [part];
  return [part, { type: 'text', text, meta: { attachment: fileName ?? '' } }];
}

/** The first characters of files in Base64, by media type. */
const BEGINNINGS: readonly (readonly [start: string, type: string])[] = [
  ['iVBORw0KGgo', 'image/png'],
  ['/9j/', 'image/jpeg'],
  ['R0lGOD', 'image/gif'],
  ['UklGR', 'image/webp'],
  ['JVBERi0', 'application/pdf'],
];

/** Returns the field of an object that holds a file by Base64, with the media type that is next to it. */
export function dataUrlIn(
  object: JsonObject,
): { readonly key: string; readonly url: string; readonly mediaType: string } | undefined {
  const mediaType = mediaTypeIn(spelled(object));
  if (mediaType === undefined || !/^(?:image|audio|video)\/|^application\/pdf$/.test(mediaType))
    return undefined;
  for (const [key, value] of Object.entries(object)) {
    const isData = typeof value === 'string' && value !== '' && DATA.includes(squash(key));
    if (isData && !value.startsWith('data:'))
      return { key, url: `data:${mediaType};base64,${value}`, mediaType };
  }
  return undefined;
}

/** Returns the `data:` URL of a file that is Base64 alone, as Ollama has images. */
export function dataUrlOf(text: string): string | undefined {
  const type = BEGINNINGS.find(([start]) => text.startsWith(start))?.[1];
  const isData = type !== undefined && text.length > 60 && /^[\w+/][\w+/]*={0,2}$/.test(text);
  return isData ? `data:${type};base64,${text}` : undefined;
}

/** Returns the text of an attached file; with base64 next to it, it would be its data. */
function textIn(fields: Spelled): string | undefined {
  const text = firstText(fields, TEXTS);
  if (text === undefined || text.trim() === '' || text.startsWith('data:')) return undefined;
  return text;
}

function mediaTypeIn(fields: Spelled): string | undefined {
  for (const name of TYPES) {
    const type = fields.get(name);
    if (typeof type === 'string' && (name !== 'type' || type.includes('/'))) return type;
  }
  return undefined;
}

function sizeIn(fields: Spelled): number | undefined {
  const size = firstOf(fields, SIZES);
  return typeof size === 'number' ? size : undefined;
}

function uriIn(
  fields: Spelled,
  plain: JsonValue | undefined,
  mediaType: string | undefined,
  scheme: string | undefined,
): string | undefined {
  if (typeof plain === 'string') return plain;
  const data = firstText(fields, DATA);
  if (data?.startsWith('data:')) return data;
  const url = firstText(fields, URLS);
  if (url !== undefined) return url;
  if (data !== undefined && mediaType !== undefined) return `data:${mediaType};base64,${data}`;
  const id = firstText(fields, IDS);
  if (id === undefined) return undefined;
  const isOpenAi = scheme === undefined && fields.has('fileid');
  return scheme === undefined && !isOpenAi ? id : `${scheme ?? 'openai-file'}:${id}`;
}

/** Returns the other fields of a file, without its data and its text. */
function metaOf(
  file: JsonObject,
  uri: string | undefined,
  text: string | undefined,
): { readonly meta?: JsonObject } {
  const isOwn = (value: JsonValue): boolean => {
    return typeof value !== 'string' || (value !== text && !isPartOf(uri, value));
  };
  const strip = (object: JsonObject): JsonObject =>
    Object.fromEntries(
      Object.entries(object)
        .filter(([, value]) => isOwn(value))
        .map(([key, value]) => [key, isJsonObject(value) ? strip(value) : value]),
    );
  const image = file['image_url'];
  if (isJsonObject(image)) {
    const { url: _, ...rest } = image;
    return Object.keys(rest).length > 0 ? { meta: rest } : {};
  }
  if (typeof image === 'string') return {};
  const meta = strip(file);
  return Object.keys(meta).length > 0 ? { meta } : {};
}

/** Checks whether a string is the data of an address: it is long, and not stored twice. */
function isPartOf(uri: string | undefined, value: string): boolean {
  return uri?.startsWith('data:') === true && value.length > 100 && uri.endsWith(value);
}
