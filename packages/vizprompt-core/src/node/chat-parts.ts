import type { FilePart, FileStore, JsonObject, Message, Part } from '@vizprompt/providers';
import { omitUndefined, type Role } from '@vizprompt/providers/internal';
import { storeAttachments } from './attachments.ts';
import type { NodePart } from './node.ts';

/** One side of a node. */
export interface NodeSide {
  readonly text: string;
  /** Empty where there is nothing but the text. */
  readonly parts: readonly NodePart[];
}

/** Between two pieces of text that are not one. */
const SEPARATOR = '\n\n';

/**
 * Converts messages to or from a model into a side of a node: the text, and the parts in their order where
 * there is more. Files are stored in the project.
 *
 * @param role - The role of the parts, where that is not the side's own: the tool's results, for one.
 */
export async function sideOf(
  files: FileStore,
  parts: readonly Part[],
  role?: Role,
): Promise<NodeSide> {
  const isPlain = parts.every((part) => part.type === 'text' && part.meta === undefined);
  const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  if (isPlain && texts.length <= 1) return { text: texts.join(''), parts: [] };
  let text = '';
  const converted: NodePart[] = [];
  for (const part of parts) {
    const own = {
      ...(role ? { role } : {}),
      ...(part.meta ? { meta: part.meta as JsonObject } : {}),
    };
    switch (part.type) {
      case 'text': {
        if (text !== '' && part.text !== '') text += SEPARATOR;
        const start = text.length;
        text += part.text;
        converted.push({ type: 'text', start, end: text.length, ...own });
        break;
      }
      case 'reasoning':
        converted.push({ type: 'reasoning', text: part.text, ...own });
        break;
      case 'tool-call':
        converted.push({
          type: 'tool-call',
          id: part.id,
          tool: part.name,
          input: part.input,
          ...own,
        });
        break;
      case 'tool-result':
        converted.push({
          type: 'tool-result',
          id: part.id,
          tool: part.name,
          output: part.output,
          ...(part.isError ? { isError: true } : {}),
          ...own,
        });
        break;
      case 'file':
        converted.push({ ...(await storeFile(files, part)), ...own });
        break;
      case 'source': {
        const { url, title, text: quoted } = part;
        const value = omitUndefined({ url, title, text: quoted });
        converted.push({ type: 'data', kind: 'source', value, ...own });
        break;
      }
    }
  }
  return { text, parts: converted };
}

async function storeFile(files: FileStore, part: FilePart): Promise<NodePart> {
  const { data, mediaType, name } = part;
  const named = name === undefined ? {} : { fileName: name };
  if (data instanceof URL) return { type: 'file', uri: data.href, mediaType, ...named };
  const [stored] = await storeAttachments(files, [{ data, mediaType, ...named }]);
  return stored ?? { type: 'file', mediaType, ...named };
}

/** Returns the messages, with the files of the prompt in the last one. */
export async function withFiles(
  files: FileStore,
  messages: readonly Message[],
  parts: readonly NodePart[],
): Promise<readonly Message[]> {
  const attached: FilePart[] = [];
  for (const part of parts) {
    if (part.type !== 'file') continue;
    const { path, uri, mediaType = 'application/octet-stream', fileName } = part;
    const name = fileName === undefined ? {} : { name: fileName };
    const stored = path === undefined ? null : await files.read(path);
    if (stored) attached.push({ type: 'file', mediaType, data: stored.data, ...name });
    else if (uri !== undefined && URL.canParse(uri)) {
      attached.push({ type: 'file', mediaType, data: new URL(uri), ...name });
    }
  }
  const last = messages.at(-1);
  if (attached.length === 0 || !last) return messages;
  return [...messages.slice(0, -1), { ...last, parts: [...last.parts, ...attached] }];
}
