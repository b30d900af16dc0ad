import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { LLMError } from '@vizprompt/providers';
import { openTelemetry } from '@vizprompt/providers/otel';
import { scriptedModel } from '@vizprompt/providers/testing';
import { expect, it } from 'vitest';
import { ask, fileOf } from '../../support/engine/flow-parts.ts';
import { openInMemory } from '../../support/engine/open-engine.ts';

it('each call of a model is a span, failed attempts too', async () => {
  const exporter = new InMemorySpanExporter();
  const provider = new BasicTracerProvider({
    spanProcessors: [new SimpleSpanProcessor(exporter)],
  });
  const engine = await openInMemory({
    files: fileOf([
      { ...ask('one', 'user_input'), retry: { maxAttempts: 2, delay: 0 } },
      ask('two', 'one'),
    ]),
    models: { m: scriptedModel([new LLMError('overloaded', 'busy'), 'はい', '猫']) },
    middleware: [openTelemetry({ tracer: provider.getTracer('test') })],
  });
  const run = await engine.start('flow', '秘密');
  expect((await run.result).output).toBe('猫');
  const spans = exporter.getFinishedSpans();
  expect(spans.map(({ attributes }) => attributes['error.type'])).toEqual([
    'overloaded',
    undefined,
    undefined,
  ]);
  expect(spans[2]?.attributes['gen_ai.usage.output_tokens']).toBeGreaterThan(0);
  expect(JSON.stringify(spans.map(({ attributes }) => attributes))).not.toContain('秘密');
});
