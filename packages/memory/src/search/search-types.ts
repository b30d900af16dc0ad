import { type Kinds, optional, TEXT } from '@vizprompt/providers/config/internal';
import type { Snippet } from '@vizprompt/providers/text';
import type { EventType } from '../model/event-data.ts';
import { SESSION, timeKind, TYPE, WORKSPACE } from '../model/input-kinds.ts';
import type { MemoryEvent } from '../model/memory-event.ts';
import type { SessionInfo } from '../model/session.ts';
import { AUDIENCE, type Audience } from '../session/audience.ts';

/** Where to search. */
export interface SearchFilter extends Audience {
  /** The sessions of this folder, and of all that were declared the same workspace. */
  readonly workspace?: string | undefined;
  /** The id of a session. */
  readonly session?: string | undefined;
  /** Events of this type, or of any of these. */
  readonly type?: EventType | readonly EventType[] | undefined;
  /**
   * Intentions and edits of this file: absolute, or relative to `workspace`; without one to that of
   * `session`, and without both to the current folder.
   */
  readonly path?: string | undefined;
  /** Events that happened later than this: ISO 8601. */
  readonly after?: string | undefined;
  /** Events that happened earlier than this: ISO 8601. */
  readonly before?: string | undefined;
}

export const SEARCH_FILTER: Kinds<SearchFilter> = {
  ...AUDIENCE,
  workspace: WORKSPACE,
  session: SESSION,
  type: TYPE,
  path: optional(TEXT, {
    en: 'Only intentions and edits of this file',
    ja: 'このファイルの意図と編集だけ',
  }),
  after: timeKind('Only events later than this', 'この時刻より後のイベントだけ'),
  before: timeKind('Only events earlier than this', 'この時刻より前のイベントだけ'),
};

/** An event that was found. */
export interface SearchHit {
  /** Without `old_content` and `new_content`: `getEvent` reads them. */
  readonly event: MemoryEvent;
  /** Higher is better; comparable within one answer only. */
  readonly score: number;
  /** The piece of the event that shows best what was found, with what to highlight. */
  readonly snippet: Snippet;
}

/** A session that was found. */
export interface SessionHit {
  readonly session: SessionInfo;
  /** Higher is better; comparable within one answer only. */
  readonly score: number;
  /** Its best events, at most three, the best first. */
  readonly events: readonly SearchHit[];
}
