/**
 * The common parts of all servers of the SDK: who may ask them, which version they are, and that they answer
 * before they end.
 *
 * @module @vizprompt/providers/serving
 */
export { HeldInput, type HeldInputOptions, type RpcTransport } from './held-input.ts';
export type { StdioServer } from './serve-held.ts';
export { isSameHost } from './request-check.ts';
export { LOCAL_HOSTS, servingProblem, type ServedTo } from './serving-problem.ts';
export { createTokenCheck, type TokenCheck } from './token-check.ts';
