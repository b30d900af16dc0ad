import type { StoredNode } from '../node/node.ts';
import type { ChatTurnEvent } from './chat-options.ts';

/**
 * An answer that is on its way. Nothing happens before it is iterated or its `node` asked for; leaving
 * the loop stops the answer, and what had come is kept.
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

  constructor(events: AsyncGenerator<ChatTurnEvent>) {
    this.#events = events;
  }

  [Symbol.asyncIterator](): AsyncIterator<ChatTurnEvent> {
    return this.#events;
  }

  /**
   * Waits for the whole answer.
   *
   * @throws LLMError of the model; the node then holds what had come, marked `failed` or `aborted`.
   */
  async node(): Promise<StoredNode> {
    let node: StoredNode | undefined;
    for await (const event of this) if ('node' in event) ({ node } = event);
    if (node) return node;
    throw new TypeError('the answer was iterated already: its last event holds the node');
  }
}
