/**
 * Traces of runs for OpenTelemetry, with the names of its GenAI conventions: a span for the run, each agent, each tool and
 * each call of a model. Needs `@opentelemetry/api` and whatever the app exports its telemetry with.
 *
 * @module @vizprompt/workflow/otel
 */
export { traceRuns, type RunTracing, type TraceRunsOptions } from './trace-runs.ts';
export type { WorkflowListeners } from '../index.ts';
