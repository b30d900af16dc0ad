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
import { hasFields, JSON_OBJECT } from '../input-kinds.ts';
import { NODE_STATUSES } from '../node/edit-node.ts';
import { isNodePart, ORIGIN } from '../node/node-kinds.ts';
import type { ThreadMessage, ThreadTextPart } from './thread.ts';

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
