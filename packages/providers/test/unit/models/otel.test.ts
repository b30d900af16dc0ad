import { AsyncLocalStorage } from 'node:async_hooks';
import {
  context,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Context,
  type ContextManager,
} from '@opentelemetry/api';
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
  type MetricData,
} from '@opentelemetry/sdk-metrics';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
  type ReadableSpan,
} from '@opentelemetry/sdk-trace-base';
import { LLMError, textMessage, type ChatModel, type ChatRequest } from '@vizprompt/providers';
import { compose } from '@vizprompt/providers/middleware';
import { openTelemetry } from '@vizprompt/providers/otel';
import { scriptedModel, type Script } from '@vizprompt/providers/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

/** The part of @opentelemetry/context-async-hooks that an app uses. */
class AsyncContexts implements ContextManager {
  readonly #storage = new AsyncLocalStorage<Context>();
  active(): Context {
    return this.#storage.getStore() ?? ROOT_CONTEXT;
  }
  with<A extends unknown[], F extends (...args: A) => ReturnType<F>>(
    active: Context,
    run: F,
    self?: ThisParameterType<F>,
    ...args: A
  ): ReturnType<F> {
    return this.#storage.run(active, () => run.apply(self as ThisParameterType<F>, args));
  }
  bind<T>(_active: Context, target: T): T {
    return target;
  }
  enable(): this {
    return this;
  }
  disable(): this {
    return this;
  }
}

beforeAll(() => void context.setGlobalContextManager(new AsyncContexts()));
afterAll(() => context.disable());

const request: ChatRequest = {
  messages: [textMessage('system', 'Be brief.'), textMessage('user', 'A secret question')],
  temperature: 0.5,
  maxOutputTokens: 100,
  stop: ['END'],
  output: { type: 'json' },
};

function telemetry() {
  const spans = new InMemorySpanExporter();
  const tracers = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] });
  const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 3_600_000 });
  const meters = new MeterProvider({ readers: [reader] });
  return {
    tracer: tracers.getTracer('test'),
    meter: meters.getMeter('test'),
    spans: (): ReadableSpan[] => spans.getFinishedSpans(),
    async metrics(): Promise<MetricData[]> {
      await reader.forceFlush();
      await reader.shutdown();
      return exporter
        .getMetrics()
        .flatMap(({ scopeMetrics }) => scopeMetrics.flatMap(({ metrics }) => metrics));
    },
  };
}

function observed(
  script: Script,
  captureContent = false,
): ReturnType<typeof telemetry> & { readonly model: ChatModel } {
  const otel = telemetry();
  const { tracer, meter } = otel;
  const model = scriptedModel(script, { provider: 'gemini', modelId: 'gemini-3' });
  return {
    ...otel,
    model: compose(model, openTelemetry({ tracer, meter, captureContent })),
  };
}

