import type { JsonObject, JsonValue } from '../../json/json-value.ts';
import type { TranscriptEntry, TranscriptKind, TranscriptSession } from './entry.ts';
import type { TranscriptState } from './state.ts';

/** An entry as the reader of an agent returns it. */
export type EntryDraft = Omit<TranscriptEntry, 'agent' | 'place' | 'session'>;

/** What the reader of an agent knows of the lines before. */
export interface ReadContext {
  readonly state: TranscriptState;
  /** Switches to a session, which begins if the transcript has not named it yet. */
  session(sourceId: string): TranscriptSession;
}

/** Reads a line of an agent's transcript. */
export type ReadLine = (line: JsonObject, context: ReadContext) => readonly EntryDraft[];

/** Returns an entry that is not part of the talk. */
export function aside(
  kind: Exclude<TranscriptKind, 'message'>,
  type: string,
  raw: JsonValue,
): EntryDraft {
  return { kind, type, role: 'system', parts: [], raw };
}
