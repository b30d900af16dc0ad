import type { FilePart, FileStore, Message } from '@vizprompt/providers';
import type { NodePart } from '../node/node.ts';

/** The messages, with the files of the prompt in the last one. */
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
