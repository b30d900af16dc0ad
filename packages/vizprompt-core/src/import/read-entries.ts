import { type JsonObject } from '@vizprompt/providers';
import {
  TranscriptReader,
  type TranscriptAgent,
  type TranscriptEntry,
} from '@vizprompt/providers/transcripts';
import { omitUndefined as defined, isJsonObject } from '@vizprompt/providers/internal';
import type { ImportedMessage, MessagePart } from './conversation.ts';
import { listAt } from './fields.ts';

/** Reads the records of a session as the entries of its transcript. */
export function entriesOf(entry: JsonObject, agent: TranscriptAgent): readonly TranscriptEntry[] {
  const reader = new TranscriptReader({ agent });
  return listAt(entry, 'records')
    .filter(isJsonObject)
    .flatMap((value) => reader.read({ value }));
}

/** Returns the message of an entry. */
export function messageOf(
  { id = '', parent, time, model, hasFailed, isAborted, role }: TranscriptEntry,
  parts: readonly MessagePart[],
): ImportedMessage {
  return { id, role, parts, ...defined({ parent, time, model, hasFailed, isAborted }) };
}
