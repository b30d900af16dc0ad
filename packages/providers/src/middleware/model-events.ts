import type { FinishReason, Usage } from '../models/events.ts';
import type { LLMErrorCode } from '../models/llm-error.ts';

/** A call of a model. */
export interface ObservedCall {
  /** The same in all events of one call, and in no other. */
  readonly callId: string;
  readonly provider: string;
  readonly modelId: string;
}

/** A call came to its end. */
export interface CallEnded extends ObservedCall {
  /** Since the start, in milliseconds. */
  readonly ms: number;
  /** The model that answered, as the provider names it. */
  readonly model?: string;
  /** `unknown` if the reader left. */
  readonly finishReason: FinishReason;
  /** An estimate if the reader left. */
  readonly usage: Usage;
  /** `false`: the reader left before the end. */
  readonly isWhole: boolean;
}

/** A call failed. */
export interface CallFailed extends ObservedCall {
  /** Since the start, in milliseconds. */
  readonly ms: number;
  readonly code: LLMErrorCode;
  /** The message of the error; it may name models and addresses, but holds nothing that was said. */
  readonly message: string;
}

/**
 * The events that `events` emits. Each call starts once and then either ends or fails, and no
 * question or answer is in any event.
 */
export interface ModelEvents {
  'call:started': ObservedCall;
  /** The first piece of content came; `ms` since the start. */
  'call:first-content': { readonly callId: string; readonly ms: number };
  'call:ended': CallEnded;
  'call:failed': CallFailed;
}
