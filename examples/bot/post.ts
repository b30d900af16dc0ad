import type { Front, Message, Posted } from './front.ts';

/** Splits a text into messages of a platform, at the end of a paragraph, a line or a word if there is one. */
export function cut(text: string, most: number): readonly string[] {
  const pieces: string[] = [];
  let rest = text;
  while (rest.length > most) {
    const end = endWithin(rest, most);
    pieces.push(rest.slice(0, end).trimEnd());
    rest = rest.slice(end).trimStart();
  }
  return [...pieces, rest].filter((piece) => piece !== '');
}

function endWithin(text: string, most: number): number {
  for (const border of ['\n\n', '\n', '。', ' ']) {
    const end = text.lastIndexOf(border, most - border.length) + border.length;
    if (end > most / 2) return end;
  }
  // Never splits a surrogate pair.
  const isPair = /[\ud800-\udbff]/.test(text.charAt(most - 1));
  return isPair && most > 1 ? most - 1 : most;
}

/** Streams an answer: edits extend the last message, and a new one begins at the limit of the platform. */
export class Poster {
  readonly #message: Message;
  readonly #front: Pick<Front, 'maxLength' | 'canEdit'>;
  readonly #every: number;
  readonly #now: () => number;
  readonly #posted: { readonly message: Posted; text: string }[] = [];
  #last = -Infinity;

  /** @param every - Milliseconds between two edits: platforms limit them. */
  constructor(
    message: Message,
    front: Pick<Front, 'maxLength' | 'canEdit'>,
    { every = 1500, now = Date.now } = {},
  ) {
    this.#message = message;
    this.#front = front;
    this.#every = every;
    this.#now = now;
  }

  /** Shows the answer so far, unless the last edit was a moment ago. */
  async show(text: string): Promise<void> {
    if (!this.#front.canEdit || text.trim() === '') return;
    if (this.#now() - this.#last < this.#every) return;
    this.#last = this.#now();
    await this.#write(`${text} …`);
  }

  /** Shows the whole answer. */
  async end(text: string): Promise<void> {
    await this.#write(text);
  }

  async #write(text: string): Promise<void> {
    for (const [at, piece] of cut(text, this.#front.maxLength).entries()) {
      const posted = this.#posted[at];
      if (posted?.text === piece) continue;
      if (!posted) {
        this.#posted.push({ message: await this.#message.post(piece), text: piece });
      } else if (posted.message.edit) {
        await posted.message.edit(piece);
        posted.text = piece;
      }
    }
  }
}
