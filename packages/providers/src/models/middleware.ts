import type { ChatModel } from './chat-model.ts';
import type { ChatEvent } from './events.ts';
import type { ChatRequest } from './request.ts';

/**
 * A layer around a model: it may change the request, the events, or decide not to call at all.
 * Put layers around a model by `compose`.
 *
 * A layer reads the events of `next` with `for await` (or `yield*`), so that the model is stopped when the
 * reader leaves early. `next` may be called several times; each call asks the model again. It
 * throws only `LLMError`.
 *
 * @example
 * ```ts
 * const polite: Middleware = {
 *   name: 'polite',
 *   stream: (request, next) =>
 *     next({ ...request, messages: [textMessage('system', 'Be polite.'), ...request.messages] }),
 * };
 * const model = compose(openai({ model: 'gpt-5' }), polite);
 * ```
 */
export interface Middleware {
  /** For messages of errors. */
  readonly name: string;

  /**
   * Answers a request.
   *
   * @param next - The layers below and, below them, the model.
   * @param model - The model itself, to know who it is; call it through `next`.
   */
  stream(
    request: ChatRequest,
    next: (request: ChatRequest) => AsyncIterable<ChatEvent>,
    model: ChatModel,
  ): AsyncIterable<ChatEvent>;
}
