import { inflateRawSync } from 'node:zlib';
import { ByteReader } from '../binary/section-file.ts';
import type { StoredWord } from './chunk-text.ts';

/** How a word says which terms it has: by numbers, as the last word of the same surface, or by its surface. */
export const BY = { numbers: 0, known: 1, surface: 2 } as const;
export const WAYS: number = Object.keys(BY).length;

/** A word whose place does not fit into its byte. */
export const LONG = 7;

/** In place of the number of a term: the only term of a word is its surface. */
export const OWN_TERM = 0;

/** The words of a chunk as they are decoded. A search decodes thousands of words, and objects of each would be most of its garbage. */
export interface DecodedWords {
  /** The start and the end of each. */
  readonly places: Uint32Array;
  /** The number of the only term of each, `OWN_TERM`, or below 0 the place in `lists`, from -1 on. */
  readonly kinds: Int32Array;
  /** Terms of words that have several, or none. */
  readonly lists: readonly (readonly number[])[];
  readonly titles: readonly number[];
}

const NOTHING: DecodedWords = {
  places: new Uint32Array(),
  kinds: new Int32Array(),
  lists: [],
  titles: [],
};

/** The words of the chunks of one row, decoded when they are asked for: those before a chunk too, as it may refer to them. */
export class PackWords {
  readonly #contents: readonly string[];
  readonly #deflated: Uint8Array;
  readonly #numbers: ByteReader;
  readonly #isAsked: (place: number) => boolean;
  readonly #decoded: DecodedWords[] = [];
  readonly #lists: (readonly number[])[] = [];
  /** The kind of the last word of each surface whose terms are stored. */
  readonly #known = new Map<string, number>();
  #bytes: ByteReader | undefined;
  #titles: readonly number[] = [];

  constructor(
    contents: readonly string[],
    deflated: Uint8Array,
    numbers: Uint8Array,
    isAsked: (place: number) => boolean,
  ) {
    this.#contents = contents;
    this.#deflated = deflated;
    this.#numbers = new ByteReader(numbers);
    this.#isAsked = isAsked;
  }

  /** Returns the words of the chunk at this place of the row; none of one that is not asked for. */
  at(place: number): DecodedWords {
    this.#bytes ??= new ByteReader(inflate(this.#deflated));
    while (this.#decoded.length <= Math.min(place, this.#contents.length - 1)) {
      const next = this.#decoded.length;
      this.#decoded.push(
        this.#decode(this.#bytes, this.#contents[next] ?? '', this.#isAsked(next)),
      );
    }
    return this.#decoded[place] ?? NOTHING;
  }

  #decode(bytes: ByteReader, content: string, keeps: boolean): DecodedWords {
    const count = bytes.varint();
    const places = new Uint32Array(keeps ? count * 2 : 0);
    const kinds = new Int32Array(keeps ? count : 0);
    let end = 0;
    for (let at = 0; at < count; at++) {
      const first = bytes.byte();
      const shape = Math.floor(first / WAYS);
      const isLong = shape === LONG;
      const gap = isLong ? bytes.varint() : (shape >> 3) * 2;
      const start = end + (gap % 2 === 0 ? gap / 2 : -(gap + 1) / 2);
      end = start + (isLong ? bytes.varint() : shape & 7);
      const by = first % WAYS;
      const kind = by === BY.surface ? OWN_TERM : this.#kindOf(content.slice(start, end), by);
      if (!keeps) continue;
      places[at * 2] = start;
      places[at * 2 + 1] = end;
      kinds[at] = kind;
    }
    const size = this.#numbers.varint();
    if (size > 0) this.#titles = this.#readNumbers(size - 1);
    return keeps ? { places, kinds, lists: this.#lists, titles: this.#titles } : NOTHING;
  }

  #kindOf(surface: string, by: number): number {
    if (by === BY.known) return this.#known.get(surface) ?? this.#addList([]);
    const kind = this.#readKind();
    this.#known.set(surface, kind);
    return kind;
  }

  #readKind(): number {
    const value = this.#numbers.varint();
    const first = Math.floor(value / 2);
    if (value % 2 === 0) return first === OWN_TERM ? this.#addList([first]) : first;
    const count = this.#numbers.varint();
    return this.#addList(count === 0 ? [] : [first, ...this.#readNumbers(count - 1)]);
  }

  #readNumbers(count: number): readonly number[] {
    const numbers: number[] = [];
    while (numbers.length < count) numbers.push(this.#numbers.varint());
    return numbers;
  }

  #addList(list: readonly number[]): number {
    return -this.#lists.push(list);
  }
}

/** Returns decoded words with their terms by number. */
export function wordsOf(
  content: string,
  { places, kinds, lists }: DecodedWords,
  numberOf: (term: string) => number,
): readonly StoredWord[] {
  return Array.from(kinds, (kind, at): StoredWord => {
    const [start = 0, end = 0] = [places[at * 2], places[at * 2 + 1]];
    if (kind > 0) return { start, end, terms: [kind] };
    if (kind < 0) return { start, end, terms: lists[-1 - kind] ?? [] };
    return { start, end, terms: [numberOf(content.slice(start, end))], isOwnTerm: true };
  });
}

/** Without a size Node takes 16 kB for each call, and counts them for the collection of all garbage. */
export function inflate(bytes: Uint8Array): Buffer {
  return inflateRawSync(bytes, { chunkSize: LEAST_INFLATED + bytes.length * 2 });
}

const LEAST_INFLATED = 256;
