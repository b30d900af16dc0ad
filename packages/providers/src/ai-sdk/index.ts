/**
 * The bridge to the AI SDK, both ways: all of its providers as models of this SDK, also by the names of their packages, and
 * models of this SDK in `generateText` and `streamText`; retrievers as tools and as middleware. Only types of the AI SDK are
 * needed.
 *
 * @module @vizprompt/providers/ai-sdk
 */
export {
  embeddingsFromAiSdk,
  embeddingsToAiSdk,
  type EmbeddingsFromAiSdkOptions,
} from './embeddings.ts';
export { fromAiSdk, type FromAiSdkOptions } from './from-ai-sdk.ts';
export { aiSdkEmbeddings, aiSdkModel, type AiSdkChoice } from './named-model.ts';
export {
  recallMiddleware,
  type RecallMiddleware,
  type RecallMiddlewareOptions,
  type RecallParams,
} from './recall-middleware.ts';
export {
  retrieverTool,
  type RetrieverTool,
  type RetrieverToolInput,
  type RetrieverToolOptions,
} from './retriever-tool.ts';
export type { AiSdkEmbeddingModel, AiSdkLanguageModel } from './spec.ts';
export { toAiSdk } from './to-ai-sdk.ts';
export type { ChatModel, EmbeddingModel } from '../index.ts';
