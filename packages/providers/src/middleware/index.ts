/**
 * Layers around chat models: retries, limits, fallbacks, caching, recording, budgets, observation.
 *
 * @module @vizprompt/providers/middleware
 */

// Layers
export { compose } from './compose.ts';
export type { Middleware } from '../models/chat-model.ts';

// Reliability
export { fallback, type FallbackFailure, type FallbackOptions } from './fallback.ts';
export { rateLimit, type RateLimitOptions } from './rate-limit.ts';
export { retry, type RetryNotice, type RetryOptions } from './retry.ts';
export { retryEmbeddings } from './retry.ts';

// Stored answers
export { cache, type CacheOptions } from './cache.ts';
export {
  /** @deprecated Import it from `@vizprompt/providers/testing`. */
  record,
  /** @deprecated Import it from `@vizprompt/providers/testing`. */
  type CassetteOptions,
} from '../cassettes/record.ts';
export {
  /** @deprecated Import it from `@vizprompt/providers/testing`. */
  replay,
} from '../cassettes/replay.ts';

// Money and secrets
export { budget, type BudgetOptions } from './budget.ts';
export { createBudget } from './budget.ts';
export type { Price, PriceTable } from './price.ts';
export { redact } from './redact.ts';

// Observation
export type { CallEnded, CallFailed, ModelEvents, ObservedCall } from './events.ts';
export { events } from './events.ts';
export type { ChatModel } from '../index.ts';
