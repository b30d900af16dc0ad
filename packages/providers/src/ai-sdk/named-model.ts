import { defineModel } from '../adapter-kit/define-model.ts';
import type { ChatModel } from '../models/chat-model.ts';
import type { EmbeddingModel } from '../models/embedding-model.ts';
import type { ProviderSettings } from '../models/model-registry.ts';
import { echoFetch } from './echo-answer.ts';
import { embedWith, embeddingDefinition } from './embeddings.ts';
import { callAiSdk } from './from-ai-sdk.ts';
import { loadEmbeddingModel, loadLanguageModel, readNamedPackage } from './named-package.ts';
import { readAiSdkFailure } from './read-failure.ts';
import { checkOptions } from '../adapter-kit/check-options.ts';
import { NONEMPTY, TEXT, optional, type Kinds } from '../input/kinds.ts';

/** A model of a package of the AI SDK, and what its provider is created with. */
export interface AiSdkChoice extends ProviderSettings {
  /** `package:model`, such as `@ai-sdk/mistral:mistral-large-latest`. */
  readonly model: string;
}

const CHOICE: Kinds<AiSdkChoice> = {
  model: NONEMPTY,
  apiKey: optional(TEXT),
  baseURL: optional(TEXT),
};

/**
 * Returns a model of any provider of the AI SDK by the name of its package, which is loaded with the first call. It must be
 * installed where this package is. Without `apiKey` and `baseURL` the provider reads its own variables.
 *
 * @throws LLMError with the code `not_found` for an invalid name; when it answers, `unsupported` for a package that is
 *   not installed (with the command to install it) or is not a provider.
 *
 * @example
 * ```ts
 * const model = aiSdkModel({ model: '@ai-sdk/mistral:mistral-large-latest' });
 * ```
 */
export function aiSdkModel(choice: AiSdkChoice): ChatModel {
  const { model, ...settings } = checkOptions('aiSdkModel', choice, CHOICE);
  const named = readNamedPackage(model);
  const load = once(() => loadLanguageModel(named, settings));
  return defineModel({
    identity: identityOf(model, settings),
    capabilities: {},
    fetch: echoFetch,
    readFailure: readAiSdkFailure,
    prepare: load,
    async *call(request, wire) {
      yield* callAiSdk(await load(), request, wire);
    },
  });
}

/**
 * Returns an embedding model of any provider of the AI SDK by the name of its package, as {@link aiSdkModel} does.
 *
 * @throws LLMError as {@link aiSdkModel} does.
 */
export function aiSdkEmbeddings(choice: AiSdkChoice): EmbeddingModel {
  const { model, ...settings } = checkOptions('aiSdkEmbeddings', choice, CHOICE);
  const named = readNamedPackage(model);
  const load = once(() => loadEmbeddingModel(named, settings));
  return embedWith(load, embeddingDefinition(identityOf(model, settings)), {});
}

function identityOf(model: string, { apiKey }: ProviderSettings) {
  return { provider: 'ai-sdk', modelId: model, address: '', secrets: [apiKey ?? ''] };
}

/** Caches a successful load and retries a failed one: the package may be installed by then. */
function once<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | undefined;
  return async () => {
    loading ??= load();
    try {
      return await loading;
    } catch (error) {
      loading = undefined;
      throw error;
    }
  };
}
