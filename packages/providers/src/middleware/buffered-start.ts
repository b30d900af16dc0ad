import type { ChatEvent, StartEvent } from '../models/events.ts';

/**
 * An attempt at an answer: its `start` is held back until something follows it, so that an attempt
 * that fails before that can be replaced by another without a trace.
 */
export class BufferedStart {
  readonly #stream: AsyncIterable<ChatEvent>;
  readonly #edit: (start: StartEvent) => StartEvent;
  #hasBegun = false;

  /** @param edit - What the held start becomes. Default: it stays as it is. */
  constructor(
    stream: AsyncIterable<ChatEvent>,
    edit: (start: StartEvent) => StartEvent = (start) => start,
  ) {
    this.#stream = stream;
    this.#edit = edit;
  }

  /** Whether anything was passed on; from then on the attempt is the answer. */
  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  async *events(): AsyncGenerator<ChatEvent> {
    let held: StartEvent | undefined;
    for await (const event of this.#stream) {
      if (event.type === 'start') {
        held = event;
        continue;
      }
      this.#hasBegun = true;
      if (held) yield this.#edit(held);
      held = undefined;
      yield event;
    }
  }
}
