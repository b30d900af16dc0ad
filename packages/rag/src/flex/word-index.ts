import type { Document } from 'flexsearch';

/** The identity of a word. */
export type WordFacts = {
  /** The surface in normal form. */
  readonly word: string;
  /** The basic form. */
  readonly basic: string;
  /** Part of speech. */
  readonly pos: string;
};

/** A distinct word of the index, with the facts that it is found by. */
export type WordDocument = WordFacts & {
  readonly id: number;
  /** The readings of the basic form in katakana, a line each. */
  readonly reading: string;
};

/** The front and the back of longer words are not indexed: each takes the square of its length. */
const MAX_PARTIAL = 32;

interface Entry {
  readonly document: WordDocument;
  /** How many chunks have it. */
  users: number;
}

/**
 * The words of an index in FlexSearch: one document for each distinct word, not for each occurrence,
 * which would take 66 KB a chunk. FlexSearch is given words that were cut already, because its own
 * encoders break kana; it finds words by their front and back (`reverse`) and by their reading.
 */
export class WordIndex {
  readonly #flex: Document<WordDocument>;
  readonly #entries = new Map<number, Entry>();
  readonly #numbers = new Map<string, number>();
  readonly #long = new Set<number>();
  #next = 0;

  private constructor(flex: Document<WordDocument>) {
    this.#flex = flex;
  }

  static async open(): Promise<WordIndex> {
    const { Document: FlexDocument } = await import('flexsearch');
    const whole = (text: string): string[] => [text];
    const short = (text: string): string[] => (text.length > MAX_PARTIAL ? [] : [text]);
    const flex = new FlexDocument<WordDocument>({
      // Without it, removing takes as long as the index is large.
      fastupdate: true,
      document: {
        id: 'id',
        index: [
          { field: 'word', tokenize: 'reverse', encode: short },
          { field: 'basic', tokenize: 'reverse', encode: short },
          {
            field: 'reading',
            tokenize: 'strict',
            encode: (text) => text.split('\n').flatMap(whole),
          },
        ],
      },
    });
    return new WordIndex(flex);
  }

  /** A chunk has this word. Returns the number to {@link release} it with. */
  retain(facts: WordFacts, readingsOf: (basic: string) => readonly string[]): number {
    const key = keyOf(facts);
    let id = this.#numbers.get(key);
    if (id === undefined) {
      id = this.#next++;
      const document = { ...facts, id, reading: readingsOf(facts.basic).join('\n') };
      this.#numbers.set(key, id);
      this.#entries.set(id, { document, users: 0 });
      this.#flex.add(document);
      if (Math.max(facts.word.length, facts.basic.length) > MAX_PARTIAL) this.#long.add(id);
    }
    const entry = this.#entries.get(id);
    if (entry) entry.users++;
    return id;
  }

  /** The chunk is gone. */
  release(id: number): void {
    const entry = this.#entries.get(id);
    if (!entry || --entry.users > 0) return;
    this.#flex.remove(id);
    this.#entries.delete(id);
    this.#long.delete(id);
    this.#numbers.delete(keyOf(entry.document));
  }

  /** Returns the basic forms of the words that have a text at their front or back. */
  basics(
    text: string,
    at: 'front' | 'back',
    field: 'word' | 'basic' = 'basic',
  ): ReadonlySet<string> {
    const found = new Set<string>();
    for (const id of [...this.#search(text, field), ...this.#long]) {
      const document = this.#entries.get(id)?.document;
      const form = document?.[field] ?? '';
      const fits = at === 'front' ? form.startsWith(text) : form.endsWith(text);
      if (document && fits) found.add(document.basic);
    }
    return found;
  }

  /** Returns the basic forms of the words that have a text anywhere: FlexSearch would need all their parts. */
  basicsWith(text: string): ReadonlySet<string> {
    const found = new Set<string>();
    for (const { document } of this.#entries.values()) {
      const { word, basic } = document;
      if (word.includes(text) || basic.includes(text)) found.add(basic);
    }
    return found;
  }

  /** Returns the basic forms that are read so. */
  readAs(reading: string): ReadonlySet<string> {
    const found = new Set<string>();
    for (const id of this.#search(reading, 'reading')) {
      const document = this.#entries.get(id)?.document;
      if (document?.reading.split('\n').includes(reading)) found.add(document.basic);
    }
    return found;
  }

  #search(text: string, field: 'word' | 'basic' | 'reading'): readonly number[] {
    if (text === '') return [];
    const limit = Math.max(1, this.#entries.size);
    return this.#flex.search(text, { pluck: field, limit }).map(Number);
  }
}

function keyOf({ word, basic, pos }: WordFacts): string {
  return JSON.stringify([word, basic, pos]);
}
