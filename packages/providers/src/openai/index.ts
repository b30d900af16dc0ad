/**
 * Models of OpenAI and of every server that speaks its protocol. It needs the package `openai`.
 *
 * @module @vizprompt/providers/openai
 */
export { openai, openaiResponses } from './openai.ts';
export { openaiEmbeddings, type OpenAIEmbeddingsOptions } from './openai-embeddings.ts';
export type { OpenAIConnection, OpenAIOptions, OpenAIResponsesOptions } from './options.ts';
export { openAIProfiles, type OpenAIProfile, type OpenAIProfileName } from './profiles.ts';
export type { ChatModel, EmbeddingModel } from '../index.ts';