describe('openTelemetry', () => {
  it('makes one span for a call, and records no content', async () => {
    const { model, spans } = observed([
      {
        parts: [{ type: 'text', text: 'A secret answer' }],
        usage: { inputTokens: 9, outputTokens: 4, reasoningTokens: 2, cachedInputTokens: 3 },
      },
    ]);
    await model.generate(request);
    expect(spans()).toHaveLength(1);
    expect(spans()[0]).toMatchObject({
      name: 'chat gemini-3',
      kind: SpanKind.CLIENT,
      status: { code: SpanStatusCode.UNSET },
      attributes: {
        'gen_ai.operation.name': 'chat',
        'gen_ai.provider.name': 'gcp.gemini',
        'gen_ai.request.model': 'gemini-3',
        'gen_ai.request.temperature': 0.5,
        'gen_ai.request.max_tokens': 100,
        'gen_ai.request.stop_sequences': ['END'],
        'gen_ai.output.type': 'json',
        'gen_ai.response.model': 'gemini-3',
        'gen_ai.response.finish_reasons': ['stop'],
        'gen_ai.response.time_to_first_chunk': expect.any(Number),
        'gen_ai.usage.input_tokens': 9,
        'gen_ai.usage.output_tokens': 4,
        'gen_ai.usage.reasoning.output_tokens': 2,
        'gen_ai.usage.cache_read.input_tokens': 3,
      },
    });
    expect(JSON.stringify(spans()[0]?.attributes)).not.toContain('secret');
  });

  it('records content in the schema of the conventions on request', async () => {
    const { model, spans } = observed(
      [[{ type: 'tool-call', id: 'c1', name: 'find', input: { q: 1 } }]],
      true,
    );
    const messages = [
      ...request.messages,
      {
        role: 'user',
        parts: [{ type: 'file', mediaType: 'image/png', data: new Uint8Array(5) }],
      } as const,
    ];
    const tools = [{ name: 'find', parameters: { type: 'object' } }];
    await model.generate({ messages, tools });
    const read = (name: string): unknown =>
      JSON.parse(String(spans()[0]?.attributes[`gen_ai.${name}`]));
    expect(read('system_instructions')).toEqual([{ type: 'text', content: 'Be brief.' }]);
    expect(read('input.messages')).toEqual([
      { role: 'user', parts: [{ type: 'text', content: 'A secret question' }] },
      {
        role: 'user',
        parts: [{ type: 'bytes', mime_type: 'image/png', modality: 'image', size: 5 }],
      },
    ]);
    expect(read('output.messages')).toEqual([
      {
        role: 'assistant',
        parts: [{ type: 'tool_call', id: 'c1', name: 'find', arguments: { q: 1 } }],
        finish_reason: 'tool_call',
      },
    ]);
    expect(read('tool.definitions')).toEqual([{ type: 'function', ...tools[0] }]);
  });

  it('names the code of an error, and repeats its words only with content', async () => {
    const failure = new LLMError('content_filter', 'you said: A secret question');
    for (const captureContent of [false, true]) {
      const { model, spans, metrics } = observed([failure], captureContent);
      await expect(model.generate(request)).rejects.toBe(failure);
      const [span] = spans();
      expect(span?.attributes['error.type']).toBe('content_filter');
      expect(span?.status.code).toBe(SpanStatusCode.ERROR);
      expect(span?.status.message).toBe(captureContent ? failure.message : undefined);
      const duration = (await metrics()).find(({ descriptor }) => /duration/.test(descriptor.name));
      expect(duration?.dataPoints[0]?.attributes['error.type']).toBe('content_filter');
    }
  });

  it('measures durations and tokens', async () => {
    const answer = { parts: [], usage: { inputTokens: 9, outputTokens: 4 } };
    const { model, metrics } = observed(() => answer);
    await model.generate(request);
    await model.generate(request);
    const found = Object.fromEntries(
      (await metrics()).map(({ descriptor, dataPoints }) => [
        `${descriptor.name} ${descriptor.unit}`,
        dataPoints.map(({ attributes, value }) => [attributes['gen_ai.token.type'], value]),
      ]),
    );
    expect(found).toMatchObject({
      'gen_ai.client.operation.duration s': [[undefined, { count: 2 }]],
      'gen_ai.client.token.usage {token}': [
        ['input', { count: 2, sum: 18 }],
        ['output', { count: 2, sum: 8 }],
      ],
    });
  });

  it('is the parent of what the model does, and the child of what the app does', async () => {
    const otel = telemetry();
    const inner = scriptedModel(() => 'はい、猫です。');
    const traced: ChatModel = {
      ...inner,
      async *stream(asked) {
        otel.tracer.startSpan('http').end();
        for await (const event of inner.stream(asked)) {
          if (event.type === 'finish') otel.tracer.startSpan('late http').end();
          yield event;
        }
      },
    };
    const { tracer, meter } = otel;
    const model = compose(traced, openTelemetry({ tracer, meter }));
    const outer = otel.tracer.startSpan('app');
    await context.with(trace.setSpan(context.active(), outer), async () => {
      await model.generate(request);
      expect(trace.getActiveSpan()).toBe(outer);
    });
    outer.end();
    const spans = Object.fromEntries(otel.spans().map((span) => [span.name, span]));
    const chat = spans['chat script'];
    expect(chat?.parentSpanContext?.spanId).toBe(spans['app']?.spanContext().spanId);
    for (const name of ['http', 'late http']) {
      expect(spans[name]?.parentSpanContext?.spanId).toBe(chat?.spanContext().spanId);
    }
  });

  it('ends the span and the call when the reader leaves early', async () => {
    const { model, spans } = observed(() => 'はい、猫です。名前はまだ無い。');
    for await (const event of model.stream(request)) if (event.type === 'text-delta') break;
    expect(spans()).toHaveLength(1);
    expect(spans()[0]?.ended).toBe(true);
    expect(spans()[0]?.attributes).not.toHaveProperty('gen_ai.response.finish_reasons');
  });

  it('uses the global providers by default, and needs none', async () => {
    const model = compose(
      scriptedModel(() => 'はい'),
      openTelemetry(),
    );
    expect((await model.generate(request)).text).toBe('はい');
  });
});
