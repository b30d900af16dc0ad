import { storeAttachment } from '../node/attachments.ts';
import type { Project } from '../project/project.ts';
import { storeDataUrl } from '../thread/data-urls.ts';
import type { ImportedConversation, ImportedMessage, MessagePart } from './conversation.ts';
import type { FileFinder } from './find-files.ts';

/** Stores the files that a conversation contains, and those that it names and that are next to it, each once. */
export async function takeFiles(
  { files }: Project,
  conversation: ImportedConversation,
  find: FileFinder = async () => undefined,
): Promise<ImportedConversation> {
  const holds = conversation.messages.some(({ parts }) => parts.some(isNamed));
  if (!holds) return conversation;
  const taken = async (part: MessagePart): Promise<MessagePart> => {
    if (!isNamed(part)) return part;
    if (part.uri?.startsWith('data:') === true) return storeDataUrl(files, part);
    const found = await find(part.uri, part.fileName);
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
    if (!message.parts.some(isNamed)) {
      messages.push(message);
      continue;
    }
    const parts: MessagePart[] = [];
    for (const part of message.parts) parts.push(await taken(part));
    messages.push({ ...message, parts });
  }
  return { ...conversation, messages };
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
