import type {
  LanguageModelV3,
  LanguageModelV3CallOptions,
  LanguageModelV3StreamPart,
} from '@ai-sdk/provider';
import type { ChatModel } from '../models/chat-model.ts';
import type { ChatEvent } from '../models/events.ts';
import { LLMError } from '../models/llm-error.ts';
import { markError } from './read-failure.ts';
import { readOptions } from './read-options.ts';
import { writeUsage } from './usage.ts';
import { StreamWriter, writeResult } from './write-answer.ts';
import { checkArgument } from '../adapter-kit/check-options.ts';
import { CHAT_MODEL } from '../input/part-kinds.ts';

/**
 * Makes a language model for the AI SDK of a {@link ChatModel}: middleware, fallbacks and storage of
 * this SDK below `generateText` and `streamText`. `ai` 6 and `ai` 7 take it (specification v3).
 *
 * Files by address are fetched by the AI SDK and arrive as bytes. Tools of providers and the two
 * penalties have no place in a {@link ChatModel}; each gives a warning.
 *
 * @throws LLMError that `APICallError.isInstance` knows too, while it answers: the AI SDK retries
 * where it is retryable, and waits as long as the provider asks for. A model with a retry of its own
 * wants `maxRetries: 0` there.
 *
 * @example
 * ```ts
 * const { text } = await generateText({ model: toAiSdk(model), prompt: 'Hello' });
 * ```
 */
export function toAiSdk(model: ChatModel): LanguageModelV3 {
  checkArgument('the model of toAiSdk', model, CHAT_MODEL);
  return {
    specificationVersion: 'v3',
    provider: model.provider,
    modelId: model.modelId,
    supportedUrls: {},
    async doGenerate(options) {
      const { request, warnings } = readOptions(options);
      try {
        return writeResult(await model.generate(request), warnings);
      } catch (error) {
        throw markError(error);
      }
    },
    doStream: async (options) => ({ stream: await openStream(model, options) }),
  };
}

/** Waits for the first event, as the AI SDK retries no stream that has begun. */
async function openStream(
  model: ChatModel,
  options: LanguageModelV3CallOptions,
): Promise<ReadableStream<LanguageModelV3StreamPart>> {
  const { request, warnings } = readOptions(options);
  const writer = new StreamWriter(warnings);
  const own = new AbortController();
  const { signal } = request;
  const joined = signal ? AbortSignal.any([signal, own.signal]) : own.signal;
  const events = model.stream({ ...request, signal: joined })[Symbol.asyncIterator]();
  let first: IteratorResult<ChatEvent> | undefined;
  try {
    first = await events.next();
  } catch (error) {
    throw markError(error);
  }
  return new ReadableStream({
    async pull(controller) {
      try {
        for (let parts: LanguageModelV3StreamPart[] = []; parts.length === 0;) {
          const { done, value } = first ?? (await events.next());
          first = undefined;
          if (done) {
            controller.close();
            return;
          }
          parts = writer.write(value);
          for (const part of parts) controller.enqueue(part);
        }
      } catch (error) {
        if (LLMError.isInstance(error) && error.code === 'aborted') {
          controller.error(markError(error));
          return;
        }
        for (const part of failed(error)) controller.enqueue(part);
        controller.close();
      }
    },
    cancel() {
      own.abort();
      events.return?.().catch(() => undefined);
    },
  });
}

/** The AI SDK ends a broken stream with the error and a finish. */
function failed(error: unknown): LanguageModelV3StreamPart[] {
  const usage = LLMError.isInstance(error) ? error.partial?.usage : undefined;
  return [
    { type: 'error', error: markError(error) },
    {
      type: 'finish',
      finishReason: { unified: 'error', raw: undefined },
      usage: writeUsage(usage ?? {}),
    },
  ];
}
