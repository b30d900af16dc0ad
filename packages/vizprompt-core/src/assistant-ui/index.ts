/**
 * Threads of assistant-ui in a project: a handler of requests for the list of threads and for their messages. The part for
 * browsers is `@vizprompt/core/assistant-ui/client`.
 *
 * @module @vizprompt/core/assistant-ui
 */
export type { ChatAccessOptions, RequestedChat } from '../bridge/chat-access.ts';
export { threadRoutes, type ThreadRoutes } from './thread-routes.ts';
