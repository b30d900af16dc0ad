import type { JsonObject } from '../../json/json-value.ts';
import type { TranscriptEntry, TranscriptSession } from './entry.ts';
import type { TranscriptState } from './state.ts';

/**
 * An entry as the reader of an agent returns it. Defaults: no parts, the time and the whole of the line; a
 * message is the assistant's, all else the system's.
 */
export type EntryDraft = Pick<TranscriptEntry, 'kind' | 'type'> &
  Partial<Omit<TranscriptEntry, 'agent' | 'kind' | 'place' | 'session' | 'type'>>;

/** The reader's knowledge of the lines before. */
export interface ReadContext {
  readonly state: TranscriptState;
  /** Switches to a session, which begins if the transcript has not named it yet. */
  session(sourceId: string): TranscriptSession;
}

/** Reads a line of an agent's transcript. */
export type ReadLine = (line: JsonObject, context: ReadContext) => readonly EntryDraft[];
