import { FLAG, type Kinds, optional } from '@vizprompt/providers/config/internal';
import type { EventFilter } from '../../log/list-events.ts';
import type { LogManyOptions } from '../../log/log-events.ts';
import type { EventType } from '../../model/event-data.ts';
import { SIGNAL_OPTION, type SignalOption } from '../../model/input-kinds.ts';
import type { MemoryEvent, NewEvent } from '../../model/memory-event.ts';
import type { SessionInfo } from '../../model/session.ts';
import type { SessionChange } from '../../session/change-session.ts';
import type { NewSession } from '../../session/start-session.ts';
import type { TranscriptAgent } from '../draft.ts';

/** Options of `importTranscript`. */
export interface ImportTranscriptOptions {
  /** The program that wrote it. Default: found out for each file. */
  readonly agent?: TranscriptAgent | undefined;
  /** The workspace of all sessions. Default: the folder that each transcript names. */
  readonly workspace?: string | undefined;
  /**
   * Says that the files do not grow any more: their sessions are ended, and calls that never returned are
   * recorded without a result. Default: for files that did not change for a day.
   */
  readonly closed?: boolean | undefined;
  /** Stops between two parts; what was written stays, and importing again continues. */
  readonly signal?: AbortSignal | undefined;
  /** Called after each part that was written, and at the end of each file. */
  readonly onProgress?: ((progress: ImportProgress) => void) | undefined;
}

/** How far an import has come. */
export interface ImportProgress {
  readonly file: string;
  /** Files that are done. */
  readonly files: number;
  readonly totalFiles: number;
  /** Bytes read, of all files. */
  readonly bytes: number;
  readonly totalBytes: number;
  /** Events added. */
  readonly events: number;
}

/** The place of a line. */
export interface LinePlace {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** Byte offset of the line's beginning. */
  readonly offset: number;
}

/** The result of `importTranscript`. */
export interface TranscriptReport {
  /** Files that were read. */
  readonly files: number;
  readonly bytes: number;
  /** Files that hold no transcript, and why. */
  readonly skippedFiles: readonly { readonly file: string; readonly reason: string }[];
  /** The ids of the sessions in the files. */
  readonly sessions: readonly string[];
  /** Events that were added. */
  readonly added: number;
  /** Events that were there already. */
  readonly skipped: number;
  /** Those that were added, by type. */
  readonly events: Readonly<Partial<Record<EventType, number>>>;
  /** Lines and parts of messages that this version does not know, by type. They are kept in `meta`. */
  readonly unknown: Readonly<Record<string, number>>;
  /** Lines that are known and no events, by type: what they say is in the session, or is the program's own. They are left out. */
  readonly kept: Readonly<Record<string, number>>;
  /** Lines that only say in between what others say in the end, by type. They are left out. */
  readonly passing: Readonly<Record<string, number>>;
  /** Last lines without an end, which are not JSON yet: the next import reads them again. */
  readonly torn: readonly LinePlace[];
  /** Lines in between that are not JSON. They are kept. */
  readonly broken: readonly LinePlace[];
  /** Events that the store refused, such as for their size. */
  readonly refused: readonly {
    readonly file: string;
    readonly type: EventType;
    readonly code: string;
    readonly message: string;
  }[];
  /** Thoughts of which the provider gives no text. */
  readonly emptyThoughts: number;
  /** Edits whose text before or afterwards is not in the transcript. */
  readonly unknownTexts: number;
  /** Calls that have not returned when the file ends. The next import takes them up. */
  readonly openCalls: number;
}

/** The methods of a store that take in what transcripts hold. */
export interface TranscriptStore {
  startSession(session: NewSession): Promise<SessionInfo>;
  updateSession(id: string, change: SessionChange): Promise<SessionInfo>;
  getSession(id: string): Promise<SessionInfo>;
  getEvent(id: string): Promise<MemoryEvent>;
  knownEvents(ids: readonly string[]): Promise<ReadonlySet<string>>;
  events(session: string, filter: EventFilter): AsyncIterable<MemoryEvent>;
  logMany(
    session: string,
    events: readonly NewEvent[],
    options: LogManyOptions,
  ): Promise<readonly MemoryEvent[]>;
}

/** Options of `ingestHooks`. */
export interface IngestOptions extends SignalOption {
  /** Counts the calls that wait, and stores none. Default: `false`. */
  readonly dryRun?: boolean | undefined;
}

export const INGEST_OPTIONS: Kinds<IngestOptions> = { ...SIGNAL_OPTION, dryRun: optional(FLAG) };
