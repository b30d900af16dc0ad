import type { FileStore, JsonValue } from '@vizprompt/providers';
import { isJsonObject } from '@vizprompt/providers/internal';
import { storeAttachment } from '../node/attachments.ts';
import type { NodeFilePart } from '../node/node.ts';
import type { Project } from '../project/project.ts';
import { storeDataUrl } from '../thread/data-urls.ts';
import type { ImportedConversation, ImportedMessage, MessagePart } from './conversation.ts';
import { dataUrlIn, dataUrlOf } from './files.ts';
import type { FileFinder } from './find-files.ts';
import { DamagedFile } from './zip-archive.ts';

/** Stores the files that a conversation contains, and those that it names and that are next to it, each once; those that are damaged stay out. */
export async function takeFiles(
  { files }: Project,
  conversation: ImportedConversation,
  find: FileFinder = async () => undefined,
  warn: (reason: string) => void = () => undefined,
): Promise<ImportedConversation> {
  const isHolder = (part: MessagePart): boolean => isNamed(part) || mayHoldBytes(part);
  const holds = conversation.messages.some(({ parts }) => parts.some(isHolder));
  if (!holds) return conversation;
  const taken = async (part: MessagePart): Promise<MessagePart> => {
    if (!isNamed(part)) return part;
    if (part.uri?.startsWith('data:') === true) return storeDataUrl(files, part);
    const found = await find(part.uri, part.fileName).catch((error: unknown) => {
      if (!(error instanceof DamagedFile)) throw error;
      warn(error.message);
      return undefined;
    });
    if (!found) return part;
    const fileName = part.fileName ?? found.name;
    const mediaType = part.mediaType ?? mediaTypeOf(fileName, found.data);
    const path = await storeAttachment(files, found.data);
    return {
      ...part,
      path,
      fileName,
      ...(mediaType === undefined ? {} : { mediaType }),
      size: found.data.length,
    };
  };
  const messages: ImportedMessage[] = [];
  for (const message of conversation.messages) {
    if (!message.parts.some(isHolder)) {
      messages.push(message);
      continue;
    }
    const parts: MessagePart[] = [];
    const within = new Set<MessagePart>();
    for (const part of message.parts) {
      if (!mayHoldBytes(part)) {
        parts.push(await taken(part));
        continue;
      }
      const { part: plain, held } = await withoutBytes(files, part);
      parts.push(plain, ...held);
      for (const each of held) within.add(each);
    }
    messages.push({ ...message, parts: withoutCopies(parts, within) });
  }
  return { ...conversation, messages };
}

/** Leaves out files within values that are a part of the message, too, or within an earlier value. */
function withoutCopies(
  parts: readonly MessagePart[],
  within: ReadonlySet<MessagePart>,
): MessagePart[] {
  const pathOf = (part: MessagePart): string | undefined =>
    part.type === 'file' ? part.path : undefined;
  const known = new Set(parts.filter((part) => !within.has(part)).map(pathOf));
  return parts.filter((part) => {
    if (!within.has(part)) return true;
    const isNew = !known.has(pathOf(part));
    known.add(pathOf(part));
    return isNew;
  });
}

type Holder = Extract<MessagePart, { readonly type: 'data' | 'tool-result' }>;

/** The fewest characters of a value with a file in it that is worth storing apart. */
const MIN_LENGTH = 60;

/** Checks whether a part may hold the bytes of a file: it is what a tool gave back, or not understood. */
function mayHoldBytes(part: MessagePart): part is Holder {
  if (part.type === 'tool-result') return isLong(part.output);
  return part.type === 'data' && part.kind !== 'text' && isLong(part.value);
}

function isLong(value: JsonValue): boolean {
  if (typeof value === 'string') return value.length >= MIN_LENGTH;
  return typeof value === 'object' && value !== null && Object.values(value).some(isLong);
}

async function withoutBytes(
  files: FileStore,
  part: Holder,
): Promise<{ readonly part: MessagePart; readonly held: readonly NodeFilePart[] }> {
  const result = part.type === 'tool-result';
  const { value, files: held } = await takeBytes(files, result ? part.output : part.value);
  if (held.length === 0) return { part, held };
  return { part: result ? { ...part, output: value } : { ...part, value }, held };
}

function isNamed(part: MessagePart): part is Extract<MessagePart, { readonly type: 'file' }> {
  return part.type === 'file' && part.path === undefined;
}

/** The first characters of files, by media type. */
const BEGINNINGS: readonly (readonly [start: string, type: string])[] = [
  ['\u0089PNG', 'image/png'],
  ['\u00ff\u00d8\u00ff', 'image/jpeg'],
  ['GIF8', 'image/gif'],
  ['%PDF-', 'application/pdf'],
];

const ENDINGS: Readonly<Record<string, string>> = {
  csv: 'text/csv',
  html: 'text/html',
  json: 'application/json',
  md: 'text/markdown',
  mp3: 'audio/mpeg',
  mp4: 'video/mp4',
  svg: 'image/svg+xml',
  txt: 'text/plain',
  wav: 'audio/wav',
  webm: 'video/webm',
  webp: 'image/webp',
};

function mediaTypeOf(name: string, data: Uint8Array): string | undefined {
  const start = Buffer.from(data.subarray(0, 8)).toString('latin1');
  const known = BEGINNINGS.find(([beginning]) => start.startsWith(beginning))?.[1];
  if (known !== undefined) return known;
  if (start.startsWith('RIFF')) {
    const kind = Buffer.from(data.subarray(8, 12)).toString('latin1');
    return kind === 'WEBP' ? 'image/webp' : 'audio/wav';
  }
  const [, ending = ''] = /\.(\w+)$/.exec(name) ?? [];
  return ENDINGS[ending.toLowerCase()];
}

/** A value without the bytes of the files in it. */
interface WithoutBytes {
  /** The value, with the path of each file in place of its bytes. */
  readonly value: JsonValue;
  readonly files: readonly NodeFilePart[];
}

/**
 * Stores the files within a value, such as the pictures that a tool gave back, each once: `data:` URLs, and Base64
 * with a media type next to it or with the beginning of a known kind of file.
 */
async function takeBytes(store: FileStore, value: JsonValue): Promise<WithoutBytes> {
  const files: NodeFilePart[] = [];
  const taken = async (url: string, mediaType?: string): Promise<string | undefined> => {
    const type = mediaType ?? /^data:([^;,]+)/.exec(url)?.[1];
    const part = await storeDataUrl(store, { type: 'file', uri: url });
    if (part.path === undefined) return undefined;
    const named = type === undefined ? part : { ...part, mediaType: type };
    if (!files.some(({ path }) => path === part.path)) files.push(named);
    return part.path;
  };
  const visit = async (each: JsonValue): Promise<JsonValue> => {
    if (typeof each === 'string') {
      const url = each.startsWith('data:') ? each : dataUrlOf(each);
      return (url === undefined ? undefined : await taken(url)) ?? each;
    }
    if (Array.isArray(each)) {
      const list: JsonValue[] = [];
      for (const item of each) list.push(await visit(item));
      return list;
    }
    if (!isJsonObject(each)) return each;
    const found = dataUrlIn(each);
    const fields: [string, JsonValue][] = [];
    for (const [key, inner] of Object.entries(each)) {
      const path = found?.key === key ? await taken(found.url, found.mediaType) : undefined;
      fields.push([key, path ?? (await visit(inner))]);
    }
    return Object.fromEntries(fields);
  };
  return { value: await visit(value), files };
}
