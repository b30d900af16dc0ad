/** Space and marks around a name, at most this many characters each. */
const SLACK = 8;

/** Marks that may be before a name. */
const MARKS = /^[\s>#*_[【［（(「『<][\s>#*_[【［（(「『<]*/;

/**
 * Takes the speaker's own name off the beginning of an answer, however often it is there: `A:`,
 * `**A**:`, `[A]：`, `「A」：`. Pieces go in as they come, and what comes out,
 * joined, does not depend on how the answer was cut.
 */
export class NamePrefixFilter {
  readonly #prefix: RegExp;
  readonly #longest: number;
  readonly #name: string;
  #held = '';
  #isThrough = false;

  constructor(name: string) {
    const escaped = name.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
    this.#prefix = new RegExp(
      String.raw`^[\s>#]{0,${SLACK}}[*_]{0,3}[[【［（(「『<]?${escaped}[\]】］）)」』>]?(?:さん|氏)?[*_]{0,3}\s{0,2}[:：][*_]{0,3}\s{0,${SLACK}}`,
      'iu',
    );
    this.#name = name.toLowerCase();
    this.#longest = name.length + 2 * SLACK + 24;
  }

  /** @returns The part that may be passed on. */
  push(piece: string): string {
    if (this.#isThrough) return piece;
    this.#held += piece;
    for (;;) {
      const match = this.#prefix.exec(this.#held)?.[0];
      // More of the prefix may follow what is all that there is.
      if (match !== undefined && match.length < this.#held.length) {
        this.#held = this.#held.slice(match.length);
      } else if (match === undefined && !this.#mayBecomePrefix()) {
        return this.#pass();
      } else return '';
    }
  }

  /** @returns The part that was still held back. */
  end(): string {
    if (this.#isThrough) return '';
    const match = this.#prefix.exec(this.#held)?.[0] ?? '';
    this.#held = this.#held.slice(match.length);
    return this.#pass();
  }

  /** Checks whether what follows could still make a prefix of what is held. */
  #mayBecomePrefix(): boolean {
    if (this.#held.length >= this.#longest) return false;
    if (MARKS.test(this.#name)) return true;
    const start = this.#held.replace(MARKS, '').toLowerCase();
    return start.startsWith(this.#name) || this.#name.startsWith(start);
  }

  #pass(): string {
    const held = this.#held;
    this.#held = '';
    this.#isThrough = true;
    return held;
  }
}

/** Returns a whole answer without the speaker's own name at its beginning. */
export function withoutNamePrefix(text: string, name: string): string {
  const filter = new NamePrefixFilter(name);
  return filter.push(text) + filter.end();
}
