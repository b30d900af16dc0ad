import { AsyncLocalStorage } from 'node:async_hooks';
import { context, type Context, type ContextManager, ROOT_CONTEXT } from '@opentelemetry/api';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import type { Part } from '@vizprompt/providers';
import { defineTool } from '@vizprompt/providers/generate';
import { scriptedModel } from '@vizprompt/providers/testing';
import { expect, it, onTestFinished } from 'vitest';
import { WorkflowEngine } from '../../../src/index.ts';
import { traceRuns } from '../../../src/otel/index.ts';
import { ask, fileOf } from '../../support/engine/flow-parts.ts';

/** As apps have one of the SDK: what is active follows promises. */
function followPromises(): void {
  const active = new AsyncLocalStorage<Context>();
  const manager: ContextManager = {
    active: () => active.getStore() ?? ROOT_CONTEXT,
    with: (given, call, self, ...args) =>
      active.run(given, () => call.call(self as never, ...args)),
    bind: (_, target) => target,
    enable: () => manager,
    disable: () => manager,
  };
  context.setGlobalContextManager(manager);
  onTestFinished(() => context.disable());
}

const CALL: Part = { type: 'tool-call', id: '1', name: 'add', input: { secret: 1 } };

it('a run, its agents, their tools and the calls of models are spans within each other', async () => {
  followPromises();
  const exporter = new InMemorySpanExporter();
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  const add = defineTool<object>({
    name: 'add',
    input: { type: 'object' },
    execute: () => 'secret',
  });
  const tracing = await traceRuns({ tracer: provider.getTracer('test') });
  await using engine = await WorkflowEngine.open({
    files: fileOf([
      { id: 'load', type: 'function', function: 'f', onError: 'continue' },
      { ...ask('one', 'user_input'), tools: ['add'] },
    ]),
    models: { m: scriptedModel([{ parts: [CALL], finishReason: 'tool-calls' }, 'secret']) },
    tools: [add],
    functions: {
      f: () => {
        throw new Error('secret');
      },
    },
    ...tracing,
  });
  await (
    await engine.start('flow', 'secret')
  ).result;
  const spans = exporter.getFinishedSpans();
  const byId = new Map(spans.map((span) => [span.spanContext().spanId, span]));
  const lineOf = (span: ReadableSpan): string => {
    const parent = byId.get(span.parentSpanContext?.spanId ?? '');
    return parent ? `${lineOf(parent)} > ${span.name}` : span.name;
  };
  expect(spans.map(lineOf).toSorted()).toEqual([
    'invoke_workflow flow',
    'invoke_workflow flow > execute_tool load',
    'invoke_workflow flow > invoke_agent a',
    'invoke_workflow flow > invoke_agent a > chat script',
    'invoke_workflow flow > invoke_agent a > chat script',
    'invoke_workflow flow > invoke_agent a > execute_tool add',
  ]);
  expect(new Set(spans.map((span) => span.spanContext().traceId)).size).toBe(1);
  const agent = spans.find(({ name }) => name === 'invoke_agent a');
  expect(agent?.attributes).toMatchObject({
    'gen_ai.operation.name': 'invoke_agent',
    'gen_ai.agent.name': 'a',
    'vizprompt.step.path': 'one#1',
  });
  const failed = spans.find(({ name }) => name === 'execute_tool load');
  expect(failed?.attributes['error.type']).toBe('step-failed');
  expect(JSON.stringify(spans.map(({ attributes, status }) => [attributes, status]))).not.toContain(
    'secret',
  );
});
