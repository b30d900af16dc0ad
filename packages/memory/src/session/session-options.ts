import {
  type Kinds,
  OBJECT,
  oneOf,
  optional,
  orNull,
  TEXT,
} from '@vizprompt/providers/config/internal';
import { ID, limitKind, WORKSPACE } from '../model/input-kinds.ts';
import type { SessionMetadata } from '../model/session.ts';

/** A session that is to be started. */
export interface NewSession {
  /** Default: a new UUID of version 7. */
  readonly id?: string | undefined;
  /** The folder that is worked in; a relative one is taken from the current one. Default: that one. */
  readonly workspace?: string | undefined;
  /** ISO 8601 with offset. Default: now. */
  readonly startedAt?: string | undefined;
  /** Title, tags, branch and the like, and whatever else is JSON. */
  readonly metadata?: SessionMetadata | undefined;
  /** What to do if there is a session with this id: fail with `exists`, or give that one. Default: `'fail'`. */
  readonly ifExists?: 'fail' | 'keep' | undefined;
}

export const NEW_SESSION: Kinds<NewSession> = {
  id: optional(TEXT, { en: 'Default: a new UUID of version 7' }),
  workspace: WORKSPACE,
  startedAt: optional(TEXT, { en: 'Default: now' }),
  metadata: optional(OBJECT),
  ifExists: optional(oneOf('fail', 'keep')),
};

/** What is to change in a session; the rest stays. */
export interface SessionChange {
  readonly workspace?: string | undefined;
  /** ISO 8601 with offset; `null` opens an ended session again. */
  readonly endedAt?: string | null | undefined;
  /** Keys that are set replace those of the same name; `null` takes one away. */
  readonly metadata?: Readonly<Record<string, SessionMetadata[string] | null>> | undefined;
}

export const SESSION_CHANGE: Kinds<SessionChange> = {
  workspace: WORKSPACE,
  endedAt: optional(orNull(TEXT)),
  metadata: optional(OBJECT),
};

/** Which sessions to list. */
export interface SessionFilter {
  /** Those of this folder, and of all that were declared the same workspace. */
  readonly workspace?: string | undefined;
  /** Those with this tag in their metadata. */
  readonly tag?: string | undefined;
  /** Running or ended ones only. */
  readonly state?: 'active' | 'ended' | undefined;
  /** Those that started before this session, for the next page. */
  readonly before?: string | undefined;
  /** At most this many. Default: 100. */
  readonly limit?: number | undefined;
}

export const SESSION_FILTER: Kinds<SessionFilter> = {
  workspace: WORKSPACE,
  tag: optional(TEXT, {
    en: 'Only those with this tag in their metadata',
    ja: 'このタグのあるものだけ',
  }),
  state: optional(oneOf('active', 'ended'), {
    en: 'Only running or ended ones',
    ja: '進行中だけ(active)、または終わったものだけ(ended)',
  }),
  before: optional(ID, {
    en: 'Those that started before this session: its id',
    ja: 'このセッション(ID)より前に始まったもの',
  }),
  limit: limitKind(100),
};
