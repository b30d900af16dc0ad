import type { JsonObject } from '../json.ts';
import type { Message, ProviderMeta } from './message.ts';

/** A tool that the model may call. */
export interface Tool {
  readonly name: string;
  readonly description?: string;
  /** JSON Schema of the arguments. */
  readonly parameters: JsonObject;
}

/** Which tools the model may, must or must not call. */
export type ToolChoice = 'auto' | 'none' | 'required' | { readonly tool: string };

/** The form that the answer must have. */
export type OutputFormat =
  | { readonly type: 'text' }
  | { readonly type: 'json'; readonly schema?: JsonObject; readonly name?: string };

/** How long to wait, in milliseconds; what is absent has no limit. */
export interface Timeouts {
  /** From the call to the last event. */
  readonly totalMs?: number;
  /** From the call to the first byte of the answer. */
  readonly firstByteMs?: number;
  /** Between two pieces of content. */
  readonly idleMs?: number;
}

/** How much a model should think before it answers. */
export type ReasoningEffort = 'default' | 'none' | 'minimal' | 'low' | 'medium' | 'high';

/** One call of a chat model. Everything but the messages is optional. */
export interface ChatRequest {
  /** The conversation so far; the last message is the one to answer. */
  readonly messages: readonly Message[];
  readonly tools?: readonly Tool[];
  /** Default: `'auto'` when there are tools. */
  readonly toolChoice?: ToolChoice;
  /** Default: `{ type: 'text' }`. */
  readonly output?: OutputFormat;
  /** Tokens. Default: the provider's. */
  readonly maxOutputTokens?: number;
  readonly temperature?: number;
  readonly topP?: number;
  readonly topK?: number;
  /** Texts at which the answer ends; they are not part of it. */
  readonly stop?: readonly string[];
  readonly seed?: number;
  readonly reasoning?: ReasoningEffort;
  /** Stops the call: the stream throws an `LLMError` with the code `aborted`. */
  readonly signal?: AbortSignal;
  readonly timeout?: Timeouts;
  readonly headers?: Readonly<Record<string, string>>;
  /** Settings that only one provider knows, by provider name. */
  readonly providerOptions?: ProviderMeta;
}

/** What a model counts tokens of. */
export interface TokenCountRequest {
  readonly messages: readonly Message[];
  readonly tools?: readonly Tool[];
  readonly signal?: AbortSignal;
}

/** A number of tokens, and whether it was counted or estimated. */
export interface TokenCount {
  readonly tokens: number;
  /** `false`: an estimate, typically within 15 %. */
  readonly exact: boolean;
}
