/**
 * Claude, and other models that use Anthropic's Messages API. It needs the package `@anthropic-ai/sdk`.
 *
 * @module @vizprompt/providers/anthropic
 */
export { anthropic, type AnthropicOptions } from './anthropic.ts';
export type { AnthropicConnection } from './options.ts';
export type { ChatModel } from '../index.ts';
