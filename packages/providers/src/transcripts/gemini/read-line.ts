import { listAt, objectAt, textAt } from '../../json/fields.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/json-value.ts';
import { omitUndefined } from '../../json/omit-undefined.ts';
import { utcAt } from '../model/read-fields.ts';
import { aside, type EntryDraft, type ReadContext } from '../model/read-line.ts';
import { readMessage } from './read-message.ts';

/**
 * Reads a line of a chat of Gemini CLI: each message is written again whole when it grows. Older versions
 * write a single object.
 *
 * Source: docs/formats/transcripts.md.
 */
export function readGeminiLine(line: JsonObject, context: ReadContext): readonly EntryDraft[] {
  const update = objectAt(line, '$set');
  const type = textAt(line, 'type');
  if ('$set' in line) {
    noteSession(update, context);
    // A checkpoint repeats the messages; those in it that are new are read.
    const messages = readMessages(listAt(update, 'messages'), context);
    const { messages: _messages, ...rest } = update;
    return [...messages, { ...aside('note', '$set', { $set: rest }), ...titleOf(update) }];
  }
  if ('$rewindTo' in line) return [aside('note', '$rewindTo', line)];
  if (textAt(line, 'id') !== undefined && type !== undefined) return readMessages([line], context);
  if (textAt(line, 'sessionId') === undefined) {
    return [aside('unknown', type ?? 'without a type', line)];
  }
  noteSession(line, context);
  const { messages: _messages, ...rest } = line;
  return [
    { ...aside('note', 'session', rest), ...titleOf(line) },
    ...readMessages(listAt(line, 'messages'), context),
  ];
}

function noteSession(facts: JsonObject, context: ReadContext): void {
  const { state } = context;
  const id = textAt(facts, 'sessionId');
  if (id !== undefined && !state.session) context.session(id);
  const { session } = state;
  if (!session) return;
  const startedAt = utcAt(facts, 'startTime');
  if (startedAt !== undefined) session.startedAt ??= startedAt;
  const [folder] = listAt(facts, 'directories');
  if (typeof folder === 'string') session.workspacePath ??= folder;
  Object.assign(
    session.metadata,
    omitUndefined({ project_hash: textAt(facts, 'projectHash'), kind: textAt(facts, 'kind') }),
  );
}

function titleOf(facts: JsonObject): Pick<EntryDraft, 'title'> {
  return omitUndefined({ title: textAt(facts, 'summary') });
}

function readMessages(messages: readonly JsonValue[], context: ReadContext): EntryDraft[] {
  return messages.flatMap((message): readonly EntryDraft[] => {
    if (!isJsonObject(message)) return [aside('unknown', 'no object', message)];
    // Files without a head are known by their first message.
    const id = textAt(message, 'id');
    if (!context.state.session && id !== undefined) context.session(`first:${id}`);
    return readMessage(message, context.state);
  });
}
