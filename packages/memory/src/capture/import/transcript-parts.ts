import type { EventRecord } from '../../log/event-record.ts';
import type { EventType } from '../../model/event-data.ts';
import type { LineCounts } from '../counts.ts';
import type { EventDraft, SessionDraft } from '../draft.ts';
import type { LinePlace } from './import-options.ts';

/** What of a draft tells whether it is new. */
export type DraftHead = Pick<EventDraft, 'key' | 'alias' | 'parent' | 'intention' | 'unlessWhole'>;

/** Drafts that follow each other in one session. */
export interface DraftRun {
  /** As far as it was known behind the part. */
  readonly session: SessionDraft;
  readonly heads: readonly DraftHead[];
}

/** What is known when a file has been read. */
export interface FileEnd {
  /** Why it holds no transcript, if so. */
  readonly skipped?: string;
  /** Its sessions, each with its last time if the file does not grow any more. */
  readonly sessions: readonly { readonly draft: SessionDraft; readonly endedAt?: string }[];
  readonly counts: LineCounts;
  readonly torn: readonly LinePlace[];
  readonly broken: readonly LinePlace[];
  readonly openCalls: number;
}

/** Some lines of a file. */
export interface TranscriptPart {
  /** Counts up; asks for its events by it. */
  readonly number: number;
  /** The place of its file among those that are read. */
  readonly file: number;
  readonly bytes: number;
  readonly runs: readonly DraftRun[];
  /** With the last part of a file. */
  readonly end?: FileEnd;
}

/** A draft that becomes an event, and the ids that it has and names. */
export interface ChosenDraft {
  /** Its place in its run. */
  readonly index: number;
  readonly id: string;
  readonly parent?: string | undefined;
  readonly intention?: string | undefined;
}

/** Which events to prepare. */
export interface PrepareRequest {
  readonly part: number;
  /** The place of the run in the part. */
  readonly run: number;
  readonly chosen: readonly ChosenDraft[];
  /** That of the session. */
  readonly workspace: string;
  /** The time of events that tell none: milliseconds since 1970. */
  readonly now: number;
}

/** An event that the store would refuse. */
export interface RefusedEvent {
  readonly type: EventType;
  readonly code: string;
  readonly message: string;
}

/** The first of the chosen events; the others are asked for anew. */
export interface PreparedBatch {
  /** How many of the chosen ones these are, refused ones included. */
  readonly count: number;
  readonly records: readonly EventRecord[];
  readonly refused: readonly RefusedEvent[];
}

/** Reads transcripts, part by part, and prepares what is wanted of them, in this thread or another. */
export interface TranscriptParts {
  /**
   * The next part, or nothing behind the last one.
   *
   * @param needed - The number of the first part that may still be asked for: those before it are forgotten.
   */
  next(needed: number): Promise<TranscriptPart | undefined>;
  prepare(request: PrepareRequest): Promise<PreparedBatch>;
  close(): Promise<void>;
}
