import type { Attributes, Context, Histogram, Meter, Span, Tracer } from '@opentelemetry/api';
import type * as OpenTelemetry from '@opentelemetry/api';
import { isError, messageOf } from '../errors.ts';
import type { JsonObject } from '../json/json-value.ts';
import type { ChatModel } from '../models/chat-model.ts';
import { ChatCollector } from '../models/collect.ts';
import type { ChatEvent, ChatResult, FinishReason, Usage } from '../models/events.ts';
import { LLMError } from '../models/llm-error.ts';
import type { FilePart, Message, Part } from '../models/message.ts';
import type { ChatRequest } from '../models/request.ts';
import { PeerError, toPeerError } from '../peer.ts';

/** The span of one call, and the metrics that it ends with. */
export class CallSpan {
  readonly #instruments: Instruments;
  readonly #capturesContent: boolean;
  readonly #common: Attributes;
  readonly #span: Span;
  readonly #context: Context;
  readonly #collector = new ChatCollector();
  readonly #startedAt = performance.now();
  #hasContent = false;
  #error: unknown;

  constructor(
    instruments: Instruments,
    model: ChatModel,
    request: ChatRequest,
    capturesContent: boolean,
  ) {
    const { api, tracer } = instruments;
    this.#instruments = instruments;
    this.#capturesContent = capturesContent;
    this.#common = callAttributes(model);
    this.#span = tracer.startSpan(`chat ${model.modelId}`, {
      kind: api.SpanKind.CLIENT,
      attributes: {
        ...this.#common,
        ...requestAttributes(request),
        ...(capturesContent ? requestContent(request) : {}),
      },
    });
    this.#context = api.trace.setSpan(api.context.active(), this.#span);
  }

  /** Runs a step of the call: spans that are begun in it are children of this one. */
  within<T>(step: () => T): T {
    return this.#instruments.api.context.with(this.#context, step);
  }

  add(event: ChatEvent): void {
    this.#collector.add(event);
    if (this.#hasContent || event.type === 'start' || event.type === 'finish') return;
    this.#hasContent = true;
    this.#span.setAttribute(ATTRIBUTE.timeToFirstChunk, this.#seconds());
  }

  /** Why the call failed. */
  fail(error: unknown): void {
    this.#error = error;
    const { SpanStatusCode } = this.#instruments.api;
    // Providers quote what was sent: their words are content.
    const details = this.#capturesContent ? { message: messageOf(error) } : {};
    this.#span.setStatus({ code: SpanStatusCode.ERROR, ...details });
  }

  end(): void {
    const { duration, tokens } = this.#instruments;
    const { isFinished } = this.#collector;
    const result = this.#collector.result();
    const partial = LLMError.isInstance(this.#error) ? this.#error.partial : undefined;
    const usage = usageAttributes(isFinished ? result.usage : (partial?.usage ?? {}));
    const failure = this.#error === undefined ? {} : { [ATTRIBUTE.errorType]: typeOf(this.#error) };

    const model = result.model === undefined ? {} : { [ATTRIBUTE.responseModel]: result.model };
    const common = { ...this.#common, ...model };
    duration.record(this.#seconds(), { ...common, ...failure }, this.#context);
    for (const type of ['input', 'output'] as const) {
      const count = usage[ATTRIBUTE[`${type}Tokens`]];
      if (typeof count !== 'number') continue;
      tokens.record(count, { ...common, [ATTRIBUTE.tokenType]: type }, this.#context);
    }

    this.#span.setAttributes({
      ...resultAttributes(result, isFinished),
      ...usage,
      ...failure,
      ...(this.#capturesContent ? resultContent(result, isFinished) : {}),
    });
    this.#span.end();
  }

  #seconds(): number {
    return (performance.now() - this.#startedAt) / 1000;
  }
}

function typeOf(error: unknown): string {
  if (LLMError.isInstance(error)) return error.code;
  return isError(error) ? error.name : '_OTHER';
}

/** Returns the conversation and the tools, as JSON in the schema of the conventions. */
function requestContent({ messages, tools }: ChatRequest): Attributes {
  const system = messages.filter(({ role }) => role === 'system');
  const rest = messages.filter(({ role }) => role !== 'system');
  return {
    ...(system.length === 0
      ? {}
      : { [ATTRIBUTE.systemInstructions]: JSON.stringify(system.flatMap(writeParts)) }),
    [ATTRIBUTE.inputMessages]: JSON.stringify(
      rest.map((message) => ({ role: message.role, parts: writeParts(message) })),
    ),
    ...(tools === undefined
      ? {}
      : {
          [ATTRIBUTE.toolDefinitions]: JSON.stringify(
            tools.map((tool) => ({ type: 'function', ...tool })),
          ),
        }),
  };
}

/** Returns the answer as far as it came. */
function resultContent(result: ChatResult, isFinished: boolean): Attributes {
  const reason = isFinished ? reasonName(result.finishReason) : 'error';
  const message = { role: 'assistant', parts: writeParts(result), finish_reason: reason };
  return { [ATTRIBUTE.outputMessages]: JSON.stringify([message]) };
}

function writeParts({ parts }: Pick<Message, 'parts'>): JsonObject[] {
  return parts.map((part) => writePart(part));
}

function writePart(part: Part): JsonObject {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return { type: part.type, content: part.text };
    case 'tool-call':
      return { type: 'tool_call', id: part.id, name: part.name, arguments: part.input };
    case 'tool-result':
      return { type: 'tool_call_response', id: part.id, response: part.output };
    case 'source': {
      const { url, title } = part;
      return { type: 'source', ...(url && { uri: url }), ...(title && { title }) };
    }
    default:
      return writeFile(part);
  }
}

/** Bytes do not belong in a trace: only their number is written. */
function writeFile({ mediaType, data }: FilePart): JsonObject {
  const kind = { mime_type: mediaType, modality: mediaType.split('/', 1)[0] ?? '' };
  return data instanceof URL
    ? { type: 'uri', ...kind, uri: data.href }
    : { type: 'bytes', ...kind, size: data.byteLength };
}

/** Returns the common attributes of a call's span and metrics. */
function callAttributes(model: ChatModel): Attributes {
  return {
    [ATTRIBUTE.operation]: 'chat',
    [ATTRIBUTE.provider]: providerName(model.provider),
    [ATTRIBUTE.requestModel]: model.modelId,
  };
}

/** Returns the settings of a request; nothing that the user wrote. */
function requestAttributes(request: ChatRequest): Attributes {
  const { maxOutputTokens, temperature, topP, topK, stop, seed, output } = request;
  return defined({
    [ATTRIBUTE.maxTokens]: maxOutputTokens,
    [ATTRIBUTE.temperature]: temperature,
    [ATTRIBUTE.topP]: topP,
    [ATTRIBUTE.topK]: topK,
    [ATTRIBUTE.stopSequences]: stop && [...stop],
    [ATTRIBUTE.seed]: seed,
    [ATTRIBUTE.outputType]: output?.type,
    [ATTRIBUTE.stream]: true,
  });
}

/** Returns the known facts of an answer; nothing that the model wrote. */
function resultAttributes(result: ChatResult, isFinished: boolean): Attributes {
  const { id, model, finishReason } = result;
  return defined({
    [ATTRIBUTE.responseId]: id,
    [ATTRIBUTE.responseModel]: model,
    [ATTRIBUTE.finishReasons]: isFinished ? [reasonName(finishReason)] : undefined,
  });
}

/** Token counts; estimates are not reported. */
function usageAttributes(usage: Usage): Attributes {
  if (usage.estimated) return {};
  return defined({
    [ATTRIBUTE.inputTokens]: usage.inputTokens,
    [ATTRIBUTE.outputTokens]: usage.outputTokens,
    [ATTRIBUTE.cacheReadTokens]: usage.cachedInputTokens,
    [ATTRIBUTE.cacheCreationTokens]: usage.cacheWriteInputTokens,
    [ATTRIBUTE.reasoningTokens]: usage.reasoningTokens,
  });
}

/** Returns the convention's word for why an answer ended. */
function reasonName(reason: FinishReason): string {
  if (reason === 'tool-calls') return 'tool_call';
  return reason === 'content-filter' ? 'content_filter' : reason;
}

function defined(attributes: Attributes): Attributes {
  return Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== undefined));
}

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

