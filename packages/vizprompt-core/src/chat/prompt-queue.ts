import { LLMError } from '@vizprompt/providers';
import { Mutex } from '@vizprompt/providers/internal';

/** Lets one prompt of each conversation be answered at a time, in the order they came. */
export class PromptQueue {
  readonly #lines = new Map<string, { readonly mutex: Mutex; waiting: number }>();

  /**
   * Waits for the turn of a prompt.
   *
   * @returns A function that ends its turn.
   * @throws LLMError with the code `aborted` if the signal aborts before.
   */
  async enter(conversation: string, signal?: AbortSignal): Promise<() => void> {
    const line = this.#lines.get(conversation) ?? { mutex: new Mutex(), waiting: 0 };
    this.#lines.set(conversation, line);
    line.waiting += 1;
    const leave = (): void => {
      line.waiting -= 1;
      if (line.waiting === 0) this.#lines.delete(conversation);
    };
    try {
      const release = await new Promise<() => void>((resolve, reject) => {
        const turn = line.mutex.run(() => new Promise<void>(resolve), signal);
        turn.catch(reject);
      });
      return () => {
        leave();
        release();
      };
    } catch (cause) {
      leave();
      throw new LLMError('aborted', 'it was stopped before its turn came', { cause });
    }
  }
}
