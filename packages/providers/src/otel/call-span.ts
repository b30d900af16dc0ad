import type { Attributes, Context, Span } from '@opentelemetry/api';
import type { ChatModel } from '../models/chat-model.ts';
import { ChatCollector } from '../models/collect.ts';
import type { ChatEvent } from '../models/events.ts';
import { LLMError } from '../models/llm-error.ts';
import type { ChatRequest } from '../models/request.ts';
import { messageOf, isError } from '../errors.ts';
import {
  callAttributes,
  requestAttributes,
  resultAttributes,
  usageAttributes,
} from './attributes.ts';
import { requestContent, resultContent } from './content.ts';
import type { Instruments } from './instruments.ts';
import { ATTRIBUTE } from './names.ts';

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
