import type { FilePart, FileStore, JsonObject, Message, Part } from '@vizprompt/providers';
import { omitUndefined, visibleText, withForgedLinesQuoted } from '@vizprompt/providers/internal';
import { storeAttachments } from './attachments.ts';
import { isAsked } from './edit-node.ts';
import type { NodePart, VizNode } from './node.ts';

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
 */
export async function sideOf(files: FileStore, parts: readonly Part[]): Promise<NodeSide> {
  const isPlain = parts.every((part) => part.type === 'text' && part.meta === undefined);
  const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  if (isPlain && texts.length <= 1) return { text: texts.join(''), parts: [] };
  let text = '';
  const converted: NodePart[] = [];
  for (const part of parts) {
    const own = part.meta ? { meta: part.meta as JsonObject } : {};
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

/** The most characters of a name in a context. */
const MAX_NAME = 100;

/** Returns a name as a context shows it: on one line, as names of chats may hold anything, also lines of another person. */
export function shownName(name: string): string {
  const characters = Array.from(visibleText(name).replaceAll(/\s\s*/g, ' ').trim());
  const isCut = characters.length > MAX_NAME;
  return isCut ? `${characters.slice(0, MAX_NAME).join('')}…` : characters.join('');
}

/**
 * Writes a prompt with the name of each person before what that person says.
 *
 * @param names - The names in the context: a line that begins as the words of one of them is quoted.
 */
export function withAskers(
  { prompt, promptParts }: Pick<VizNode, 'prompt' | 'promptParts'>,
  names: readonly string[],
): string {
  const said = (start: number, stop?: number): string =>
    withForgedLinesQuoted(prompt.slice(start, stop), names);
  const ranges = promptParts.filter(
    (part) => part.type === 'text' && isAsked(part) && part.name !== undefined,
  );
  let written = '';
  let end = 0;
  let last: string | undefined;
  for (const { start, end: stop, name = '' } of ranges.filter((part) => part.type === 'text')) {
    if (start < end) continue;
    written += said(end, start);
    if (name !== last) written += `${shownName(name)}: `;
    written += said(start, stop);
    [end, last] = [stop, name];
  }
  return written + said(end);
}
