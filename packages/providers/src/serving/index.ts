/**
 * What all servers of the SDK do in the same way: who may ask them, which version they are, and that they answer
 * before they end.
 *
 * @module @vizprompt/providers/serving
 */
export { HeldInput, type HeldInputOptions, type RpcTransport } from './held-input.ts';
export { serveHeld, type StdioServer } from './serve-held.ts';
export { packageVersion } from './package-version.ts';
export {
  createRequestCheck,
  SERVING_HEADERS,
  type AllowedRequests,
  type RequestOrigin,
  type RequestRefusal,
} from './request-check.ts';
export { ClientShares, type ClientShareLimits, type NoShare } from './client-shares.ts';
export {
  heldAnswer,
  heldResponse,
  onceHeld,
  type HeldAnswer,
  type HeldAnswerOptions,
} from './held-answer.ts';
export { HeldTexts, type LargeText, type StreamText } from './held-texts.ts';
export { loopTurns } from './loop-turns.ts';
export { PIECE_CHARACTERS, streamTexts, type StreamTextsOptions } from './stream-texts.ts';
export { hostName, isSameHost } from './request-names.ts';
export { inAddress, LOCAL_HOSTS, servingProblem, type ServedTo } from './serving-problem.ts';
export { bearerToken, createTokenCheck, type TokenCheck } from './token-check.ts';
export type { Turn } from './turn.ts';
