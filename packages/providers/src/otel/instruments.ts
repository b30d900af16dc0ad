import type * as OpenTelemetry from '@opentelemetry/api';
import type { Histogram, Meter, Tracer } from '@opentelemetry/api';
import { LLMError } from '../models/llm-error.ts';
import { toPeerError, PeerError } from '../peer.ts';
import { METRIC, type MetricDefinition } from './names.ts';

/** The module `@opentelemetry/api`. */
type OpenTelemetryApi = typeof OpenTelemetry;

/** The instruments for spans and metrics. */
export interface Instruments {
  readonly api: OpenTelemetryApi;
  readonly tracer: Tracer;
  readonly duration: Histogram;
  readonly tokens: Histogram;
}

const SCOPE = '@vizprompt/providers';

/**
 * Loads OpenTelemetry and makes what is needed of it.
 *
 * @throws LLMError with the code `unsupported` and a `PeerError` as its cause if
 * `@opentelemetry/api` is not installed.
 */
export async function loadInstruments(given: {
  readonly tracer?: Tracer | undefined;
  readonly meter?: Meter | undefined;
}): Promise<Instruments> {
  const api = await loadApi();
  const { tracer = api.trace.getTracer(SCOPE), meter = api.metrics.getMeter(SCOPE) } = given;
  return {
    api,
    tracer,
    duration: makeHistogram(meter, METRIC.duration),
    tokens: makeHistogram(meter, METRIC.tokens),
  };
}

async function loadApi(): Promise<OpenTelemetryApi> {
  try {
    return await import('@opentelemetry/api');
  } catch (cause) {
    const error = toPeerError(cause, '@opentelemetry/api');
    if (!PeerError.isInstance(error)) throw error;
    throw new LLMError('unsupported', error.message, { cause: error });
  }
}

function makeHistogram(
  meter: Meter,
  { name, description, unit, buckets }: MetricDefinition,
): Histogram {
  const advice = { explicitBucketBoundaries: [...buckets] };
  return meter.createHistogram(name, { description, unit, advice });
}
