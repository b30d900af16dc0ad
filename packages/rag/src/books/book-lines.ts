import { BookProblem } from './zip-parts.ts';

/** A ruby of Aozora Bunko has at most this much on either side. */
const LONGEST_RUBY = 40;
const RUBY_MARKS = /[《》｜|\n]/g;

/**
 * Collects the text of a book, a paragraph on each line. Headings begin with `#` as those of Markdown, a paragraph that
 * begins so gets a `\` before it. Ruby becomes that of Aozora Bunko, `｜灯台《とうだい》`.
 */
export class BookLines {
  readonly #lines: string[] = [];
  readonly #maxCharacters: number;
  #characters = 0;

  /** @param maxCharacters - The longest text, in UTF-16 code units. */
  constructor(maxCharacters: number) {
    this.#maxCharacters = maxCharacters;
  }

  /** Adds a paragraph; one of blanks alone is passed over. */
  paragraph(text: string): void {
    for (const line of text.split('\n')) {
      const trimmed = line.trimEnd();
      if (trimmed.trim() === '') continue;
      this.#add(trimmed.startsWith('#') || trimmed.startsWith('\\#') ? `\\${trimmed}` : trimmed);
    }
  }

  /** The number of lines. */
  get length(): number {
    return this.#lines.length;
  }

  /**
   * Adds a heading.
   *
   * @param depth - 1 is outermost.
   * @param at - The number of lines before it. Default: all.
   */
  heading(depth: number, text: string, at: number = this.#lines.length): void {
    const line = text.replaceAll(/[ \t\n][ \t\n]*/g, ' ').trim();
    if (line !== '') this.#add(`${'#'.repeat(Math.min(depth, 6))} ${line}`, at);
  }

  /** A change of scene. */
  scene(): void {
    if (this.#lines.length > 0 && this.#lines.at(-1) !== '') this.#add('');
  }

  /** Returns the whole text; its last line ends, too. */
  text(): string {
    return this.#lines.length === 0 ? '' : `${this.#lines.join('\n')}\n`;
  }

  #add(line: string, at = this.#lines.length): void {
    this.#characters += line.length + 1;
    if (this.#characters > this.#maxCharacters) {
      throw new BookProblem(
        `it has more than ${this.#maxCharacters} characters of text: split it, or raise maxFileBytes`,
      );
    }
    this.#lines.splice(at, 0, line);
  }
}

/** Marks of emphasis, which are written as ruby. */
const DOTS = /^[・•●○◎◉△▲﹅﹆◦、ヽヾ｀´]+$/u;

/** Returns a text with its reading, as books of Aozora Bunko write it. */
export function rubyText(base: string, reading: string): string {
  const plain = base.replaceAll(RUBY_MARKS, '');
  const read = reading.replaceAll(RUBY_MARKS, '').replaceAll(/\s\s*/g, '');
  if (plain.trim() === '' || read === '' || DOTS.test(read)) return base;
  const isRuby = plain.length <= LONGEST_RUBY && read.length <= LONGEST_RUBY;
  return isRuby ? `｜${plain}《${read}》` : `${base}（${read}）`;
}

/** Returns a text as it is read: without the marks and readings of {@link rubyText}. */
export function withoutRuby(text: string): string {
  return text.replaceAll(/｜([^《》｜]{1,40})《[^《》]{1,40}》/g, '$1');
}
