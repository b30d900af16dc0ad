import { LLMError } from '@vizprompt/providers';
import type { StoredNode } from '../node/node.ts';
import type { ChatTurnEvent } from './chat-options.ts';

/**
 * An answer that is on its way. Nothing happens before it is iterated or its `node` asked for; leaving
 * the loop stops the answer, and what had come is kept. Its events are given once.
 *
 * @example
 * ```ts
 * for await (const event of vizprompt.chat({ prompt: '猫は好き？' })) {
 *   if (event.type === 'text') process.stdout.write(event.text);
 * }
 * const node = await vizprompt.chat({ prompt: 'なぜ？' }).node();
 * ```
 */
export class ChatTurn implements AsyncIterable<ChatTurnEvent> {
  readonly #events: AsyncGenerator<ChatTurnEvent>;
  readonly #answered: Promise<StoredNode>;
  #isRead = false;

  constructor(events: AsyncGenerator<ChatTurnEvent>) {
    let watched = events;
    this.#answered = new Promise((resolve, reject) => {
      watched = this.#watch(events, resolve, reject);
    });
    this.#events = watched;
    // Whoever iterates is told of the failure there.
    this.#answered.catch(() => undefined);
  }

  [Symbol.asyncIterator](): AsyncIterator<ChatTurnEvent> {
    return this.#events;
  }

  /**
   * Waits for the whole answer: before, while and after it is iterated, and as often as you like.
   *
   * @throws LLMError of the model; the node then holds what had come, marked `failed` or `aborted`.
   */
  async node(): Promise<StoredNode> {
    if (!this.#isRead) for await (const _ of this.#events);
    return this.#answered;
  }

  async *#watch(
    events: AsyncIterable<ChatTurnEvent>,
    resolve: (node: StoredNode) => void,
    reject: (reason: unknown) => void,
  ): AsyncGenerator<ChatTurnEvent> {
    this.#isRead = true;
    try {
      for await (const event of events) {
        if (event.type === 'answered') resolve(event.node);
        yield event;
      }
    } catch (error) {
      reject(error);
      throw error;
    } finally {
      reject(leftEarly());
    }
  }
}

/** Creates the error of an answer whose reader left before its end. */
export function leftEarly(): LLMError {
  return new LLMError('aborted', 'the reader left before the answer ended');
}
