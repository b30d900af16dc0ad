import { listAt, objectAt, stringOf, textAt } from '../../json/fields.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/json-value.ts';
import { noteSession } from '../model/note-session.ts';
import { timeAt } from '../model/read-fields.ts';
import type { EntryDraft, ReadContext } from '../model/read-line.ts';
import { readMessage } from './read-message.ts';

/**
 * Reads a line of a chat of Gemini CLI: each message is written again whole when it grows. Older versions
 * write a single object.
 *
 * Source: docs/formats/transcripts.md.
 */
export function readGeminiLine(line: JsonObject, context: ReadContext): readonly EntryDraft[] {
  const type = textAt(line, 'type');
  if ('$set' in line) {
    const { messages, ...$set } = objectAt(line, '$set');
    const title = begin($set, context);
    // A checkpoint repeats the messages; those in it that are new are read.
    const entries = readMessages(messages, context, true);
    return [...entries, { kind: 'note', type: '$set', title, raw: { $set } }];
  }
  if ('$rewindTo' in line) return [{ kind: 'note', type: '$rewindTo' }];
  if (textAt(line, 'id') !== undefined && type !== undefined) return readMessages([line], context);
  if (textAt(line, 'sessionId') === undefined) {
    return [{ kind: 'unknown', type: type ?? 'without a type' }];
  }
  const { messages, ...raw } = line;
  const title = begin(line, context);
  return [{ kind: 'note', type: 'session', title, raw }, ...readMessages(messages, context)];
}

/** Returns the title, if there is one. */
function begin(facts: JsonObject, context: ReadContext): string | undefined {
  const { state } = context;
  const id = textAt(facts, 'sessionId');
  if (id !== undefined && !state.session) context.session(id);
  const more = { project_hash: textAt(facts, 'projectHash'), kind: textAt(facts, 'kind') };
  const cwd = stringOf(listAt(facts, 'directories')[0]);
  noteSession(state.session, { cwd, startedAt: timeAt(facts, 'startTime'), more });
  return textAt(facts, 'summary');
}

function readMessages(
  messages: JsonValue | undefined,
  context: ReadContext,
  isCheckpoint = false,
): EntryDraft[] {
  const list = Array.isArray(messages) ? (messages as readonly JsonValue[]) : [];
  return list.flatMap((raw): readonly EntryDraft[] => {
    if (!isJsonObject(raw)) return [{ kind: 'unknown', type: 'no object', raw }];
    // Files without a head are known by their first message.
    const id = textAt(raw, 'id');
    if (!context.state.session && id !== undefined) context.session(`first:${id}`);
    return readMessage(raw, context.state, isCheckpoint);
  });
}