/**
 * The names of the OpenTelemetry semantic conventions for generative AI, version 1.41.0
 * (https://github.com/open-telemetry/semantic-conventions/blob/v1.41.0/docs/gen-ai/), as they are in
 * `@opentelemetry/semantic-conventions` 1.45. All have the status "Development", and later versions
 * (https://github.com/open-telemetry/semantic-conventions-genai) rename some: so they are copied
 * here, and change only with this file.
 */
const ATTRIBUTE = {
  operation: 'gen_ai.operation.name',
  provider: 'gen_ai.provider.name',
  outputType: 'gen_ai.output.type',
  errorType: 'error.type',
  tokenType: 'gen_ai.token.type',

  requestModel: 'gen_ai.request.model',
  maxTokens: 'gen_ai.request.max_tokens',
  temperature: 'gen_ai.request.temperature',
  topP: 'gen_ai.request.top_p',
  topK: 'gen_ai.request.top_k',
  stopSequences: 'gen_ai.request.stop_sequences',
  seed: 'gen_ai.request.seed',
  stream: 'gen_ai.request.stream',

  responseId: 'gen_ai.response.id',
  responseModel: 'gen_ai.response.model',
  finishReasons: 'gen_ai.response.finish_reasons',
  /** In seconds. */
  timeToFirstChunk: 'gen_ai.response.time_to_first_chunk',

  inputTokens: 'gen_ai.usage.input_tokens',
  outputTokens: 'gen_ai.usage.output_tokens',
  cacheReadTokens: 'gen_ai.usage.cache_read.input_tokens',
  cacheCreationTokens: 'gen_ai.usage.cache_creation.input_tokens',
  reasoningTokens: 'gen_ai.usage.reasoning.output_tokens',

  systemInstructions: 'gen_ai.system_instructions',
  inputMessages: 'gen_ai.input.messages',
  outputMessages: 'gen_ai.output.messages',
  toolDefinitions: 'gen_ai.tool.definitions',
} as const;

