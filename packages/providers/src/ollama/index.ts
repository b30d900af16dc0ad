/**
 * Models of an Ollama server, by its own API. It needs the package `ollama`.
 *
 * @module @vizprompt/providers/ollama
 */
export { ollama, type OllamaOptions } from './ollama.ts';
export { ollamaEmbeddings, type OllamaEmbeddingsOptions } from './ollama-embeddings.ts';
export type { OllamaConnection } from './options.ts';
export type { ChatModel, EmbeddingModel } from '../index.ts';
