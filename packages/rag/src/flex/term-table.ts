import { MAX_FREQUENCY } from '@vizprompt/providers/internal';
import { type AnalyzedChunk, TITLE_PREFIX } from '../chunk/chunk.ts';
import type { TermEntry, Vocabulary } from '../search/chunk-index.ts';
import type { WordFacts, WordIndex } from './word-index.ts';

interface Postings {
  readonly key: string;
  /** How often each chunk has it. */
  readonly chunks: Map<number, number>;
}

/** Which chunks have which terms, and what the terms look like. */
export class TermTable implements Vocabulary {
  readonly #words: WordIndex;
  readonly #postings = new Map<number, Postings>();
  readonly #numbers = new Map<string, number>();
  #next = 0;
  #titles = 0;

  constructor(words: WordIndex) {
    this.#words = words;
  }

  get hasTitles(): boolean {
    return this.#titles > 0;
  }

  /** How many terms texts have. */
  get size(): number {
    return this.#postings.size - this.#titles;
  }

  /** A chunk has a term once more. Returns the number of the term. */
  add(term: string, chunk: number, isTitle: boolean): number {
    const key = isTitle ? TITLE_PREFIX + term : term;
    let number = this.#numbers.get(key);
    if (number === undefined) {
      number = this.#next++;
      this.#numbers.set(key, number);
      this.#postings.set(number, { key, chunks: new Map() });
      if (isTitle) this.#titles++;
    }
    const chunks = this.#postings.get(number)?.chunks;
    chunks?.set(chunk, Math.min(MAX_FREQUENCY, (chunks.get(chunk) ?? 0) + 1));
    return number;
  }

  /** A chunk with a term is gone. */
  remove(number: number, chunk: number): void {
    const postings = this.#postings.get(number);
    postings?.chunks.delete(chunk);
    if (!postings || postings.chunks.size > 0) return;
    this.#postings.delete(number);
    this.#numbers.delete(postings.key);
    if (postings.key.startsWith(TITLE_PREFIX)) this.#titles--;
  }

  /** Writes down which chunks have a term, and how often; returns how many they are. */
  decode(number: number, docs: Uint32Array, frequencies: Uint8Array): number {
    let count = 0;
    for (const [chunk, frequency] of this.#postings.get(number)?.chunks ?? []) {
      docs[count] = chunk;
      frequencies[count++] = frequency;
    }
    return count;
  }

  /** The chunk has these words; returns what {@link releaseForms} takes. */
  retainForms(
    { chunk, words, titleWords }: AnalyzedChunk,
    readingsOf: (basic: string) => readonly string[],
  ): readonly number[] {
    const forms = new Map<string, WordFacts>();
    const note = (word: string, basic: string, pos: string): void => {
      forms.set(JSON.stringify([word, basic, pos]), { word, basic, pos });
    };
    for (const { start, end, basic, pos, isContent, extra = [] } of words) {
      if (!isContent) continue;
      const surface = chunk.content.slice(start, end).normalize('NFKC').toLowerCase();
      note(surface, basic, pos);
      for (const term of extra) note(term, term, '');
    }
    for (const { basic, pos, isContent, extra = [] } of titleWords) {
      if (!isContent) continue;
      note(basic, basic, pos);
      for (const term of extra) note(term, term, '');
    }
    return Array.from(forms.values(), (facts) => this.#words.retain(facts, readingsOf));
  }

  releaseForms(forms: readonly number[]): void {
    for (const form of forms) this.#words.release(form);
  }

  entries(terms: readonly string[]): readonly (TermEntry | undefined)[] {
    return terms.map((term) => {
      const number = this.#numbers.get(term);
      if (number === undefined) return undefined;
      const count = this.#postings.get(number)?.chunks.size ?? 0;
      return count > 0 ? { count, places: [number] } : undefined;
    });
  }

  startingWith(text: string): Iterable<string> {
    return this.#ofTexts(this.#words.basics(text, 'front'));
  }

  endingWith(text: string): Iterable<string> {
    return this.#ofTexts(this.#words.basics(text, 'back'));
  }

  withPart(text: string, at: 'front' | 'back' | 'anywhere'): Iterable<string> {
    if (at === 'anywhere') return this.#words.basicsWith(text);
    return new Set([
      ...this.#words.basics(text, at, 'word'),
      ...this.#words.basics(text, at, 'basic'),
    ]);
  }

  readAs(reading: string): Iterable<string> {
    return this.#words.readAs(reading);
  }

  #ofTexts(terms: ReadonlySet<string>): readonly string[] {
    return [...terms].filter((term) => this.#numbers.has(term));
  }
}
