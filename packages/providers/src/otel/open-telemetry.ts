import type { Meter, Tracer } from '@opentelemetry/api';
import type { ChatEvent } from '../models/events.ts';
import type { ChatRequest } from '../models/request.ts';
import type { Middleware } from '../models/chat-model.ts';
import { CallSpan, type Instruments, loadInstruments } from './call-span.ts';
import { checkOptions } from '../adapter-kit/check-options.ts';
import { FLAG, having, optional, type Kinds } from '../input/kinds.ts';

/** Options of {@link openTelemetry}. */
export interface OpenTelemetryOptions {
  /** Makes the spans. Default: one of the global provider, which does nothing until the app registers its own. */
  readonly tracer?: Tracer | undefined;
  /** Counts tokens and times. Default: one of the global provider. */
  readonly meter?: Meter | undefined;
  /**
   * Records messages, tools, answers and the words of errors too. They may hold anything that users
   * write, and go wherever traces go. Default: `false`.
   */
  readonly captureContent?: boolean | undefined;
}

const KINDS: Kinds<OpenTelemetryOptions> = {
  tracer: optional(having('a Tracer of OpenTelemetry', 'startSpan')),
  meter: optional(having('a Meter of OpenTelemetry', 'createHistogram')),
  captureContent: optional(FLAG),
};

/**
 * Makes one span for each call (`chat gpt-5`, of the kind CLIENT) and records its duration and
 * tokens, with the names of the GenAI conventions. As the first layer it sees a call with all its
 * retries as one. Spans of HTTP instrumentation become its children.
 *
 * Embeddings are not chat calls and are not seen.
 *
 * @throws LLMError with the code `unsupported`, at the first call, if `@opentelemetry/api` is not
 * installed; its cause is a `PeerError`.
 *
 * @example
 * ```ts
 * const model = compose(openai({ model: 'gpt-5' }), openTelemetry(), retry());
 * ```
 */
export function openTelemetry(options: OpenTelemetryOptions = {}): Middleware {
  checkOptions('openTelemetry', options, KINDS);
  const { captureContent = false } = options;
  let loading: Promise<Instruments> | undefined;
  return {
    name: 'openTelemetry',
    async *stream(request, next, model) {
      loading ??= loadInstruments(options);
      const span = new CallSpan(await loading, model, request, captureContent);
      yield* traced(span, request, next);
    },
  };
}

async function* traced(
  span: CallSpan,
  request: ChatRequest,
  next: (request: ChatRequest) => AsyncIterable<ChatEvent>,
): AsyncGenerator<ChatEvent> {
  const iterator = span.within(() => next(request)[Symbol.asyncIterator]());
  let isOpen = true;
  try {
    for (;;) {
      const { done, value } = await span.within(() => iterator.next());
      if (done) break;
      span.add(value);
      yield value;
    }
    isOpen = false;
  } catch (error) {
    isOpen = false;
    span.fail(error);
    throw error;
  } finally {
    // Only a reader that left early comes here with the stream open.
    if (isOpen) await span.within(() => iterator.return?.());
    span.end();
  }
}
