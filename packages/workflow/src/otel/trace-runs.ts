import type { Context, Tracer } from '@opentelemetry/api';
import { FLAG, having, type Kinds, optional } from '@vizprompt/providers/config/internal';
import { toPeerError } from '@vizprompt/providers/internal';
import type { Middleware } from '@vizprompt/providers/middleware';
import { openTelemetry } from '@vizprompt/providers/otel';
import type { ModelCallPlace } from '../calls/ask-agent.ts';
import { checkOptions } from '../check-options.ts';
import type { WorkflowListeners } from '../events.ts';
import { type OpenTelemetryApi, RunSpanMaker } from './run-spans.ts';

/** Options of {@link traceRuns}. */
export interface TraceRunsOptions {
  /** Makes the spans. Default: one of the global provider, which does nothing until the app registers its own. */
  readonly tracer?: Tracer | undefined;
  /**
   * Records inputs, outputs, messages and the words of errors, too. They may hold anything that users write, and go wherever
   * traces go. Default: `false`.
   */
  readonly captureContent?: boolean | undefined;
}

/** The options that trace an engine or a worker. */
export interface RunTracing {
  readonly listeners: WorkflowListeners;
  readonly middleware: (place: ModelCallPlace) => readonly Middleware[];
}

const OPTIONS: Kinds<TraceRunsOptions> = {
  tracer: optional(having('a Tracer of OpenTelemetry', 'startSpan')),
  captureContent: optional(FLAG),
};

/**
 * Makes spans of runs: `invoke_workflow`, in it `invoke_agent` and other steps, in these `execute_tool` and the calls of
 * models. A run that is started within a span is a child of it.
 *
 * @throws PeerError if `@opentelemetry/api` is not installed; WorkflowError with the code `invalid-input`.
 *
 * @example
 * ```ts
 * const tracing = await traceRuns();
 * const engine = await WorkflowEngine.open({ files: 'flows.yaml', ...tracing });
 * ```
 */
export async function traceRuns(options: TraceRunsOptions = {}): Promise<RunTracing> {
  checkOptions('traceRuns', options, OPTIONS);
  const api = await loadApi();
  const { captureContent = false, tracer = api.trace.getTracer('@vizprompt/workflow') } = options;
  const spans = new RunSpanMaker({ api, tracer, capturesContent: captureContent });
  const models = openTelemetry({ tracer, captureContent });
  return {
    listeners: {
      'run:started': (event) => spans.runStarted(event),
      'run:ended': (event) => spans.runEnded(event),
      'step:started': (event) => spans.stepStarted(event),
      'step:ended': (event) => spans.stepEnded(event),
      'step:failed': (event) => spans.stepFailed(event),
      'tool:started': (event) => spans.toolStarted(event),
      'tool:ended': (event) => spans.toolEnded(event),
      'step:retried': (event) =>
        spans.note('retry', event, {
          attempt: event.attempt,
          'error.type': event.error.code ?? event.error.name,
        }),
      'step:fell-back': (event) =>
        spans.note('fallback', event, { from: event.from, to: event.to }),
      'step:handed-over': (event) =>
        spans.note('handover', event, { from: event.from, to: event.to }),
    },
    middleware: ({ runId, path }) => [within(api, () => spans.contextOf(runId, path)), models],
  };
}

async function loadApi(): Promise<OpenTelemetryApi> {
  try {
    return await import('@opentelemetry/api');
  } catch (error) {
    throw toPeerError(error, '@opentelemetry/api');
  }
}

/** Makes calls of models children of the step that makes them. */
function within(api: OpenTelemetryApi, contextOf: () => Context): Middleware {
  return {
    name: 'step',
    async *stream(request, next) {
      const context = contextOf();
      const run = <T>(call: () => T): T => api.context.with(context, call);
      const events = run(() => next(request)[Symbol.asyncIterator]());
      let isOpen = true;
      try {
        for (;;) {
          const { done, value } = await run(() => events.next());
          if (done) break;
          yield value;
        }
        isOpen = false;
      } finally {
        if (isOpen) await run(() => events.return?.());
      }
    },
  };
}
