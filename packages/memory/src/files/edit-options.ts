import {
  type Kind,
  type Kinds,
  FLAG,
  FUNCTION,
  objectOf,
  optional,
  TEXT,
} from '@vizprompt/providers/config/internal';
import type { EventOf } from '../model/memory-event.ts';

/** A change of a file that the store makes and records; give one of `newContent`, `edit`, `delete`. */
export interface FileEditRequest {
  /** The id of a running session. */
  readonly session: string;
  /** Absolute, or relative to the workspace of the session; it must lie in it, symbolic links followed. */
  readonly path: string;
  /** Why. */
  readonly reason: string;
  /** The whole new text; the file and its folders are made where missing. */
  readonly newContent?: string | undefined;
  /** Replaces a text that stands in the file exactly once, or all of them. */
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
