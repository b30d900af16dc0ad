import type { EmbeddingModelV3 } from '@ai-sdk/provider';
import { guardCall, type ModelDefinition } from '../adapter-kit/define-model.ts';
import { toVectors } from '../adapter-kit/embed-batches.ts';
import type { CallIdentity } from '../adapter-kit/identity.ts';
import type { Wire } from '../adapter-kit/wire.ts';
import type {
  EmbeddingModel,
  EmbeddingRequest,
  EmbeddingResult,
} from '../models/embedding-model.ts';
import type { ProviderMeta } from '../models/message.ts';
import { providerOf } from './from-ai-sdk.ts';
import { optionsOf } from './json.ts';
import {
  echoFetch,
  markError,
  noteAnswer,
  noteFailure,
  readAiSdkFailure,
  translateError,
} from './read-failure.ts';
import type { AiSdkEmbeddingModel } from './spec.ts';
import { checkOptions, checkArgument } from '../adapter-kit/check-options.ts';
import { FUNCTION, POSITIVE, optional, type Kinds, having } from '../input/kinds.ts';
import { EMBEDDING_MODEL } from '../input/part-kinds.ts';

/** Options of {@link embeddingsFromAiSdk}. */
export interface EmbeddingsFromAiSdkOptions {
  /** The length of the vectors; the AI SDK does not report it. Default: not known before the first call. */
  readonly dimensions?: number | undefined;
  /**
   * Options for the provider, such as the task that Google's models take. Default: none.
   *
   * @example
   * ```ts
   * { providerOptions: (kind) => ({ google: { taskType: kind === 'query' ? 'RETRIEVAL_QUERY' : 'RETRIEVAL_DOCUMENT' } }) }
   * ```
   */
  readonly providerOptions?: ((kind: 'query' | 'document') => ProviderMeta) | undefined;
}

/** The batch size where the model names no limit, or names it only once it is asked. */
const DEFAULT_BATCH = 128;

const MODEL = having('an embedding model of the AI SDK', 'provider', 'modelId', 'doEmbed');

const KINDS: Kinds<EmbeddingsFromAiSdkOptions> = {
  dimensions: optional(POSITIVE),
  providerOptions: optional(FUNCTION),
};

/**
 * Makes an {@link EmbeddingModel} of an embedding model of the AI SDK, of `ai` 6 or 7. More values
 * than one call takes are sent in batches, one after the other, and come back in order.
 *
 * @throws LLMError when it embeds; making it does not fail.
 *
 * @example
 * ```ts
 * import { openai } from '@ai-sdk/openai';
 *
 * const embeddings = embeddingsFromAiSdk(openai.embedding('text-embedding-3-small'));
 * const { vectors } = await embeddings.embed({ values: ['猫', 'cat'] });
 * ```
 */
export function embeddingsFromAiSdk(
  model: AiSdkEmbeddingModel,
  options: EmbeddingsFromAiSdkOptions = {},
): EmbeddingModel {
  checkArgument('the model of embeddingsFromAiSdk', model, MODEL);
  checkOptions('embeddingsFromAiSdk', options, KINDS);
  const { provider, modelId, maxEmbeddingsPerCall: limit } = model;
  const maxBatch = typeof limit === 'number' && Number.isFinite(limit) ? limit : DEFAULT_BATCH;
  const identity = { provider: providerOf(provider), modelId, address: '', secrets: [] };
  const load = (): Promise<AiSdkEmbeddingModel> => Promise.resolve(model);
  return embedWith(load, embeddingDefinition(identity), options, maxBatch);
}

/** Returns the definition that all calls of an embedding model share. */
export function embeddingDefinition(identity: CallIdentity): EmbeddingDefinition {
  return { identity, fetch: echoFetch, readFailure: readAiSdkFailure };
}

type EmbeddingDefinition = Pick<ModelDefinition, 'identity' | 'fetch' | 'readFailure'>;

/** Makes an embedding model of one that is loaded with the first call. */
export function embedWith(
  load: () => Promise<AiSdkEmbeddingModel>,
  definition: EmbeddingDefinition,
  options: EmbeddingsFromAiSdkOptions,
  maxBatch: number = DEFAULT_BATCH,
): EmbeddingModel {
  const { provider, modelId } = definition.identity;
  return {
    specVersion: 1,
    provider,
    modelId,
    maxBatch,
    ...(options.dimensions === undefined ? {} : { dimensions: options.dimensions }),
    embed: (request) =>
      guardCall(definition, request, async (wire) =>
        embed(await load(), request, options, wire, maxBatch),
      ),
  };
}

async function embed(
  model: AiSdkEmbeddingModel,
  { values, kind = 'document' }: EmbeddingRequest,
  { providerOptions }: EmbeddingsFromAiSdkOptions,
  wire: Wire,
  maxBatch: number,
): Promise<EmbeddingResult> {
  const batch = Math.min(maxBatch, (await model.maxEmbeddingsPerCall) ?? maxBatch);
  const vectors: Float32Array[] = [];
  let tokens: number | undefined;
  for (let at = 0; at < values.length; at += batch) {
    const part = values.slice(at, at + batch);
    try {
      const { embeddings, usage, response } = await model.doEmbed({
        values: part,
        abortSignal: wire.signal,
        ...optionsOf(providerOptions?.(kind)),
      });
      await noteAnswer(wire, response?.headers);
      vectors.push(...toVectors(embeddings, part.length, vectors[0]?.length, at));
      if (usage && !Number.isNaN(usage.tokens)) tokens = (tokens ?? 0) + usage.tokens;
    } catch (error) {
      await noteFailure(wire, error);
      throw translateError(error);
    }
  }
  return { vectors, usage: tokens === undefined ? {} : { inputTokens: tokens } };
}

/**
 * Makes an embedding model for `embed` and `embedMany` of `ai` 6 and `ai` 7 of an
 * {@link EmbeddingModel}. The values are embedded as documents.
 *
 * @throws LLMError as {@link toAiSdk} does.
 *
 * @example
 * ```ts
 * const { embeddings } = await embedMany({ model: embeddingsToAiSdk(model), values: ['猫', 'cat'] });
 * ```
 */
export function embeddingsToAiSdk(model: EmbeddingModel): EmbeddingModelV3 {
  checkArgument('the model of embeddingsToAiSdk', model, EMBEDDING_MODEL);
  return {
    specificationVersion: 'v3',
    provider: model.provider,
    modelId: model.modelId,
    maxEmbeddingsPerCall: model.maxBatch,
    supportsParallelCalls: true,
    async doEmbed({ values, abortSignal }) {
      try {
        const signal = abortSignal === undefined ? {} : { signal: abortSignal };
        const { vectors, usage } = await model.embed({ values, ...signal });
        const { inputTokens } = usage;
        return {
          embeddings: vectors.map((vector) => Array.from(vector)),
          ...(inputTokens === undefined ? {} : { usage: { tokens: inputTokens } }),
          warnings: [],
        };
      } catch (error) {
        throw markError(error);
      }
    },
  };
}
