import type { JsonObject } from '../json/json-value.ts';
import type { Message, ProviderMeta } from './message.ts';

/** A tool that the model may call. */
export interface Tool {
  readonly name: string;
  readonly description?: string | undefined;
  /** JSON Schema of the arguments. */
  readonly parameters: JsonObject;
}

/** Which tools the model may, must or must not call. */
export type ToolChoice = 'auto' | 'none' | 'required' | { readonly tool: string };

/** The form that the answer must have. */
export type OutputFormat =
  | { readonly type: 'text' }
  | {
      readonly type: 'json';
      readonly schema?: JsonObject | undefined;
      readonly name?: string | undefined;
    };

/** How long to wait, in milliseconds; what is absent has no limit. */
export interface Timeouts {
  /** From the call to the last event. */
  readonly totalMs?: number | undefined;
  /** From the call to the first piece of the answer; headers and keep-alive comments are none. */
  readonly firstByteMs?: number | undefined;
  /** Between two pieces of the answer. The wait before the first is limited by `firstByteMs`. */
  readonly idleMs?: number | undefined;
}

/**
 * How much a model should think before it answers. A level that a server does not have becomes the nearest one that it
 * has.
 */
export type ReasoningEffort =
  | 'default'
  | 'none'
  | 'minimal'
  | 'low'
  | 'medium'
  | 'high'
  | 'xhigh'
  | 'max';

/** One call of a chat model. Everything but the messages is optional. */
export interface ChatRequest {
  /** The conversation so far; the last message is the one to answer. */
  readonly messages: readonly Message[];
  /** The tools that the model may call. */
  readonly tools?: readonly Tool[] | undefined;
  /** Allows, requires or forbids calls of tools. Default: `'auto'` when there are tools. */
  readonly toolChoice?: ToolChoice | undefined;
  /** The form that the answer must have. Default: `{ type: 'text' }`. */
  readonly output?: OutputFormat | undefined;
  /** Tokens. Default: the provider's. */
  readonly maxOutputTokens?: number | undefined;
  /** How freely words are chosen. Default: the provider's, as with the other settings below. */
  readonly temperature?: number | undefined;
  /** Only the likeliest words that together have this probability, 0 to 1. */
  readonly topP?: number | undefined;
  /** Only this many of the likeliest words. */
  readonly topK?: number | undefined;
  /** Texts at which the answer ends; they are not part of it. */
  readonly stop?: readonly string[] | undefined;
  /** The same seed gives the same answer, as far as the provider can promise it. */
  readonly seed?: number | undefined;
  /** How much the model should think before it answers. */
  readonly reasoning?: ReasoningEffort | undefined;
  /** Stops the call: the stream throws an `LLMError` with the code `aborted`. */
  readonly signal?: AbortSignal | undefined;
  /** How long to wait, in milliseconds. Default: no limit. */
  readonly timeout?: Timeouts | undefined;
  /** Sent with this request. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Settings that only one provider knows, by provider name. */
  readonly providerOptions?: ProviderMeta | undefined;
}

/**
 * A message in the form of another SDK: of OpenAI's Chat Completions, Anthropic's Messages, or the AI SDK. Its `content` is
 * a text or a list of texts, files, thoughts, calls of tools and their results.
 */
export interface ContentMessage {
  /** `system`, `developer`, `user`, `assistant`, `tool` or `function`. */
  readonly role: string;
  readonly content?: string | readonly (object | string)[] | null | undefined;
  /** OpenAI: the calls of an answer. */
  readonly tool_calls?: readonly object[] | null | undefined;
  /** OpenAI: the call that a message of the role `tool` answers. */
  readonly tool_call_id?: string | undefined;
  /** OpenAI: the tool that a message of the role `tool` is from. */
  readonly name?: string | null | undefined;
  /** AI SDK: settings of providers, which become `meta`. */
  readonly providerOptions?: object | undefined;
}

/** The input of a model: a string of the user, a `prompt`, or a whole request. */
export type ChatInput =
  | string
  | (Omit<ChatRequest, 'messages'> &
      (
        | {
            /** The conversation so far, in any of the forms; the last message is the one to answer. */
            readonly messages: readonly (Message | ContentMessage)[];
            readonly prompt?: undefined;
          }
        | {
            readonly messages?: readonly (Message | ContentMessage)[] | undefined;
            /** The last message of the user. */
            readonly prompt: string;
          }
      ));

/** The part of a request that counts for tokens. */
export interface TokenCountRequest {
  readonly messages: readonly (Message | ContentMessage)[];
  readonly tools?: readonly Tool[] | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A number of tokens, and whether it was counted or estimated. */
export interface TokenCount {
  readonly tokens: number;
  /** `false`: an estimate, typically within 15 %. */
  readonly exact: boolean;
}
