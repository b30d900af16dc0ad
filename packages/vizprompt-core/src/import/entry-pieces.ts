/** The text of an entry, or why there is none. */
export type EntryText =
  | { readonly text: string; readonly problem?: undefined }
  | { readonly text?: undefined; readonly problem: string };

/** The pieces of one entry, which are joined once. */
export class EntryPieces {
  readonly #max: number;
  #pieces: string[] = [];
  #length = 0;
  #problem: string | undefined;

  constructor(max: number) {
    this.#max = max;
  }

  /** Whether nothing but white space was added. */
  get isBlank(): boolean {
    return this.#pieces.length === 0 && this.#problem === undefined;
  }

  /** Adds the next piece as it is. */
  add(piece: string): void {
    if (piece === '' || this.#problem !== undefined) return;
    this.#length += piece.length;
    if (this.#length <= this.#max) this.#pieces.push(piece);
    else {
      this.refuse(
        `it has more than ${this.#max} characters: split it, or raise limits.entryCharacters`,
      );
    }
  }

  /**
   * Adds the next piece of a JSON document. White space between two values means nothing, however long: of what a
   * piece begins and ends with, one space is kept.
   *
   * @param startsInString - Whether its beginning is in a string, and so every space counts; the same for its end.
   */
  addJson(piece: string, startsInString: boolean, endsInString: boolean): void {
    const start = startsInString ? piece : shortenedStart(piece);
    const kept = endsInString ? start : shortenedEnd(start);
    if (
      kept === ' ' &&
      !startsInString &&
      (this.#pieces.length === 0 || this.#pieces.at(-1) === ' ')
    )
      return;
    this.add(kept);
  }

  /** Drops what was added; the rest is read, and not kept. */
  refuse(problem: string): void {
    this.#problem ??= problem;
    this.#pieces = [];
  }

  /** Returns the entry, and begins the next one. */
  take(): EntryText {
    const [problem, text] = [this.#problem, this.#pieces.join('')];
    this.#pieces = [];
    this.#length = 0;
    this.#problem = undefined;
    return problem === undefined ? { text } : { problem };
  }
}

function shortenedStart(text: string): string {
  const trimmed = text.trimStart();
  return trimmed.length < text.length ? ` ${trimmed}` : text;
}

function shortenedEnd(text: string): string {
  const trimmed = text.trimEnd();
  return trimmed.length < text.length ? `${trimmed} ` : text;
}
