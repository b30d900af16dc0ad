import { listAt, objectAt, textAt } from '../../json/fields.ts';
import { isJsonObject, type JsonObject } from '../../json/json-value.ts';
import { noteSession } from '../model/note-session.ts';
import { timeAt } from '../model/read-fields.ts';
import type { EntryDraft, ReadContext } from '../model/read-line.ts';
import { readMessage } from './read-message.ts';

/** Titles that opencode gives to sessions that have none. */
const NO_TITLE = /^(?:New|Child) session - \d{4}-/;

/**
 * Reads a session of opencode, or one message of it, in the form of `opencode export`: `info`, and the `messages` or
 * `parts` that belong to it. A message is read again when it has grown.
 *
 * Source: docs/formats/transcripts.md.
 */
export function readOpencodeLine(line: JsonObject, context: ReadContext): readonly EntryDraft[] {
  const info = objectAt(line, 'info');
  if (textAt(info, 'role') !== undefined) return readMessage(line, context);
  const id = textAt(info, 'id');
  if (id === undefined) return [{ kind: 'unknown', type: 'without info' }];
  begin(id, info, context);
  const title = textAt(info, 'title');
  const isNamed = title !== undefined && !NO_TITLE.test(title);
  const head: EntryDraft = {
    kind: 'note',
    type: 'session',
    title: isNamed ? title : undefined,
    raw: { info },
  };
  const messages = listAt(line, 'messages').filter(isJsonObject);
  const last = messages.at(-1);
  // Only the last message may still grow.
  const lines = messages.map((one) => (one === last ? one : { ...one, isOver: true }));
  return [head, ...lines.flatMap((message) => readMessage(message, context))];
}

function begin(id: string, info: JsonObject, context: ReadContext): void {
  const session = context.session(id);
  const parent = textAt(info, 'parentID');
  noteSession(session, {
    cwd: textAt(info, 'directory'),
    startedAt: timeAt(objectAt(info, 'time'), 'created'),
    more: {
      agent_version: textAt(info, 'version'),
      parent_session: parent,
      kind: parent === undefined ? undefined : 'subagent',
    },
  });
}
