import type { LineCounts } from '../counts.ts';
import type { EventDraft, SessionDraft } from '../draft.ts';
import type { LinePlace } from './import-options.ts';

/** What of a draft tells whether it is new. */
export type DraftHead = Pick<EventDraft, 'key' | 'alias' | 'parent' | 'intention' | 'unlessWhole'>;

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

/** A draft that becomes an event, and the ids that it has and names. */
export interface ChosenDraft {
  /** Its place in its run. */
  readonly index: number;
  readonly id: string;
  readonly parent?: string | undefined;
  readonly intention?: string | undefined;
}
