import type { FinishReason } from '@vizprompt/providers';
import type { ErrorJson } from '@vizprompt/providers/internal';

/** How far a talk has come: all but `done` can be continued with. `running` is also one that crashed. */
export type TalkStatus = 'running' | 'paused' | 'stopped' | 'failed' | 'done';

/** A speaker that took part. */
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
  /** The file of its config, where it was led from one. */
  readonly configPath?: string;
  /**
   * Problem of its row, reported in lists only; the fields that can be read are given. A query by its id fails with the
   * error `corrupt`.
   */
  readonly damaged?: string;
}

/** The limits that a talk was started with, where they are not those of its config. */
export interface TalkLimits {
  /** Turns of participants. */
  readonly maxTurns?: number;
  readonly rounds?: number;
}

/**
 * The purpose of a turn.
 *
 * - `opening`, `summary`, `closing`: the moderator's; `turn`: a participant's
 * - `said`: by someone outside, through `say`
 * - `choice`, `verdict`: what the moderator decided about the next speaker and about the end; no
 *   participant sees them
 */
export type TalkTurnKind =
  | 'opening'
  | 'turn'
  | 'summary'
  | 'closing'
  | 'said'
  | 'choice'
  | 'verdict';

/**
 * How far a turn has come.
 *
 * - `pending`: the model was, or is, being asked; `done`: finished
 * - `skipped`: nothing usable came, and the talk continued without it; `error` says why
 * - `failed`: the talk ended with it; `aborted`: it was broken off. `resume` asks again for both
 */
export type TalkTurnStatus = 'pending' | 'done' | 'skipped' | 'failed' | 'aborted';

/** One turn, as the log holds it. */
export interface TalkTurn {
  /** The row of the log. */
  readonly id: number;
  readonly conversationId: string;
  /** From 0, in the order of speaking. */
  readonly number: number;
  readonly speaker: string;
  readonly isModerator: boolean;
  readonly kind: TalkTurnKind;
  readonly status: TalkTurnStatus;
  /** `provider:model`; absent for people. */
  readonly model?: string;
  /** The prompt, as text. Left out (`''`) where turns are only read back to continue. */
  readonly prompt: string;
  /** The words of the turn; as far as they came where the status is `failed` or `aborted`. */
  readonly text: string;
  /**
   * Why the answer ended, as the provider says: `length` where it was cut off, `content-filter` where it was
   * held back. Absent for people, and where no answer came.
   */
  readonly finishReason?: FinishReason;
  /** How often the model was asked for this turn: 1, and one more for each repetition. */
  readonly attempt: number;
  /** ISO 8601 with offset. */
  readonly startedAt: string;
  /** Milliseconds from asking to the whole answer, repetitions and their waits included. */
  readonly latencyMs?: number;
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  /** US dollars, where the config has a price for the model. */
  readonly costUsd?: number;
  readonly error?: ErrorJson;
  /** The speakers that see it, besides its own and the moderator. Absent: everyone. */
  readonly visibleTo?: readonly string[];
}

/** Checks whether a turn has to be asked for again when its talk continues. */
export function isUnfinished({ status }: Pick<TalkTurn, 'status'>): boolean {
  return status === 'pending' || status === 'failed' || status === 'aborted';
}
