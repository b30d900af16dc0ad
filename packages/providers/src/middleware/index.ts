/**
 * Layers around chat models: retries, limits, fallbacks, caching, recording, budgets, observation.
 *
 * @module @vizprompt/providers/middleware
 */

// Layers
export { compose } from './compose.ts';
export type { Middleware } from '../models/middleware.ts';

// Reliability
export { fallback, type FallbackFailure, type FallbackOptions } from './fallback.ts';
export { rateLimit, type RateLimitOptions } from './rate-limit.ts';
export { retry, type RetryNotice, type RetryOptions } from './retry.ts';
export { retryEmbeddings } from './retry-embeddings.ts';

// Kept answers
export { cache, type CacheOptions } from './cache.ts';
export { record, type CassetteOptions } from '../cassettes/record.ts';
export { replay } from '../cassettes/replay.ts';

// Money and secrets
export { budget, type BudgetOptions } from './budget.ts';
export { createBudget } from './create-budget.ts';
export { costOf, type Price, type PriceTable } from './price.ts';
export { redact } from './redact.ts';

// Observation
export type { CallEnded, CallFailed, ObservedCall, ModelEvents } from './model-events.ts';
export { events } from './events.ts';
