import type { SegmentStrings } from './segment-layout.ts';

/** Numbers strings that many chunks share. */
export class SharedStrings {
  readonly #titles = new Numbered<string>();
  readonly #headings = new Numbered<readonly string[]>();
  readonly #tags = new Numbered<readonly string[]>();

  title(title: string): number {
    return this.#titles.numberOf(title, title);
  }

  headings(path: readonly string[]): number {
    return this.#headings.numberOf(JSON.stringify(path), path);
  }

  tags(tags: readonly string[]): number {
    return this.#tags.numberOf(JSON.stringify(tags), tags);
  }

  toJSON(partsOfSpeech: readonly string[]): SegmentStrings {
    return {
      titles: this.#titles.values,
      headings: this.#headings.values,
      tags: this.#tags.values,
      partsOfSpeech,
    };
  }
}

class Numbered<Value> {
  readonly values: Value[] = [];
  readonly #numbers = new Map<string, number>();

  numberOf(key: string, value: Value): number {
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    this.#numbers.set(key, this.values.length);
    return this.values.push(value) - 1;
  }
}
