/**
 * Models of Google's Gemini API. It needs the package `@google/genai`.
 *
 * @module @vizprompt/providers/gemini
 */
export { gemini, type GeminiOptions } from './gemini.ts';
export { geminiEmbeddings, type GeminiEmbeddingsOptions } from './gemini-embeddings.ts';
export type { GeminiConnection } from './options.ts';
export type { ChatModel, EmbeddingModel } from '../index.ts';