/** How a histogram is made. */
interface MetricDefinition {
  readonly name: string;
  readonly description: string;
  readonly unit: string;
  readonly buckets: readonly number[];
}

/** The histograms, with the buckets that the conventions advise. */
const METRIC: { readonly duration: MetricDefinition; readonly tokens: MetricDefinition } = {
  duration: {
    name: 'gen_ai.client.operation.duration',
    description: 'GenAI operation duration.',
    unit: 's',
    buckets: Array.from({ length: 14 }, (_, power) => 2 ** power / 100),
  },
  tokens: {
    name: 'gen_ai.client.token.usage',
    description: 'Number of input and output tokens used.',
    unit: '{token}',
    buckets: Array.from({ length: 14 }, (_, power) => 4 ** power),
  },
};

/** The convention's words for providers, where they differ from those in use here. */
const PROVIDERS: Readonly<Record<string, string>> = {
  'amazon-bedrock': 'aws.bedrock',
  azure: 'azure.ai.openai',
  gemini: 'gcp.gemini',
  google: 'gcp.gemini',
  mistral: 'mistral_ai',
  vertex: 'gcp.vertex_ai',
  xai: 'x_ai',
};

/** Returns the convention's word for a provider; its own name where there is none. */
function providerName(provider: string): string {
  return PROVIDERS[provider] ?? provider;
}
