import type {
  EmbeddingModelV3CallOptions,
  LanguageModelV3,
  LanguageModelV3CallOptions,
  LanguageModelV3FinishReason,
  LanguageModelV3ReasoningPart,
  LanguageModelV3TextPart,
  LanguageModelV3ToolCallPart,
  SharedV3ProviderOptions,
  SharedV3Warning,
} from '@ai-sdk/provider';
import type { ReasoningEffort } from '../models/request.ts';
import type { PlainJson } from './json.ts';

/** A language model of the AI SDK: of `ai` 6 (v3) or of `ai` 7 (v4). */
export type AiSdkLanguageModel = LanguageModelV3 | LanguageModelV4Like;

/**
 * The part of the v4 specification that {@link fromAiSdk} needs. It is written out here, so that
 * either generation of `@ai-sdk/provider` may be installed.
 */
interface LanguageModelV4Like {
  readonly specificationVersion: 'v4';
  readonly provider: string;
  readonly modelId: string;
  doStream(options: CallOptionsV4): PromiseLike<{
    readonly stream: ReadableStream<AiSdkStreamPart>;
    readonly response?: { readonly headers?: Record<string, string> };
  }>;
}

/** How v4 gives file data. */
export type FileDataV4 =
  | { readonly type: 'data'; readonly data: Uint8Array | string }
  | { readonly type: 'url'; readonly url: URL };

/** A file in a prompt; the generations differ in how the data is given. */
export interface PromptFile<Data> {
  type: 'file';
  filename?: string;
  data: Data;
  mediaType: string;
  providerOptions?: SharedV3ProviderOptions;
}

/** Content of v4 that only its provider understands. */
export interface PromptCustom {
  type: 'custom';
  kind: `${string}.${string}`;
  providerOptions?: SharedV3ProviderOptions;
}

/** A file that a tool gave back, in the form of v3. */
export type ResultFileV3 =
  | { type: 'file-data'; data: string; mediaType: string; filename?: string }
  | { type: 'file-url'; url: string; mediaType?: string };

/** A file that a tool gave back, in the form of v4. */
export interface ResultFileV4 {
  type: 'file';
  data: FileDataV4;
  mediaType: string;
  filename?: string;
}

/** The output of a tool; the versions of the specification differ in the form of files. */
export interface PromptToolResult<ResultFile> {
  type: 'tool-result';
  toolCallId: string;
  toolName: string;
  output:
    | { type: 'text' | 'error-text'; value: string }
    | { type: 'json' | 'error-json'; value: PlainJson }
    | { type: 'content'; value: ({ type: 'text'; text: string } | ResultFile)[] };
  providerOptions?: SharedV3ProviderOptions;
}

/** A message of a prompt. `File`, `Thought` and `ResultFile` are what the generations write differently. */
export type PromptMessage<File, Thought, ResultFile> = {
  providerOptions?: SharedV3ProviderOptions;
} & (
  | { role: 'system'; content: string }
  | { role: 'user'; content: (LanguageModelV3TextPart | File)[] }
  | {
      role: 'assistant';
      content: (
        | LanguageModelV3TextPart
        | File
        | Thought
        | LanguageModelV3ToolCallPart
        | PromptToolResult<ResultFile>
      )[];
    }
  | { role: 'tool'; content: PromptToolResult<ResultFile>[] }
);

/** The options of a v4 call. */
export interface CallOptionsV4 extends Omit<LanguageModelV3CallOptions, 'prompt'> {
  prompt: PromptMessage<
    PromptFile<FileDataV4>,
    LanguageModelV3ReasoningPart | PromptCustom,
    ResultFileV4
  >[];
  reasoning?: 'provider-default' | Exclude<ReasoningEffort, 'default'>;
}

/** A warning of either generation. */
export type AiSdkWarning =
  | SharedV3Warning
  | { readonly type: 'deprecated'; readonly setting: string; readonly message: string };

/** Token counts of either generation. */
export interface AiSdkUsage {
  readonly inputTokens: {
    readonly total: number | undefined;
    readonly cacheRead: number | undefined;
    readonly cacheWrite?: number | undefined;
  };
  readonly outputTokens: {
    readonly total: number | undefined;
    readonly reasoning: number | undefined;
  };
  readonly raw?: object;
}

/** The provider's data on a piece. */
interface Noted {
  readonly providerMetadata?: Readonly<Record<string, object>>;
}

/** A whole file in a stream. */
export interface StreamFile extends Noted {
  readonly type: 'file' | 'reasoning-file';
  readonly mediaType: string;
  readonly data: Uint8Array | string | FileDataV4;
}

/** A whole tool call in a stream. */
interface StreamToolCall extends Noted {
  readonly type: 'tool-call';
  readonly toolCallId: string;
  readonly toolName: string;
  /** Raw JSON text. */
  readonly input: string;
  readonly providerExecuted?: boolean;
}

/** The result of a tool that the provider ran. */
export interface StreamToolResult extends Noted {
  readonly type: 'tool-result';
  readonly toolCallId: string;
  readonly toolName: string;
  readonly result: unknown;
  readonly isError?: boolean;
  readonly preliminary?: boolean;
}

/** The end of a stream. */
export interface StreamFinish extends Noted {
  readonly type: 'finish';
  readonly usage: AiSdkUsage;
  readonly finishReason: {
    readonly unified: LanguageModelV3FinishReason['unified'] | 'interrupted';
    readonly raw: string | undefined;
  };
}

/** A piece of a text block, of a thought, or of the input of a tool. */
type StreamBlock = Noted & { readonly id: string } & (
    | { readonly type: 'text-start' | 'text-end' | 'reasoning-start' | 'reasoning-end' }
    | { readonly type: 'text-delta' | 'reasoning-delta'; readonly delta: string }
    | { readonly type: 'tool-input-start'; readonly toolName: string }
    | { readonly type: 'tool-input-delta'; readonly delta: string }
    | { readonly type: 'tool-input-end' }
  );

/** A piece of the stream of either generation. */
export type AiSdkStreamPart =
  | { readonly type: 'stream-start'; readonly warnings: readonly AiSdkWarning[] }
  | { readonly type: 'response-metadata'; readonly id?: string; readonly modelId?: string }
  | StreamBlock
  | StreamToolCall
  | StreamToolResult
  | StreamFile
  | (Noted & { readonly type: 'custom'; readonly kind: string })
  | { readonly type: 'source' | 'tool-approval-request' | 'raw' | 'ping' }
  | { readonly type: 'error'; readonly error: unknown }
  | StreamFinish;

/** An embedding model of the AI SDK, of either generation. */
export interface AiSdkEmbeddingModel {
  readonly specificationVersion: 'v3' | 'v4';
  readonly provider: string;
  readonly modelId: string;
  readonly maxEmbeddingsPerCall: PromiseLike<number | undefined> | number | undefined;
  doEmbed(options: EmbeddingModelV3CallOptions): PromiseLike<{
    readonly embeddings: readonly (readonly number[])[];
    readonly usage?: { readonly tokens: number };
    readonly response?: { readonly headers?: Record<string, string> };
  }>;
}
