/**
 * A WebSocket server on a project: every action of the protocol, events as they happen, and answers of
 * models as they come. Needs `npm install ws`.
 *
 * @example
 * ```ts
 * await using vizprompt = await VizPrompt.open('./my-project');
 * await using server = await serveWebSocket(vizprompt, { port: 8080 });
 * console.log(server.url); // ws://127.0.0.1:8080/
 * ```
 *
 * @module @vizprompt/core/websocket
 */
export {
  attachWebSocket,
  serveWebSocket,
  type AttachedWebSocket,
  type WebSocketService,
} from './serve-websocket.ts';
export type { ServeWebSocketOptions, WebSocketLimits, WebSocketOptions } from './options.ts';
export { asyncApiDocument } from './asyncapi.ts';
export type { Logger } from '../index.ts';
