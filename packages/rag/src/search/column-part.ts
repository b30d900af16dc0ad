import type { RankedChunk } from '../rank/rerank.ts';
import { headingsOf } from '../analyze/analyze-chunk.ts';
import type { Chunk } from '../chunk/chunk.ts';
import type { ChunkColumns } from './chunk-columns.ts';
import {
  contentOf,
  rankedChunk,
  type ChunkContent,
  type GroupsByTerm,
  type NumberedWord,
} from './chunk-content.ts';
import type { Awaitable, ChunkText, IndexPart } from './chunk-index.ts';
import { ScoreSheet } from './score-sheet.ts';

/** What a byte holds. */
const MAX_FREQUENCY = 255;

/** A chunk with its content words, as an index keeps it. */
export interface IndexedChunk {
  readonly chunk: Chunk;
  readonly words: readonly NumberedWord[];
}

/** What a {@link ColumnPart} is given. */
export interface ColumnPartSource {
  readonly columns: ChunkColumns;
  eachPosting(term: number, visit: (doc: number, frequency: number) => void): void;
  read(docs: readonly number[]): Awaitable<readonly IndexedChunk[]>;
}

/** The only part of an index that keeps the facts of its chunks in columns. */
export class ColumnPart implements IndexPart {
  readonly number = 0;
  readonly #source: ColumnPartSource;
  readonly #columns: ChunkColumns;

  constructor(source: ColumnPartSource) {
    this.#source = source;
    this.#columns = source.columns;
  }

  get capacity(): number {
    return this.#columns.capacity;
  }

  documentOf(doc: number): number {
    return this.#columns.documentOf(doc);
  }

  indexOf(doc: number): number {
    return this.#columns.indexOf(doc);
  }

  get words(): Uint32Array {
    return this.#columns.wordCounts;
  }

  get isComplete(): boolean {
    return this.#columns.size === this.#columns.capacity;
  }

  tagsOf(doc: number): readonly string[] {
    return this.#columns.tagsOf(doc);
  }

  decode(place: number, docs: Uint32Array, frequencies: Uint8Array): number {
    let count = 0;
    this.#source.eachPosting(place, (doc, frequency) => {
      docs[count] = doc;
      frequencies[count++] = Math.min(frequency, MAX_FREQUENCY);
    });
    return count;
  }

  takeSheet(): ScoreSheet {
    return new ScoreSheet(this.capacity);
  }

  giveSheet(): void {
    // Small indexes and slow ones make new sheets.
  }

  async rank(
    docs: readonly number[],
    groups: GroupsByTerm,
    visit: (at: number, chunk: RankedChunk) => void,
  ): Promise<void> {
    for (const [at, { chunk, words }] of (await this.#source.read(docs)).entries()) {
      visit(at, rankedChunk(chunk.content, chunk.overlap, words, groups));
    }
  }

  async texts(docs: readonly number[]): Promise<readonly ChunkText[]> {
    const read = await this.#source.read(docs);
    return read.map(({ chunk }) => ({ text: chunk.own, headings: headingsOf(chunk) }));
  }

  async contents(docs: readonly number[], groups: GroupsByTerm): Promise<readonly ChunkContent[]> {
    const read = await this.#source.read(docs);
    return read.map(({ chunk, words }) => contentOf(chunk.content, words, groups));
  }

  async chunks(docs: readonly number[]): Promise<readonly Chunk[]> {
    return (await this.#source.read(docs)).map(({ chunk }) => chunk);
  }
}
