import type { SessionMetadata } from '../model/session.ts';

/** A session that is to be started. */
export interface NewSession {
  /** Default: a new UUID of version 7. */
  readonly id?: string;
  /** The folder that is worked in; a relative one is taken from the current one. Default: that one. */
  readonly workspace?: string;
  /** ISO 8601 with offset. Default: now. */
  readonly startedAt?: string;
  /** Title, tags, branch and the like, and whatever else is JSON. */
  readonly metadata?: SessionMetadata;
  /** What to do if there is a session with this id: fail with `exists`, or give that one. Default: `'fail'`. */
  readonly ifExists?: 'fail' | 'keep';
}

/** What is to change in a session; the rest stays. */
export interface SessionChange {
  readonly workspace?: string;
  /** ISO 8601 with offset; `null` opens an ended session again. */
  readonly endedAt?: string | null;
  /** Keys that are set replace those of the same name; `null` takes one away. */
  readonly metadata?: Readonly<Record<string, SessionMetadata[string] | null>>;
}

/** Which sessions to list. */
export interface SessionFilter {
  /** Those of this folder, and of all that were declared the same workspace. */
  readonly workspace?: string;
  /** Those with this tag in their metadata. */
  readonly tag?: string;
  /** Running or ended ones only. */
  readonly state?: 'active' | 'ended';
  /** Those that started before this session, for the next page. */
  readonly before?: string;
  /** At most this many. Default: 100. */
  readonly limit?: number;
}
