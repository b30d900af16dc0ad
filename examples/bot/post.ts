import { cut } from './cut.ts';
import type { Front, Message, Posted } from './front.ts';

export { cut } from './cut.ts';

type Limits = Pick<Front, 'maxLength' | 'canEdit' | 'lengthOf'>;

/** Streams an answer: edits extend the last message, and a new one begins at the limit of the platform. */
export class Poster {
  readonly #message: Message;
  readonly #front: Limits;
  readonly #every: number;
  readonly #now: () => number;
  readonly #posted: { message: Posted; text: string }[] = [];
  #last = -Infinity;
  #showing: Promise<unknown> | undefined;

  /** @param every - Milliseconds between two edits: platforms limit them. */
  constructor(message: Message, front: Limits, { every = 1500, now = Date.now } = {}) {
    this.#message = message;
    this.#front = front;
    this.#every = every;
    this.#now = now;
  }

  /**
   * Shows the answer so far, unless the last edit was a moment ago. The model does not wait for the platform, and an edit
   * that fails is made up for by the next one.
   */
  async show(text: string): Promise<void> {
    if (!this.#front.canEdit || text.trim() === '' || this.#showing) return;
    if (this.#now() - this.#last < this.#every) return;
    this.#last = this.#now();
    this.#showing = this.#write(`${text} …`).catch(() => undefined);
    await this.#showing;
    this.#showing = undefined;
  }

  /** Shows the whole answer. A message that was deleted in the meantime is posted again. */
  async end(text: string): Promise<void> {
    await this.#showing;
    const used = await this.#write(text, true);
    for (const { message } of this.#posted.splice(used)) await message.remove?.();
  }

  /** Writes a text, and returns the number of its messages. */
  async #write(text: string, isLast = false): Promise<number> {
    const pieces = cut(text, this.#front.maxLength, this.#front.lengthOf);
    for (const [at, piece] of pieces.entries()) {
      const posted = this.#posted[at];
      if (posted?.text === piece) continue;
      if (!posted) {
        this.#posted.push({ message: await this.#message.post(piece), text: piece });
        continue;
      }
      try {
        await posted.message.edit?.(piece);
      } catch (error) {
        if (!isLast) throw error;
        posted.message = await this.#message.post(piece);
      }
      posted.text = piece;
    }
    return pieces.length;
  }
}
