import type { ChatEvent, ChatResult } from './events.ts';
import type { ListModelsOptions, ModelCapabilities, ModelInfo } from './model-info.ts';
import type { ChatInput, TokenCount, TokenCountRequest } from './request.ts';

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
