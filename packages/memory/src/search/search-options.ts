import type { Snippet } from '@vizprompt/providers/text';
import {
  AT_A_TIME,
  FLAG,
  type Kinds,
  optional,
  SIGNAL,
  TEXT,
} from '@vizprompt/providers/config/internal';
import type { EventType } from '../model/event-data.ts';
import { limitKind, SESSION, timeKind, TYPE, WORKSPACE } from '../model/input-kinds.ts';
import type { MemoryEvent } from '../model/memory-event.ts';
import type { SessionInfo } from '../model/session.ts';

/** Where to search. */
export interface SearchFilter {
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

/** Where to search, and how much to give. */
export interface SearchOptions extends SearchFilter {
  /** How many at most. Default: 10. */
  readonly k?: number | undefined;
  /**
   * Whether events that have none of the words are found, too, next to ones that have: the answer beside
   * the question. The filters hold for them, too. Default: `false`; what stands around an event counts for its place in any case.
   */
  readonly around?: boolean | undefined;
  /**
   * How many events with a frequent word are looked at, the newest first: it bounds the time. Of the rarest
   * words of the query all are looked at, as long as they are at most five times as many together. `Infinity`
   * looks at all. Default: 500.
   */
  readonly cap?: number | undefined;
  /**
   * Whether events are found by meaning, too, where the memory has `embeddings`. Default: `true`, unless the
   * query has text between double quotes.
   */
  readonly vectors?: boolean | undefined;
  /** Ends the search. */
  readonly signal?: AbortSignal | undefined;
}

export const SEARCH_OPTIONS: Kinds<SearchOptions> = {
  ...SEARCH_FILTER,
  k: limitKind(10),
  around: optional(FLAG, {
    en: 'Also events without the words that are next to ones with them',
    ja: '語を含むイベントの隣にある、語を含まないイベントも',
  }),
  cap: optional(AT_A_TIME, { isCodeOnly: true }),
  vectors: optional(FLAG, {
    en: 'Also events of the same meaning, where the memory has embeddings',
    ja: '意味の近いイベントも(埋め込みがあるとき)',
  }),
  signal: optional(SIGNAL),
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
