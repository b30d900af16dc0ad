import { STORABLE } from '../check-values.ts';
import { ID, limitKind, WORKSPACE } from '../model/input-kinds.ts';
import {
  FLAG,
  FUNCTION,
  type Kind,
  type Kinds,
  objectOf,
  optional,
  type OptionalKind,
  TEXT,
} from '@vizprompt/providers/config/internal';
import type { EventOf } from '../model/memory-event.ts';

const ROOT: OptionalKind<string> = optional(TEXT, {
  en: 'Where a relative path begins',
  ja: '相対パスの起点のフォルダー',
  reads: 'path',
});

/** Options of `fileHistory`. */
export interface FileHistoryOptions {
  /**
   * Where a relative path begins; the same file of workspaces that were declared the same counts, too.
   * Default: the current folder.
   */
  readonly workspace?: string | undefined;
  /** Changes older than this event, for the next page. */
  readonly before?: string | undefined;
  /** At most this many. Default: 100. */
  readonly limit?: number | undefined;
}

export const FILE_HISTORY_OPTIONS: Kinds<FileHistoryOptions> = {
  workspace: ROOT,
  before: optional(ID, {
    en: 'Changes older than this event: its id',
    ja: 'このイベント(ID)より古い変更',
  }),
  limit: limitKind(100),
};

/** One change of a file, or the intention of one that was never carried out. */
export interface FileChange {
  /** When it was carried out, or intended: ISO 8601. */
  readonly timestamp: string;
  readonly session_id: string;
  readonly intention?: EventOf<'code_intention'>;
  readonly edit?: EventOf<'file_edit'>;
}

/** Options of `files`. */
export interface FileListOptions {
  /** Only sessions of this folder, and of all that were declared the same. Default: of all sessions. */
  readonly workspace?: string | undefined;
  /** Those after this path, for the next page. */
  readonly after?: string | undefined;
  /** At most this many. Default: 1,000. */
  readonly limit?: number | undefined;
}

export const FILE_LIST_OPTIONS: Kinds<FileListOptions> = {
  workspace: WORKSPACE,
  after: optional(STORABLE, { en: 'Those after this path' }),
  limit: limitKind(1000),
};

/** A file that sessions changed, or meant to change. */
export interface ChangedFile {
  /** Absolute. */
  readonly file_path: string;
  /** How many edits are recorded, failed ones too; 0: there are intentions only. */
  readonly edits: number;
  /** When the newest edit or intention was: ISO 8601. */
  readonly updated_at: string;
}

/** Which version of a file: as it was at a time, or after an event. Without both, as it was recorded last. */
export interface FileMoment {
  /**
   * As it was then: ISO 8601; a date alone is its start in UTC. Without it and `event`, as it was recorded
   * last.
   */
  readonly time?: string | undefined;
  /** The id of an event: the version when it was logged, its own change included. */
  readonly event?: string | undefined;
  /** As that of `fileHistory`. */
  readonly workspace?: string | undefined;
}

export const FILE_MOMENT: Kinds<FileMoment> = {
  time: optional(TEXT, {
    en: 'ISO 8601, such as 2026-01-31T12:00:00+09:00; a date alone is its start in UTC',
    reads: 'time',
  }),
  event: optional(ID, {
    en: 'The id of an event: the text when it was logged, its own change included',
  }),
  workspace: ROOT,
};

/** A file as it was. */
export interface FileSnapshot {
  readonly path: string;
  /** `null` if the file did not exist. */
  readonly content: string | null;
  /** The edit that made it so; before the first edit, the one that found it so. */
  readonly event_id: string;
  readonly timestamp: string;
  /** True if secrets were removed, so that it is not what was in the file. */
  readonly isRedacted: boolean;
}

/** A change of a file that the store makes and records; give one of `newContent`, `edit`, `delete`. */
export interface FileEditRequest {
  /** The id of a running session. */
  readonly session: string;
  /** Absolute, or relative to the workspace of the session; it must be in it, symbolic links followed. */
  readonly path: string;
  /** Why. */
  readonly reason: string;
  /** The whole new text; the file and its folders are made where missing. */
  readonly newContent?: string | undefined;
  /** Replaces a text in the file exactly once, or all of them. */
  readonly edit?:
    | { readonly old: string; readonly new: string; readonly all?: boolean | undefined }
    | undefined;
  /** Deletes the file. */
  readonly delete?: true | undefined;
  /** The event that caused it. */
  readonly parent?: string | undefined;
}

type Replacement = Exclude<FileEditRequest['edit'], undefined>;
/** Anything else must not be taken for a deletion. */
const TRUE: Kind<true> = { expected: 'true', accepts: (value) => value === true };

export const FILE_EDIT_REQUEST: Kinds<FileEditRequest> = {
  session: TEXT,
  path: TEXT,
  reason: TEXT,
  newContent: optional(TEXT),
  edit: optional(objectOf<Replacement>({ old: TEXT, new: TEXT, all: optional(FLAG) })),
  delete: optional(TRUE),
  parent: optional(TEXT),
};

/** A change of a file that others make: a command or an editor. */
export interface RecordEditRequest {
  /** The id of a running session. */
  readonly session: string;
  /** Absolute, or relative to the workspace of the session. */
  readonly path: string;
  /** Why. */
  readonly reason: string;
  /** Makes the change; what it throws is recorded as the error and thrown on. */
  readonly run: () => Promise<unknown>;
  /** The event that caused it. */
  readonly parent?: string | undefined;
}

export const RECORD_EDIT_REQUEST: Kinds<RecordEditRequest> = {
  session: TEXT,
  path: TEXT,
  reason: TEXT,
  run: FUNCTION,
  parent: optional(TEXT),
};

/** A change of a file as it was recorded. */
export interface RecordedEdit {
  readonly intention: EventOf<'code_intention'>;
  readonly edit: EventOf<'file_edit'>;
}
