/**
 * Traces and metrics of model calls for OpenTelemetry, with the names of its GenAI conventions.
 * Needs `@opentelemetry/api` and whatever the app exports its telemetry with.
 *
 * @module @vizprompt/providers/otel
 */
export { openTelemetry, type OpenTelemetryOptions } from './open-telemetry.ts';
export type { Middleware } from '../middleware/index.ts';
