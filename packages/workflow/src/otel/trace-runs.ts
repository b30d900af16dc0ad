import type { Attributes, Context, Span, Tracer } from '@opentelemetry/api';
import type * as OpenTelemetry from '@opentelemetry/api';
import type { JsonValue, Usage } from '@vizprompt/providers';
import { FLAG, having, type Kinds, optional } from '@vizprompt/providers/config/internal';
import { type ErrorJson, toPeerError } from '@vizprompt/providers/internal';
import type { Middleware } from '@vizprompt/providers/middleware';
import { openTelemetry } from '@vizprompt/providers/otel';
import type { ModelCallPlace } from '../calls/ask-agent.ts';
import { checkOptions } from '../check-options.ts';
import type { StepPlace, WorkflowEvents, WorkflowListeners } from '../events.ts';

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

/** The module `@opentelemetry/api`. */
type OpenTelemetryApi = typeof OpenTelemetry;

/** The dependencies of spans. */
interface SpanNeeds {
  readonly api: OpenTelemetryApi;
  readonly tracer: Tracer;
  /** Records inputs, outputs and the words of errors, too. */
  readonly capturesContent: boolean;
}

/** The spans of a run: its own, and those of its steps and tools by their paths. */
interface RunSpans {
  readonly root: Span;
  readonly context: Context;
  readonly open: Map<string, Span>;
}

/**
 * Makes spans of the events of runs. Names and attributes are those of the GenAI conventions
 * (https://github.com/open-telemetry/semantic-conventions-genai, `invoke_workflow`, `invoke_agent`, `execute_tool`), which have
 * the status "Development".
 */
class RunSpanMaker {
  readonly #needs: SpanNeeds;
  readonly #runs = new Map<string, RunSpans>();

  constructor(needs: SpanNeeds) {
    this.#needs = needs;
  }

  /** Returns the context of a step: what happens in it belongs to the span of the step. */
  contextOf(runId: string, path: string): Context {
    const { api } = this.#needs;
    const run = this.#runs.get(runId);
    const span = run?.open.get(path) ?? run?.root;
    return span ? api.trace.setSpan(api.context.active(), span) : api.context.active();
  }

  runStarted({ runId, workflow, isResumed }: WorkflowEvents['run:started']): void {
    const { api, tracer } = this.#needs;
    this.#close(runId);
    const root = tracer.startSpan(`invoke_workflow ${workflow}`, {
      kind: api.SpanKind.INTERNAL,
      attributes: {
        'gen_ai.operation.name': 'invoke_workflow',
        'gen_ai.workflow.name': workflow,
        'vizprompt.run.id': runId,
        'vizprompt.run.is_resumed': isResumed,
      },
    });
    const context = api.trace.setSpan(api.context.active(), root);
    this.#runs.set(runId, { root, context, open: new Map() });
  }

  runEnded({ runId, status, error }: WorkflowEvents['run:ended']): void {
    const root = this.#runs.get(runId)?.root;
    root?.setAttribute('vizprompt.run.status', status);
    if (root && error) this.#fail(root, error);
    this.#close(runId);
  }

  stepStarted(event: WorkflowEvents['step:started']): void {
    const { stepType, stepId, agent, model } = event;
    if (agent === undefined) {
      const isTool = stepType === 'tool' || stepType === 'function';
      this.#begin(event, isTool ? `execute_tool ${stepId}` : `${stepType} ${stepId}`, {
        ...(isTool ? { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': stepId } : {}),
        'vizprompt.step.type': stepType,
      });
      return;
    }
    this.#begin(event, `invoke_agent ${agent}`, {
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.agent.name': agent,
      ...(model === undefined ? {} : { 'gen_ai.request.model': idOf(model) }),
      'vizprompt.step.type': stepType,
    });
  }

  stepEnded({ runId, path, usage, model, output }: WorkflowEvents['step:ended']): void {
    const span = this.#take(runId, path);
    if (!span) return;
    span.setAttributes({
      ...usageAttributes(usage),
      ...(model === undefined ? {} : { 'gen_ai.response.model': idOf(model) }),
      ...this.#content('vizprompt.output', output),
    });
    span.end();
  }

  stepFailed({ runId, path, error }: WorkflowEvents['step:failed']): void {
    const span = this.#take(runId, path);
    if (!span) return;
    this.#fail(span, error);
    span.end();
  }

  toolStarted(event: WorkflowEvents['tool:started']): void {
    const { tool, input, path } = event;
    this.#begin(event, `execute_tool ${tool}`, {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': tool,
      'gen_ai.tool.call.id': path,
      'gen_ai.tool.type': 'function',
      ...this.#content('gen_ai.tool.call.arguments', input),
    });
  }

  toolEnded({ runId, path, output, isError }: WorkflowEvents['tool:ended']): void {
    const span = this.#take(runId, path);
    if (!span) return;
    span.setAttributes(this.#content('gen_ai.tool.call.result', output));
    if (isError) {
      span.setStatus({ code: this.#needs.api.SpanStatusCode.ERROR });
      span.setAttribute('error.type', 'tool_error');
    }
    span.end();
  }

  /** Notes what happened in a step. */
  note(name: string, { runId, path }: StepPlace, attributes: Attributes): void {
    this.#runs.get(runId)?.open.get(path)?.addEvent(name, attributes);
  }

  #begin({ runId, path, stepId }: StepPlace, name: string, attributes: Attributes): void {
    const run = this.#runs.get(runId);
    if (!run) return;
    const { api, tracer } = this.#needs;
    const parent = parentOf(path, run.open);
    const context = parent ? api.trace.setSpan(run.context, parent) : run.context;
    const own = { 'vizprompt.step.path': path, 'vizprompt.step.id': stepId };
    const options = { kind: api.SpanKind.INTERNAL, attributes: { ...attributes, ...own } };
    run.open.get(path)?.end();
    run.open.set(path, tracer.startSpan(name, options, context));
  }

  #take(runId: string, path: string): Span | undefined {
    const open = this.#runs.get(runId)?.open;
    const span = open?.get(path);
    open?.delete(path);
    return span;
  }

  #fail(span: Span, { code, name, message }: ErrorJson): void {
    const details = this.#needs.capturesContent ? { message } : {};
    span.setStatus({ code: this.#needs.api.SpanStatusCode.ERROR, ...details });
    span.setAttribute('error.type', code ?? name);
  }

  #content(name: string, value: JsonValue): Attributes {
    return this.#needs.capturesContent ? { [name]: JSON.stringify(value) } : {};
  }

  #close(runId: string): void {
    const run = this.#runs.get(runId);
    if (!run) return;
    for (const span of run.open.values()) span.end();
    run.root.end();
    this.#runs.delete(runId);
  }
}

/** The span of the step that a path is within. */
function parentOf(path: string, open: ReadonlyMap<string, Span>): Span | undefined {
  for (let end = path.length - 1; end > 0; end--) {
    if (path[end] !== '/' && path[end] !== ':') continue;
    const span = open.get(path.slice(0, end));
    if (span) return span;
  }
  return undefined;
}

function idOf(model: string): string {
  return model.slice(model.indexOf(':') + 1);
}

function usageAttributes(usage: Usage | undefined): Attributes {
  if (!usage || usage.estimated) return {};
  const { inputTokens, outputTokens } = usage;
  return {
    ...(inputTokens === undefined ? {} : { 'gen_ai.usage.input_tokens': inputTokens }),
    ...(outputTokens === undefined ? {} : { 'gen_ai.usage.output_tokens': outputTokens }),
  };
}
