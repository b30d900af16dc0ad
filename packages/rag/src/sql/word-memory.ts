import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Analyzer } from '../analyze/analyzer.ts';
import { type Chunk, headingsOf, termsOfWord, TITLE_PREFIX } from '../chunk/chunk.ts';
import { TermIds } from './term-ids.ts';
import { kindOf, type WordRecords } from './word-records.ts';

/** Maximum time of consecutive analysis, in milliseconds. */
const SLICE_MS = 15;
/** Numbers for which memory is allocated at once. */
const RECORDS: number = 1 << 16;

/** The words of a chunk, with terms by their numbers in {@link WordMemory.ids}. */
export interface ChunkWords {
  readonly words: WordRecords;
  /** How many words there are. */
  readonly count: number;
  readonly titles: readonly number[];
}

/** Finds the words of the chunks of one change, once each and outside of its transaction. */
export class WordMemory {
  readonly ids: TermIds = new TermIds();
  readonly #analyzer: Pick<Analyzer, 'words'>;
  readonly #known = new Map<Chunk, ChunkWords>();
  /** The terms of titles, which many chunks share. */
  readonly #titles = new Map<string, readonly number[]>();
  /** The words of some chunks, one after the other: to allocate memory for each would take as long as to fill it. */
  #records = new Uint32Array(0);
  /** Where the words of the last chunk begin, and where those of the next one do. */
  #from = 0;
  #end = 0;

  constructor(analyzer: Pick<Analyzer, 'words'>) {
    this.#analyzer = analyzer;
  }

  /**
   * Finds the words of chunks; timers, sockets and signals of the process get their turn in between.
   *
   * @throws The signal's reason.
   */
  async analyze(chunks: readonly Chunk[], signal?: AbortSignal): Promise<void> {
    let end = performance.now() + SLICE_MS;
    for (const chunk of chunks) {
      this.wordsOf(chunk);
      if (performance.now() < end) continue;
      // oxlint-disable-next-line no-await-in-loop -- the turn of others
      await nextTurn();
      signal?.throwIfAborted();
      end = performance.now() + SLICE_MS;
    }
  }

  wordsOf(chunk: Chunk): ChunkWords {
    let known = this.#known.get(chunk);
    if (!known) {
      known = this.#find(chunk);
      this.#known.set(chunk, known);
    }
    return known;
  }

  #find(chunk: Chunk): ChunkWords {
    const { content, overlap } = chunk;
    this.#from = this.#end;
    let count = 0;
    for (const word of this.#analyzer.words(content)) {
      // Text that repeats the chunk before would be found twice, and cited in the wrong place.
      if (!word.isContent || word.start < overlap) continue;
      count++;
      const { start, end, basic, extra } = word;
      const terms = extra ? termsOfWord(word) : undefined;
      const size = terms?.length ?? 1;
      this.#reserve(3 + size);
      const isOwn = size === 1 && basic.length === end - start && content.startsWith(basic, start);
      this.#records[this.#end++] = start;
      this.#records[this.#end++] = end;
      this.#records[this.#end++] = kindOf(size, isOwn);
      if (terms) for (const term of terms) this.#records[this.#end++] = this.ids.idOf(term);
      else this.#records[this.#end++] = this.ids.idOf(basic);
    }
    const words = this.#records.subarray(this.#from, this.#end);
    return { words, count, titles: this.#titlesOf(chunk) };
  }

  #titlesOf(chunk: Chunk): readonly number[] {
    const text = headingsOf(chunk).join('\n');
    const known = this.#titles.get(text);
    if (known) return known;
    const words = this.#analyzer.words(text).filter(({ isContent }) => isContent);
    const titles = words.flatMap((word) =>
      termsOfWord(word).map((term) => this.ids.idOf(TITLE_PREFIX + term)),
    );
    this.#titles.set(text, titles);
    return titles;
  }

  /** Makes room for as many numbers more; the words of a chunk stay together. */
  #reserve(more: number): void {
    if (this.#end + more <= this.#records.length) return;
    const own = this.#records.subarray(this.#from, this.#end);
    this.#records = new Uint32Array(Math.max(RECORDS, (own.length + more) * 2));
    this.#records.set(own);
    [this.#from, this.#end] = [0, own.length];
  }
}
