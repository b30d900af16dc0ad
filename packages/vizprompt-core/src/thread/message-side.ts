import { isDeepStrictEqual } from 'node:util';
import type { JsonObject } from '@vizprompt/providers';
import { isJsonObject, omitUndefined as defined } from '@vizprompt/providers/internal';
import type { NodeSide } from '../node/chat-parts.ts';
import type { NodeDataPart, NodePart, NodeStatus, PartOrigin, VizNode } from '../node/node.ts';
import type { ThreadMessage, ThreadPart, ThreadRole } from './thread.ts';

/** The kind of the first part of a side that is a message of a thread. */
const MARK = 'thread-message';
/** Between two pieces of text that are not one. */
const SEPARATOR = '\n\n';

/** A message as it is one side of a node. */
export interface MessageSide extends NodeSide {
  readonly id: string;
  readonly role: ThreadRole;
  /** The model of an answer; absent: not known, or unchanged. */
  readonly model?: string | undefined;
  readonly status?: NodeStatus | undefined;
  readonly speaker?: string | undefined;
}

/** Returns what a node says of its answer as a whole. */
export function answerOf({
  model,
  status,
  speaker,
}: Pick<VizNode, 'model' | 'status' | 'speaker'> | MessageSide): Pick<
  MessageSide,
  'model' | 'status' | 'speaker'
> {
  return { model, status, speaker };
}

/** Checks whether two sides say the same. */
export function isSameSide(a: MessageSide, b: MessageSide): boolean {
  if (a === b) return true;
  if (a.text !== b.text) return false;
  const said = (side: MessageSide): unknown =>
    JSON.parse(JSON.stringify([side.parts, answerOf(side)]));
  return isDeepStrictEqual(said(a), said(b));
}

/** Returns a side that names its message, so that copies of it are that message. */
export function markedSide(side: MessageSide): MessageSide {
  if (readMark(side.parts)?.id === side.id) return side;
  return { ...side, ...toSide(toMessage(side)) };
}

/**
 * Writes a message as one side of a node: first a part with its id and its own fields, then its parts. A
 * message of the system is not text of the prompt, as with instructions, so contexts do not treat it as a question.
 */
export function toSide(message: ThreadMessage): MessageSide {
  const { id, role, parts, speaker, meta, model, status } = message;
  const origin = defined({ role: role === 'system' ? role : undefined, name: speaker });
  const value: JsonObject = { role, ...defined({ meta }) };
  const written: NodePart[] = [{ type: 'data', kind: MARK, source: id, value, ...origin }];
  let text = '';
  for (const part of parts) {
    if (part.type !== 'text') {
      written.push({ ...origin, ...part });
    } else if (role === 'system') {
      const { text: said, type: _, ...more } = part;
      written.push({ ...origin, ...more, type: 'data', kind: 'text', value: said });
    } else {
      const { text: said, ...more } = part;
      if (text !== '' && said !== '') text += SEPARATOR;
      const start = text.length;
      text += said;
      written.push({ ...origin, ...more, start, end: text.length });
    }
  }
  const answer = role === 'assistant' ? defined({ model, status, speaker }) : {};
  return { id, role, text, parts: written, ...answer };
}

/** Returns the id and the role of the message that a side is; `undefined` for one that is not a message of a thread. */
export function readMark(
  parts: readonly NodePart[],
): { readonly id: string; readonly role: ThreadRole; readonly mark: NodeDataPart } | undefined {
  const [mark] = parts;
  if (mark?.type !== 'data' || mark.kind !== MARK || mark.source === undefined) return undefined;
  const role = isJsonObject(mark.value) ? roleOf(mark.value['role']) : undefined;
  return role && { id: mark.source, role, mark };
}

function roleOf(value: unknown): ThreadRole | undefined {
  return (['user', 'system', 'assistant'] as const).find((role) => role === value);
}

/** Reads the message of a side: one that a thread wrote, or any other that says something. */
export function toMessage(side: MessageSide): ThreadMessage {
  const { id, role, text, parts, model, status } = side;
  const mark = readMark(parts)?.mark;
  const meta = mark && isJsonObject(mark.value) ? mark.value['meta'] : undefined;
  const own = mark ? parts.slice(1) : parts;
  const read = own.flatMap((part): ThreadPart[] => {
    if (!mark && part.role === 'system') return [];
    const origin = originOf(part, mark);
    if (part.type === 'text') {
      return [{ type: 'text', text: text.slice(part.start, part.end), ...origin }];
    }
    const isTold = role === 'system' && part.type === 'data' && part.kind === 'text';
    if (isTold && typeof part.value === 'string') {
      return [{ type: 'text', text: part.value, ...origin }];
    }
    const { role: _role, name: _name, ...rest } = part;
    return [{ ...rest, ...origin }];
  });
  const isWhole = text === '' || own.some(({ type }) => type === 'text');
  return {
    id,
    role,
    parts: isWhole ? read : [...read, { type: 'text', text }],
    ...defined({ speaker: mark?.name ?? side.speaker, model, status }),
    ...defined({ meta: isJsonObject(meta) ? meta : undefined }),
  };
}

/** Returns the origin of a part, without the fields that it shares with its message. */
function originOf(part: NodePart, mark: NodeDataPart | undefined): PartOrigin {
  const { role, name, source, time, meta } = part;
  return defined({
    role: role === mark?.role ? undefined : role,
    name: name === mark?.name ? undefined : name,
    source,
    time,
    meta,
  });
}
