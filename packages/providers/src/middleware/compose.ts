import { streamInput } from '../adapter-kit/chat-input.ts';
import { checkArgument } from '../adapter-kit/check-options.ts';
import { abortedError } from '../adapter-kit/interruptible.ts';
import { messageOf } from '../errors.ts';
import { having } from '../input/kinds.ts';
import { CHAT_MODEL } from '../input/part-kinds.ts';
import type { ChatModel } from '../models/chat-model.ts';
import { ChatCollector, collectChat, outputOf } from '../models/collect.ts';
import type { ChatEvent } from '../models/events.ts';
import { LLMError } from '../models/llm-error.ts';
import type { Middleware } from '../models/middleware.ts';
import type { ChatRequest } from '../models/request.ts';
import { PeerError } from '../peer.ts';
import { collected, noteComposed, requestFor } from './attempt.ts';

const LAYER = having('a middleware, such as retry()', 'stream');

/**
 * Puts layers around a model. The result is a model like any other: it can be composed again, and
 * `generate` is its collected stream, so every layer sees both.
 *
 * The first layer is the outermost. The recommended order, of which any may be left out:
 *
 * 1. `events`: sees each call once, with all its retries
 * 2. `budget`: pays for what the layers below really spent
 * 3. `cache`: a hit calls no model
 * 4. `fallback`: only when retries did not help
 * 5. `retry`: the one retry loop
 * 6. `rateLimit`: every attempt waits for its turn
 *
 * `redact` goes above `cache`, `record` and `replay` below everything. The models that
 * `fallback` is given are called as they are: compose each with a `retry` and a `rateLimit` of its
 * own.
 *
 * `generate` is the collected stream. As its pieces are not seen, `retry` and `fallback` ask again also after some have
 * come; a `stream` of which something was read is never begun again.
 *
 * Its streams throw `LLMError` and nothing else: anything else that the model or a layer throws
 * becomes the `cause` of a `bad_response`, a `PeerError` that of an `unsupported` which names the
 * package to install, and a stream without a finish a `truncated`.
 *
 * @example
 * ```ts
 * const model = compose(
 *   openai({ model: 'gpt-5' }),
 *   events(told),
 *   budget(createBudget({ tokens: 100_000 })),
 *   cache({ store: storage.files }),
 *   fallback(compose(ollama({ model: 'qwen3:8b' }), retry())),
 *   retry(),
 *   rateLimit({ requestsPerMinute: 60, concurrency: 4 }),
 * );
 * ```
 */
export function compose(model: ChatModel, ...middleware: readonly Middleware[]): ChatModel {
  checkArgument('the model of compose', model, CHAT_MODEL);
  const { provider, modelId, address } = model;
  let stream = (request: ChatRequest): AsyncIterable<ChatEvent> =>
    guard(`${provider} model '${modelId}'`, request, () =>
      model.stream(requestFor(model, request)),
    );
  for (const [at, layer] of middleware.entries()) {
    checkArgument(`layer ${at + 1} of compose`, layer, LAYER);
  }
  for (const layer of middleware.toReversed()) {
    const next = stream;
    stream = (request) =>
      guard(`the middleware '${layer.name}'`, request, () => layer.stream(request, next, model));
  }
  return noteComposed({
    specVersion: 1,
    provider,
    modelId,
    ...(address === undefined ? {} : { address }),
    get capabilities() {
      return model.capabilities;
    },
    stream: (input) => streamInput(input, stream),
    // Its pieces are not seen: layers may ask again after some have come.
    generate: (input) => collectChat(streamInput(input, (request) => stream(collected(request)))),
    // It is not prepared: a middleware may answer in its place.
    ...(model.countTokens && { countTokens: model.countTokens.bind(model) }),
    ...(model.listModels && { listModels: model.listModels.bind(model) }),
  });
}

/**
 * Holds any stream to the contract of `ChatModel`: nothing happens before the first
 * event is asked for, it ends with a `finish`, and it throws `LLMError` only.
 *
 * @param who - The beginning of the message if it fails in a way of its own.
 */
export async function* guard(
  who: string,
  request: ChatRequest,
  open: () => AsyncIterable<ChatEvent>,
): AsyncGenerator<ChatEvent> {
  if (request.signal?.aborted) throw abortedError(request.signal);
  const collector = new ChatCollector();
  try {
    for await (const event of open()) {
      collector.add(event);
      yield event;
    }
  } catch (error) {
    if (LLMError.isInstance(error)) throw error;
    const details = { cause: error, ...outputOf(collector) };
    if (PeerError.isInstance(error)) {
      throw new LLMError('unsupported', `${who}: ${error.message}`, details);
    }
    const message = `${who} failed unexpectedly: ${messageOf(error)}`;
    throw new LLMError('bad_response', message, details);
  }
  if (collector.isFinished) return;
  const message = `${who} ended the stream without a finish event`;
  throw new LLMError('truncated', message, outputOf(collector));
}
