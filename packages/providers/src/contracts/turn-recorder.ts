import type { Usage } from '../models/events.ts';
import type { Part } from '../models/message.ts';
import type { ErrorJson } from '../errors.ts';

/** How far a turn has come. */
export type TurnStatus = 'pending' | 'done' | 'failed' | 'aborted';

/** One exchange of a conversation: what went in, what came out, and what it followed. */
export interface Turn {
  /** Unique within its conversation. */
  readonly id: string;
  readonly conversationId: string;
  /** The turns before it: none for a first one, several where branches come together. */
  readonly follows: readonly string[];
  /** `aggregate`: made of the turns it follows; `summary`: repeats in short what was said before. */
  readonly kind: 'turn' | 'aggregate' | 'summary';
  readonly status: TurnStatus;
  /** The name of the side that answers, such as an agent or a participant. */
  readonly speaker: string;
  /** The name of the person that asks, if there are several. */
  readonly askedBy?: string;
  readonly input: readonly Part[];
  /** Partial where the status is not `done`. */
  readonly output: readonly Part[];
  /** `provider:model`. */
  readonly model?: string;
  readonly usage?: Usage;
  readonly error?: ErrorJson;
  /** ISO 8601 with offset. */
  readonly startedAt: string;
  readonly endedAt?: string;
}

/**
 * Keeps the turns of conversations that are led elsewhere, such as by a workflow or a moderated
 * talk.
 */
export interface TurnRecorder {
  readonly specVersion: 1;

  /**
   * Records a turn; a turn with the same `conversationId` and `id` is replaced. It is durable when
   * the promise resolves.
   */
  record(turn: Turn): Promise<void>;
}
