/** A message of a stream: a text, or what a large one is made of again whenever it is needed. */
export type Frame = string | LargeFrame;

/** A message that is not held while its reader does not read. */
export interface LargeFrame {
  /** Of messages with the same name, one text is enough for all streams. */
  readonly name: string;
  /** Makes the text; the same one each time, or `undefined` if it is gone. */
  make(): Promise<string | undefined>;
}

/** How long a text is held for the other streams. */
const HELD_MS = 2000;

/**
 * Texts of large messages, which the streams of an app share. Together they take no more than a limit: whoever reads
 * slowly has its message made again, piece by piece.
 */
export class FrameTexts {
  readonly #maxCharacters: number;
  readonly #held = new Map<string, { readonly text: string; readonly until: number }>();
  readonly #making = new Map<string, Promise<string | undefined>>();
  #characters = 0;
  #isSweeping = false;

  constructor(maxCharacters: number) {
    this.#maxCharacters = maxCharacters;
  }

  /** Returns the text of a message. */
  async textOf({ name, make }: LargeFrame): Promise<string | undefined> {
    const held = this.#held.get(name);
    if (held) {
      // The one that was needed last is the last to go.
      this.#held.delete(name);
      this.#held.set(name, { ...held, until: Date.now() + HELD_MS });
      return held.text;
    }
    const making = this.#making.get(name) ?? this.#make(name, make);
    return making;
  }

  #make(name: string, make: LargeFrame['make']): Promise<string | undefined> {
    const made = make()
      .then((text) => {
        if (text !== undefined) this.#hold(name, text);
        return text;
      })
      .finally(() => this.#making.delete(name));
    this.#making.set(name, made);
    return made;
  }

  #hold(name: string, text: string): void {
    this.#held.set(name, { text, until: Date.now() + HELD_MS });
    this.#characters += text.length;
    for (const [other, { text: old }] of this.#held) {
      if (this.#characters <= this.#maxCharacters || other === name) break;
      this.#drop(other, old);
    }
    if (!this.#isSweeping) this.#sweepLater();
  }

  #sweepLater(): void {
    this.#isSweeping = true;
    setTimeout(() => this.#dropOld(), HELD_MS).unref();
  }

  #dropOld(): void {
    this.#isSweeping = false;
    for (const [name, { text, until }] of this.#held)
      if (until <= Date.now()) this.#drop(name, text);
    if (this.#held.size > 0) this.#sweepLater();
  }

  #drop(name: string, text: string): void {
    this.#held.delete(name);
    this.#characters -= text.length;
  }
}
