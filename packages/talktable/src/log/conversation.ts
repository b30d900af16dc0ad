/** How far a talk has come: all but `done` can be gone on with. `running` is also one that crashed. */
export type TalkStatus = 'running' | 'paused' | 'stopped' | 'failed' | 'done';

/** Who took part. */
export interface ConversationSpeaker {
  readonly name: string;
  /** `provider:model`; absent for people. */
  readonly model?: string;
  readonly persona?: string;
}

/** A talk, as the log holds it. */
export interface Conversation {
  readonly id: string;
  readonly topic: string;
  readonly participants: readonly ConversationSpeaker[];
  readonly moderator?: ConversationSpeaker;
  /** ISO 8601 with offset. */
  readonly startedAt: string;
  readonly endedAt?: string;
  readonly status: TalkStatus;
  /** Why it ended, such as `rounds: 3`. */
  readonly stopReason?: string;
  /** The message of the error that it failed with. */
  readonly error?: string;
}

/** The limits that a talk was started with, where they are not those of its config. */
export interface TalkLimits {
  /** Turns of participants. */
  readonly maxTurns?: number;
  readonly rounds?: number;
}
