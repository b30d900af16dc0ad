import type * as OpenTelemetry from '@opentelemetry/api';
import type { Attributes, Context, Span, Tracer } from '@opentelemetry/api';
import type { JsonValue, Usage } from '@vizprompt/providers';
import type { ErrorJson } from '@vizprompt/providers/internal';
import type { StepPlace, WorkflowEvents } from '../events.ts';

/** The module `@opentelemetry/api`. */
export type OpenTelemetryApi = typeof OpenTelemetry;

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
export class RunSpanMaker {
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
