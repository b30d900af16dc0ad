import type { JsonValue } from '../json/json-value.ts';
import type { Part, ProviderMeta } from './message.ts';

/** The usage of a call. Absent numbers were not reported by the provider. */
export interface Usage {
  /** All tokens of the prompt, cached ones included. */
  readonly inputTokens?: number;
  /** All tokens of the answer, reasoning included. */
  readonly outputTokens?: number;
  /** The share of `outputTokens` that was spent on thinking. */
  readonly reasoningTokens?: number;
  /** The share of `inputTokens` that came from the provider's cache. */
  readonly cachedInputTokens?: number;
  /** The share of `inputTokens` that was written to the provider's cache. */
  readonly cacheWriteInputTokens?: number;
  /** `true` when the numbers are the SDK's own, as after an abort. */
  readonly estimated?: boolean;
  /** The provider's own record. */
  readonly raw?: JsonValue;
}

/** Why an answer ended. */
export type FinishReason =
  | 'stop'
  | 'length'
  | 'tool-calls'
  | 'content-filter'
  | 'error'
  | 'unknown';

/** Something the provider did not do as asked, such as an option it does not know. */
export interface ChatWarning {
  readonly message: string;
  /** The request field in question. */
  readonly field?: string;
}

/** The first event of each stream. */
export interface StartEvent {
  readonly type: 'start';
  /** The provider's id of the answer. */
  readonly id?: string;
  /** The model that answers, as the provider names it. */
  readonly model?: string;
  readonly warnings: readonly ChatWarning[];
}

/** A piece of text or of reasoning; `index` is the place of its part in the answer. */
export interface DeltaEvent {
  readonly type: 'text-delta' | 'reasoning-delta';
  readonly index: number;
  readonly text: string;
}

/** A piece of the arguments of a tool call, as raw JSON text. */
export interface ToolCallDeltaEvent {
  readonly type: 'tool-call-delta';
  readonly index: number;
  readonly id: string;
  readonly name: string;
  readonly inputDelta: string;
}

/** A part is complete. Every part of the answer comes once in this form. */
export interface PartEvent {
  readonly type: 'part';
  readonly index: number;
  readonly part: Part;
}

/** The last event of each stream that did not throw. */
export interface FinishEvent {
  readonly type: 'finish';
  readonly reason: FinishReason;
  /** The provider's own word for the reason. */
  readonly rawReason?: string;
  readonly usage: Usage;
  readonly meta?: ProviderMeta;
}

/** The events of a stream: one `start`, deltas and parts, one `finish`. Errors are thrown. */
export type ChatEvent = StartEvent | DeltaEvent | ToolCallDeltaEvent | PartEvent | FinishEvent;

/** A whole answer. */
export interface ChatResult {
  readonly id?: string;
  readonly model?: string;
  /** In the order the model gave them. */
  readonly parts: readonly Part[];
  /** The text parts, joined. */
  readonly text: string;
  readonly finishReason: FinishReason;
  readonly rawFinishReason?: string;
  readonly usage: Usage;
  readonly warnings: readonly ChatWarning[];
  readonly meta?: ProviderMeta;
}
