import { Numbering } from '../binary/numbering.ts';
import type { SegmentStrings } from './segment-layout.ts';

/** Numbers strings that many chunks share. */
export class SharedStrings {
  readonly #titles = new Numbering<string>();
  readonly #headings = new Numbering<readonly string[]>();
  readonly #tags = new Numbering<readonly string[]>();

  title(title: string): number {
    return this.#titles.of(title, title);
  }

  headings(path: readonly string[]): number {
    return this.#headings.of(JSON.stringify(path), path);
  }

  tags(tags: readonly string[]): number {
    return this.#tags.of(JSON.stringify(tags), tags);
  }

  toJSON(partsOfSpeech: readonly string[]): SegmentStrings {
    return {
      titles: this.#titles.things,
      headings: this.#headings.things,
      tags: this.#tags.things,
      partsOfSpeech,
    };
  }
}
