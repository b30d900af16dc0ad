/**
 * How the servers of the SDK check, hold, split and finish what they are asked. Nothing here is
 * promised: any release may change or remove it.
 *
 * @internal
 * @module @vizprompt/providers/serving/internal
 */
export {
  type AllowedRequests,
  addressOf,
  bearerToken,
  createRequestCheck,
  SERVING_HEADERS,
} from './request-check.ts';
export { ClientShares } from './client-shares.ts';
export { HeldTexts, type LargeText, loopTurns, type StreamText } from './held-texts.ts';
export { PIECE_CHARACTERS, streamTexts } from './stream-texts.ts';
export type { Turn } from './held-texts.ts';
export { heldAnswer, heldResponse, onceHeld } from './held-answer.ts';
export { inAddress } from './serving-problem.ts';
export { packageVersion } from './package-version.ts';
export { serveHeld } from './held-input.ts';
