/**
 * Chats of the AI SDK (`useChat`) in a project: a store with branches. Only types of the AI SDK, 6 or 7, are needed.
 *
 * @example
 * ```ts
 * const chats = chatStore(vizprompt);
 * export const POST = chats.handler(async (turn) => {
 *   const result = streamText({ model, messages: await convertToModelMessages(turn.messages) });
 *   return result.toUIMessageStreamResponse(turn.streamOptions);
 * });
 * ```
 *
 * @module @vizprompt/core/ai-sdk
 */
export type { ChatAccessOptions } from '../bridge/chat-access.ts';
export { ChatError, type ChatErrorCode } from '../bridge/chat-error.ts';
export { answerStreams, type AnswerStreams } from './answer-streams.ts';
export {
  chatStore,
  type ChatPage,
  type ChatReadOptions,
  type ChatStore,
  type ChatStoreOptions,
  type ReceivedTurn,
  type Siblings,
} from './chat-store.ts';
export type { FinishedAnswer } from './finished-answer.ts';
export type { RequestedChat } from '../bridge/chat-access.ts';
export type { AnyUIMessage } from '../bridge/ui-message.ts';
export type { FlowSummary } from '../index.ts';
