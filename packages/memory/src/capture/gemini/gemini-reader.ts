import { lineReader } from '../line-reader.ts';
import { isJsonObject, defined, type JsonObject, type JsonValue } from '@vizprompt/providers';
import type { TranscriptReader } from '../draft.ts';
import { listAt, objectAt, textAt, timeAt } from '../fields.ts';
import type { Recording } from '../recording.ts';
import { readMessage } from './read-message.ts';

/**
 * Reads a chat of Gemini CLI: lines, of which each message is written again whole when it grows, or
 * the single object that older versions write.
 *
 * Source: docs/formats/transcripts.md.
 */
export function geminiReader(recording: Recording): TranscriptReader {
  return lineReader(recording, (line) => readLine(recording, line));
}

function readLine(recording: Recording, line: JsonObject): void {
  const { counts } = recording;
  const update = objectAt(line, '$set');
  const type = textAt(line, 'type');
  if ('$set' in line) {
    noteSession(recording, update);
    // A checkpoint repeats the messages; what is in it and new, is read.
    readMessages(recording, listAt(update, 'messages'));
    const { messages: _messages, ...rest } = update;
    recording.keep(counts.kept, '$set', { $set: rest });
  } else if ('$rewindTo' in line) recording.keep(counts.kept, '$rewindTo', line);
  else if (textAt(line, 'id') !== undefined && type !== undefined) {
    readMessages(recording, [line]);
  } else if (textAt(line, 'sessionId') !== undefined) {
    noteSession(recording, line);
    const { messages, ...rest } = line;
    recording.keep(counts.kept, 'session', rest);
    readMessages(recording, Array.isArray(messages) ? (messages as readonly JsonValue[]) : []);
  } else recording.keep(counts.unknown, type ?? 'without a type', line);
}

function noteSession(recording: Recording, facts: JsonObject): void {
  const { state } = recording;
  const id = textAt(facts, 'sessionId');
  if (id !== undefined && !state.session) recording.session(id);
  const { session } = state;
  if (!session) return;
  const startedAt = timeAt(facts, 'startTime');
  if (startedAt !== undefined) session.startedAt ??= startedAt;
  const [folder] = listAt(facts, 'directories');
  if (typeof folder === 'string') session.workspacePath ??= folder;
  Object.assign(
    session.metadata,
    defined({
      title: textAt(facts, 'summary'),
      project_hash: textAt(facts, 'projectHash'),
      kind: textAt(facts, 'kind'),
    }),
  );
}

function readMessages(recording: Recording, messages: readonly JsonValue[]): void {
  for (const message of messages) {
    if (!isJsonObject(message)) recording.keep(recording.counts.unknown, 'no object', message);
    else {
      // Files without a head are known by their first message.
      const id = textAt(message, 'id');
      if (!recording.state.session && id !== undefined) recording.session(`first:${id}`);
      readMessage(recording, message);
    }
  }
}
