/**
 * The texts of files as far as the transcript told them, so that an edit that names only its
 * fragments can be replayed. The least used are forgotten above a total size.
 */
export class KnownFiles {
  readonly #texts = new Map<string, string>();
  readonly #maxCharacters: number;
  #characters = 0;

  /** @param maxCharacters - UTF-16 units kept in all. Default: 16 Mi. */
  constructor(maxCharacters: number = 1 << 24) {
    this.#maxCharacters = maxCharacters;
  }

  /** The text of a file as it last was. */
  get(path: string): string | undefined {
    const text = this.#texts.get(path);
    if (text === undefined) return undefined;
    this.#texts.delete(path);
    this.#texts.set(path, text);
    return text;
  }

  /** Remembers a text; `undefined` says that it is no longer known. */
  set(path: string, text: string | undefined): void {
    this.#characters -= this.#texts.get(path)?.length ?? 0;
    this.#texts.delete(path);
    if (text === undefined || text.length > this.#maxCharacters) return;
    this.#texts.set(path, text);
    this.#characters += text.length;
    for (const [oldest, { length }] of this.#texts) {
      if (this.#characters <= this.#maxCharacters) break;
      this.#texts.delete(oldest);
      this.#characters -= length;
    }
  }
}
