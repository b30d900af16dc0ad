import type { FileStore } from '@vizprompt/providers';
import { storeAttachment } from '../node/attachments.ts';
import type { NodeFilePart } from '../node/node.ts';
import type { ThreadMessage } from './thread.ts';

/** The prefix of a `data:` URL; only content in `base64` can be written again exactly as it was. */
const DATA_URL = /^data:[^,]*;base64,/;
/** The key in `meta` of a stored file under which the beginning of its URL is. */
const KEY = 'dataUrl';

/** Stores the contents of `data:` URLs in the project, each once, and returns the message with what names them. */
export async function storeDataUrls(
  files: FileStore,
  message: ThreadMessage,
): Promise<ThreadMessage> {
  const parts = await Promise.all(
    message.parts.map(async (part) => (part.type === 'file' ? storeDataUrl(files, part) : part)),
  );
  return { ...message, parts };
}

/** Stores the content of a file that is a `data:` URL in the project. */
export async function storeDataUrl(files: FileStore, part: NodeFilePart): Promise<NodeFilePart> {
  if (part.uri === undefined || part.path !== undefined) return part;
  const [start] = DATA_URL.exec(part.uri) ?? [];
  if (start === undefined || part.meta?.[KEY] !== undefined) return part;
  const content = part.uri.slice(start.length);
  const data = Buffer.from(content, 'base64');
  // Another spelling of the same bytes would be lost.
  if (data.toString('base64') !== content) return part;
  const path = await storeAttachment(files, data);
  const { uri: _, ...rest } = part;
  return { ...rest, path, size: data.length, meta: { ...part.meta, [KEY]: start } };
}

/** Puts the contents of stored files into `data:` URLs, as they were written where they came as such. */
export async function restoreDataUrls(
  files: FileStore,
  message: ThreadMessage,
): Promise<ThreadMessage> {
  const parts = await Promise.all(
    message.parts.map(async (part) => {
      return part.type === 'file' && part.uri === undefined ? restoreDataUrl(files, part) : part;
    }),
  );
  return { ...message, parts };
}

/** Puts the content of a stored file into a `data:` URL, in place of any other address. */
export async function restoreDataUrl(files: FileStore, part: NodeFilePart): Promise<NodeFilePart> {
  if (part.path === undefined) return part;
  const { mediaType = 'application/octet-stream', meta } = part;
  const written = meta?.[KEY];
  const start = typeof written === 'string' ? written : `data:${mediaType};base64,`;
  const stored = await files.read(part.path);
  if (!stored) return part;
  return { ...withoutPlace(part), uri: start + Buffer.from(stored.data).toString('base64') };
}

function withoutPlace({
  path: _path,
  size: _size,
  meta = {},
  ...rest
}: NodeFilePart): NodeFilePart {
  const { [KEY]: _, ...own } = meta;
  return Object.keys(own).length === 0 ? rest : { ...rest, meta: own };
}
