import type { EmbeddingModel } from './embedding-model.ts';
import type { ChatModel, ModelInfo } from './chat-model.ts';

/** The settings of a provider in a configuration file. */
export interface ProviderSettings {
  /** The key itself. */
  readonly apiKey?: string | undefined;
  /** The address of the server, such as `http://localhost:11434`. */
  readonly baseURL?: string | undefined;
}

/**
 * Makes models from names such as `ollama:llama3`: provider, colon, model. Only the first colon
 * counts, so model names may hold more of them.
 */
export interface ModelRegistry {
  readonly specVersion: 1;

  /**
   * @param name - `provider:model` or an alias that the registry knows.
   * @param settings - Override the settings of the registry for the provider. The key and headers of the
   * registry are sent to its own address only, and not to a `baseURL` that is given here.
   * @throws LLMError with the code `not_found` that lists what exists.
   */
  model(name: string, settings?: ProviderSettings): ChatModel;

  /** Returns the same for embedding models. */
  embeddings(name: string, settings?: ProviderSettings): EmbeddingModel;

  /**
   * Lists the models of a provider, such as `'ollama'`. Absent where a registry has no way.
   *
   * @throws LLMError with the code `not_found` for a provider that does not exist, and `unsupported` for one without a list.
   */
  listModels?(provider: string, settings?: ProviderSettings): Promise<readonly ModelInfo[]>;
}
