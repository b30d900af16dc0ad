import type { JsonObject } from '@vizprompt/providers';
import {
  FUNCTION,
  isRecord,
  type Kind,
  type Kinds,
  oneOf,
  optional,
  orNull,
  TEXT,
} from '@vizprompt/providers/config/internal';
import type { StoredFlow } from '../flow/flow.ts';
import { hasFields, JSON_OBJECT } from '../input-kinds.ts';
import { isNodePart, NODE_STATUSES, ORIGIN } from '../node/edit-node.ts';
import type { NodePart, NodeStatus, PartOrigin, TextRangePart } from '../node/node.ts';

/** The author of a message of a thread: a user and the system ask, an assistant answers. */
export type ThreadRole = 'user' | 'system' | 'assistant';

/** A piece of the text of a message. */
interface ThreadTextPart extends PartOrigin {
  readonly type: 'text';
  readonly text: string;
}

/** A piece of a message; a file whose `uri` is a `data:` URL is stored once in the project, and read back as it was. */
export type ThreadPart = ThreadTextPart | Exclude<NodePart, TextRangePart>;

/** A message as another program has it. */
export interface ThreadMessage {
  /** Unique in its thread. */
  readonly id: string;
  readonly role: ThreadRole;
  readonly parts: readonly ThreadPart[];
  /** The name of the speaker, where there are several. */
  readonly speaker?: string | undefined;
  /** The model that answered. */
  readonly model?: string | undefined;
  /** How far an answer has come. Default: `done`. */
  readonly status?: NodeStatus | undefined;
  /** All else that the other program has of it. */
  readonly meta?: JsonObject | undefined;
}

/** A message with the one that it follows. */
export interface ThreadItem {
  /** The id of the message before it; `null`: none. */
  readonly parentId: string | null;
  readonly message: ThreadMessage;
}

/** A flow as a tree of messages. A node is a question with its answer; of a merge, the main parent counts. */
export interface Thread {
  readonly flow: StoredFlow;
  /** The message that the conversation continues from; `null`: none. */
  readonly headId: string | null;
  /** Each message after its parent, branch after branch, siblings in their order. */
  readonly messages: readonly ThreadItem[];
}

/** The shape of a thread: its messages without what they say. */
export interface ThreadOutline {
  readonly headId: string | null;
  /** In the order of {@link Thread.messages}. */
  readonly messages: readonly ThreadPlace[];
  /** Returns a message as it is stored: files by their path. */
  message(id: string): ThreadMessage | undefined;
}

/** The place of a message in a thread. */
export interface ThreadPlace {
  readonly id: string;
  readonly parentId: string | null;
  readonly role: ThreadRole;
}

/**
 * One change of a thread.
 *
 * - `append`: adds a message after another one (`null`: at the root) and makes it the head. A message that is known is
 *   updated where it is, and changes nothing if it says the same: it may come as often as it likes.
 * - `update`: replaces what a message says. One that is not known is an error.
 * - `edit`: says a message in another way: the old one stays as a branch with all that follows it, under another id. One
 *   that says the same stays as it is. It becomes the head, so that another answer is a sibling.
 * - `rename`: gives a message another id, to free the one that it has.
 * - `delete`: removes a message; those that followed it follow the one before it, after its other followers.
 * - `head`: says which message the conversation continues from.
 */
export type ThreadChange =
  | {
      readonly type: 'append';
      readonly message: ThreadMessage;
      readonly parentId: string | null;
      /** True if a new message becomes the head. Default: `true`. */
      readonly isHead?: boolean | undefined;
    }
  | { readonly type: 'update' | 'edit'; readonly message: ThreadMessage }
  | { readonly type: 'rename'; readonly id: string; readonly to: string }
  | { readonly type: 'delete'; readonly id: string }
  | { readonly type: 'head'; readonly id: string | null };

const TEXT_PART: Kinds<Omit<ThreadTextPart, 'type'>> = { ...ORIGIN, text: TEXT };
const PART: Kind<never> = {
  expected: 'a part of a message',
  accepts: (value) =>
    isRecord(value) && Reflect.get(value, 'type') === 'text'
      ? hasFields(value, TEXT_PART)
      : isNodePart(value),
};
const ID: Kind<string> = { ...TEXT, accepts: (value) => typeof value === 'string' && value !== '' };
const MESSAGE: Kinds<ThreadMessage> = {
  id: ID,
  role: oneOf('user', 'system', 'assistant'),
  parts: {
    expected: 'parts of a message',
    accepts: (value) => Array.isArray(value) && value.every((part) => PART.accepts(part)),
  },
  speaker: optional(TEXT),
  model: optional(TEXT),
  status: optional(oneOf(...NODE_STATUSES)),
  meta: optional(JSON_OBJECT),
};
const MESSAGE_KIND: Kind<never> = {
  expected: 'a message',
  accepts: (value) => hasFields(value, MESSAGE),
};
/** The fields of each change by its type. */
const CHANGES = new Map<unknown, Readonly<Record<string, Kind>>>([
  ['append', { message: MESSAGE_KIND, parentId: orNull(TEXT) }],
  ['update', { message: MESSAGE_KIND }],
  ['edit', { message: MESSAGE_KIND }],
  ['rename', { id: ID, to: ID }],
  ['delete', { id: ID }],
  ['head', { id: orNull(TEXT) }],
]);

/** Changes of a thread, or a function that gives them. */
export const THREAD_CHANGES: Kind<never> = {
  expected:
    "a list of changes, or a function that gives it; a change is { type: 'append', message, parentId }, " +
    "{ type: 'update' or 'edit', message }, { type: 'rename', id, to }, { type: 'delete', id } or { type: 'head', id }, " +
    'and a message has id, role and parts',
  accepts: (value) =>
    FUNCTION.accepts(value) || (Array.isArray(value) && value.every((each) => isChange(each))),
};

function isChange(value: unknown): boolean {
  const kinds = isRecord(value) ? CHANGES.get(Reflect.get(value, 'type')) : undefined;
  return kinds !== undefined && hasFields(value, kinds);
}

/**
 * Returns the end of the newest branch that begins at a message.
 *
 * @param messages - Siblings in their order.
 * @param start - Where the branch begins; `null`: with any first message.
 */
export function newestLeaf(messages: readonly ThreadPlace[], start: string | null): string | null {
  const newest = new Map(messages.map(({ id, parentId }) => [parentId, id]));
  let leaf = start;
  for (let next = newest.get(leaf); next !== undefined; next = newest.get(leaf)) leaf = next;
  return leaf;
}
