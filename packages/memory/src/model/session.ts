import type { JsonValue } from '@vizprompt/providers';

/** Facts about a session besides its times; further keys are kept as they are. */
export interface SessionMetadata {
  /** The git branch. */
  readonly branch?: string | undefined;
  readonly initial_context?: string | undefined;
  /** The person that it is with, and the room that it is in, as the application names them. */
  readonly user?: string | undefined;
  readonly room?: string | undefined;
  /** To find sessions by. */
  readonly tags?: readonly string[] | undefined;
  readonly [key: string]: JsonValue | undefined;
}

/** One session of an agent: the unit of memory. */
export interface Session {
  readonly id: string;
  /** Absolute path of the folder that was worked in. */
  readonly workspace_path: string;
  /** ISO 8601, in UTC. */
  readonly started_at: string;
  /** ISO 8601, in UTC; `null` while it runs. */
  readonly ended_at: string | null;
  readonly metadata: SessionMetadata;
}

/** A session with what happened in it so far. */
export interface SessionInfo extends Session {
  /** Also the sequence of its newest event. */
  readonly event_count: number;
  /** When it or its events last changed: ISO 8601, in UTC. */
  readonly updated_at: string;
  /** In a list: which column cannot be read, and why. Metadata that cannot be read are empty. */
  readonly damaged?: string;
}
