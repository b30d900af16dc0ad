import { headingsOf } from '../analyze/analyze-chunk.ts';
import type { Chunk } from '../chunk/chunk.ts';
import type { ChunkColumns } from './chunk-columns.ts';
import {
  contentOf,
  type ChunkContent,
  type GroupsByTerm,
  type NumberedWord,
} from './chunk-content.ts';
import type { Awaitable, ChunkText, IndexPart } from './chunk-index.ts';

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

  words(doc: number): number {
    return this.#columns.wordsOf(doc);
  }

  tagsOf(doc: number): readonly string[] {
    return this.#columns.tagsOf(doc);
  }

  eachPosting(place: number, visit: (doc: number, frequency: number) => void): void {
    this.#source.eachPosting(place, visit);
  }

  async texts(docs: readonly number[]): Promise<readonly ChunkText[]> {
    const read = await this.#source.read(docs);
    return read.map(({ chunk }) => ({ text: chunk.content, headings: headingsOf(chunk) }));
  }

  async contents(docs: readonly number[], groups: GroupsByTerm): Promise<readonly ChunkContent[]> {
    const read = await this.#source.read(docs);
    return read.map(({ chunk, words }) => contentOf(chunk.content, words, groups));
  }

  async chunks(docs: readonly number[]): Promise<readonly Chunk[]> {
    return (await this.#source.read(docs)).map(({ chunk }) => chunk);
  }
}
