import { omitUndefined as defined, type Role } from '@vizprompt/providers/internal';
import type { MessagePart } from '../import/conversation.ts';
import type { NodePart, VizNode } from '../node/node.ts';

/** A message as a chat has it. */
export interface NodeMessage {
  /** The id of the message that it was imported from. */
  readonly source?: string;
  readonly role: Role;
  readonly name?: string;
  /** ISO 8601. */
  readonly time?: string;
  readonly parts: readonly MessagePart[];
}

/** A node as the messages that it is made of. */
export interface NodeMessages {
  /** The messages that set the scene. */
  readonly context: readonly NodeMessage[];
  /** Absent where the node has no prompt. */
  readonly prompt?: NodeMessage;
  readonly answers: readonly NodeMessage[];
}

/** Returns the messages of a node; importing them gives its texts again. */
export function messagesOf(node: VizNode): NodeMessages {
  const asked = toMessages('user', node.prompt, node.promptParts);
  const spoken = asked.filter(({ role }) => role === 'user');
  const [first] = spoken;
  const time = first?.time ?? (first?.source === undefined ? node.timestamp : undefined);
  const prompt = first && {
    ...first,
    ...defined({ time }),
    parts: spoken.flatMap(({ parts }) => parts),
  };
  return {
    context: asked.filter(({ role }) => role !== 'user'),
    ...defined({ prompt }),
    answers: toMessages('assistant', node.response, node.responseParts),
  };
}

/** Between the texts of two messages, or of two pieces of one. */
const SEPARATOR = '\n\n';

function toMessages(speaker: Role, text: string, parts: readonly NodePart[]): NodeMessage[] {
  const ranges = parts.filter((part) => part.type === 'text');
  const pieces = ranges.map(({ start, end }) => text.slice(start, end));
  // Ranges that do not make up the text are of no use: then it is one piece, where the first was.
  const isWhole = joined(pieces) === text;
  const [first] = ranges;
  const messages: { -readonly [Key in keyof NodeMessage]: NodeMessage[Key] }[] = [];
  const add = (part: NodePart | undefined, content: MessagePart): void => {
    const { role = speaker, name, source, time } = part ?? {};
    const last = messages.at(-1);
    const isSame = last?.role === role && last.source === source && last.name === name;
    if (isSame) last.parts = [...last.parts, content];
    else messages.push({ role, ...defined({ name, source, time }), parts: [content] });
  };
  for (const part of parts) {
    if (part.type !== 'text') add(part, withoutOrigin(part));
    else if (isWhole) {
      const { meta } = part;
      add(part, { type: 'text', text: text.slice(part.start, part.end), ...defined({ meta }) });
    } else if (part === first) add(part, { type: 'text', text });
  }
  if (!first && text !== '') add(undefined, { type: 'text', text });
  return messages;
}

function joined(pieces: readonly string[]): string {
  return pieces.filter((piece) => piece !== '').join(SEPARATOR);
}

function withoutOrigin(part: Exclude<NodePart, { readonly type: 'text' }>): MessagePart {
  const { role, name: _name, source: _source, time: _time, ...content } = part;
  // Words of others than the speaker are kept next to the text.
  const isSaid = role !== undefined && part.type === 'data' && part.kind === 'text';
  if (isSaid && typeof part.value === 'string') return { type: 'text', text: part.value };
  return content;
}
