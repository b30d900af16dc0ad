import type { JsonValue } from '../json/json-value.ts';
import type { ChatEvent, ChatResult } from './events.ts';
import type { ChatInput, ChatRequest, TokenCount, TokenCountRequest } from './request.ts';

/**
 * A model that answers messages.
 *
 * Streaming is the one way in: `generate` is the collected stream. Both take a text, a request, and messages in the forms
 * of OpenAI, Anthropic and the AI SDK, which the models of this SDK read by `readChatInput`. Both throw `LLMError` and
 * nothing else. A stream that ends without a `finish` event is a failure, never a short answer.
 *
 * @example
 * ```ts
 * for await (const event of model.stream({ prompt: 'Hello' })) {
 *   if (event.type === 'text-delta') process.stdout.write(event.text);
 * }
 * ```
 */
export interface ChatModel {
  readonly specVersion: 1;
  /** Such as `openai` or `ollama`. */
  readonly provider: string;
  /** As the provider names it, such as `qwen3:8b`. */
  readonly modelId: string;
  /** Where it is asked, without secrets, such as `https://api.openai.com/v1`; absent without a server. */
  readonly address?: string;
  readonly capabilities: ModelCapabilities;

  /**
   * Answers piece by piece. Nothing is sent before the first event is asked for; leaving the loop
   * stops the call.
   *
   * @throws LLMError while iterating.
   */
  stream(request: ChatInput): AsyncIterable<ChatEvent>;

  /**
   * Answers as a whole.
   *
   * @throws LLMError with what had arrived in `partial`.
   */
  generate(request: ChatInput): Promise<ChatResult>;

  /**
   * Loads what the model needs to be asked, and looks for its key, without asking it: so what is missing is
   * known before anything is written down. Absent where nothing of this kind can be missing.
   *
   * @throws LLMError with the code `unsupported`, which names the package to install, or `auth`.
   */
  prepare?(): Promise<void>;

  /**
   * Counts the tokens of a request without running it. Absent where the provider has no way.
   *
   * @throws LLMError
   */
  countTokens?(request: TokenCountRequest): Promise<TokenCount>;

  /**
   * Lists the models that the server of this one has. Absent where the provider has no way.
   *
   * @throws LLMError
   */
  listModels?(options?: ListModelsOptions): Promise<readonly ModelInfo[]>;
}

/** Describes a model that a server has. */
export interface ModelInfo {
  /** The name by which it is asked. */
  readonly id: string;
  /** The name for people, where the server has one. */
  readonly name?: string;
  /** Its capabilities, as far as the server or its name shows them. */
  readonly capabilities: ModelCapabilities;
  /** The server's own record. */
  readonly raw: JsonValue;
}

/** Options of `listModels`. */
export interface ListModelsOptions {
  /** Stops the call. */
  readonly signal?: AbortSignal | undefined;
}

/** The capabilities of a model. Absent ones are unknown. */
export interface ModelCapabilities {
  readonly tools?: boolean;
  /** Answers that follow a JSON Schema. */
  readonly jsonSchema?: boolean;
  readonly reasoning?: boolean;
  /** Media types of {@link FilePart}s that it reads; `image/*` means all images. */
  readonly inputMediaTypes?: readonly string[];
  /** Tokens that prompt and answer may have together. */
  readonly contextWindow?: number;
  /** Tokens that an answer may have. */
  readonly maxOutputTokens?: number;
}

/**
 * A layer around a model: it may change the request, the events, or decide not to call at all.
 * Put layers around a model by `compose`.
 *
 * A layer reads the events of `next` with `for await` (or `yield*`), so that the model is stopped when the
 * reader leaves early. `next` may be called several times; each call asks the model again. It
 * throws only `LLMError`.
 *
 * @example
 * ```ts
 * const polite: Middleware = {
 *   name: 'polite',
 *   stream: (request, next) =>
 *     next({ ...request, messages: [textMessage('system', 'Be polite.'), ...request.messages] }),
 * };
 * const model = compose(openai({ model: 'gpt-5' }), polite);
 * ```
 */
export interface Middleware {
  /** For messages of errors. */
  readonly name: string;

  /**
   * Answers a request.
   *
   * @param next - The layers below and, below them, the model.
   * @param model - The model itself, to know who it is; call it through `next`.
   */
  stream(
    request: ChatRequest,
    next: (request: ChatRequest) => AsyncIterable<ChatEvent>,
    model: ChatModel,
  ): AsyncIterable<ChatEvent>;
}
