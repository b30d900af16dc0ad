/**
 * The common parts of all servers of the SDK: who may ask them, which version they are, and that they answer
 * before they end.
 *
 * @module @vizprompt/providers/serving
 */
export {
  HeldInput,
  type HeldInputOptions,
  type RpcTransport,
  type StdioServer,
} from './held-input.ts';
export { HeldOutput } from './held-output.ts';
export { LOCAL_HOSTS, servingProblem, type ServedTo } from './serving-problem.ts';
export { createTokenCheck, isSameHost, type TokenCheck } from './request-check.ts';
