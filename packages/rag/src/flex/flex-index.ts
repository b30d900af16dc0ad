import type { DocumentRef } from '../contract/search-backend.ts';
import type { Chunk } from '../chunk/chunk.ts';
import type {
  ChunkIndex,
  ChunkPlace,
  IndexPart,
  Neighbours,
  Vocabulary,
} from '../search/chunk-index.ts';
import { ColumnPart } from '../search/column-part.ts';
import type { FlexStore } from './flex-store.ts';

/** An index in memory as search sees it; nothing may be written meanwhile. */
export class FlexIndex implements ChunkIndex {
  readonly size: number;
  readonly words: number;
  readonly characters: number;
  readonly vocabulary: Vocabulary;
  readonly #store: FlexStore;

  constructor(store: FlexStore) {
    this.#store = store;
    this.size = store.columns.size;
    this.words = store.columns.words;
    this.characters = store.columns.characters;
    this.vocabulary = store.terms;
  }

  document(number: number): DocumentRef | undefined {
    return this.#store.document(number);
  }

  parts(): readonly IndexPart[] {
    const { columns, terms } = this.#store;
    const part = new ColumnPart({
      columns,
      eachPosting: (term, visit) => terms.eachPosting(term, visit),
      read: (docs) =>
        docs.flatMap((doc) => {
          const held = this.#store.chunk(doc);
          return held ? [held] : [];
        }),
    });
    return [part];
  }

  bigramCounts(): (pair: number) => number {
    const { bigrams } = this.#store;
    return (pair) => bigrams.count(pair);
  }

  chunksAround({ part, doc }: ChunkPlace, { before, after }: Neighbours): readonly Chunk[] {
    const { chunks = [] } = this.#store.document(part.documentOf(doc)) ?? {};
    const own = chunks.indexOf(doc);
    return chunks.slice(Math.max(0, own - before), own + after + 1).flatMap((number) => {
      const held = this.#store.chunk(number);
      return held ? [held.chunk] : [];
    });
  }
}
