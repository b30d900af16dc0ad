import type { DocumentRef } from '../contract/search-backend.ts';
import { type AnalyzedChunk, type Chunk, termsOf } from '../chunk/chunk.ts';
import type {
  ChunkIndex,
  ChunkPlace,
  IndexPart,
  Neighbours,
  Vocabulary,
} from '../search/chunk-index.ts';
import { ColumnPart, ChunkColumns, type NumberedWord } from '../search/column-part.ts';
import type { Analyzer } from '../analyze/analyzer.ts';
import { documentKey, type KnownChunk } from '../contract/document-change.ts';
import { BigramSketch } from '../segment/format/bigrams.ts';
import type { TermTable } from './term-table.ts';

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
      decode: (term, docs, frequencies) => terms.decode(term, docs, frequencies),
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

/** A chunk in memory. */
interface HeldChunk {
  chunk: Chunk;
  readonly words: readonly NumberedWord[];
  /** Gives back its words and terms. */
  release(): void;
}

/** A document in memory. */
interface HeldDocument extends DocumentRef {
  /** The numbers of its chunks, in order. */
  chunks: readonly number[];
}

/** A chunk of the new version of a document. */
interface NextChunk {
  readonly chunk: Chunk;
  /** The id of a chunk that stays. */
  readonly id?: number;
  /** The terms of a new chunk. */
  readonly analyzed?: AnalyzedChunk;
}

/** The chunks and documents of an index in memory. */
export class FlexStore {
  readonly columns: ChunkColumns = new ChunkColumns();
  readonly bigrams: BigramSketch = new BigramSketch();
  readonly terms: TermTable;
  readonly #analyzer: Analyzer;
  readonly #chunks = new Map<number, HeldChunk>();
  readonly #documents = new Map<number, HeldDocument>();
  readonly #numbers = new Map<string, number>();
  readonly #free: number[] = [];
  #nextDocument = 0;

  constructor(terms: TermTable, analyzer: Analyzer) {
    this.terms = terms;
    this.#analyzer = analyzer;
  }

  get documents(): number {
    return this.#documents.size;
  }

  document(number: number): HeldDocument | undefined {
    return this.#documents.get(number);
  }

  chunk(number: number): HeldChunk | undefined {
    return this.#chunks.get(number);
  }

  /** Returns the chunks of a document in order, with their numbers. */
  chunksOf(ref: DocumentRef): readonly KnownChunk<number>[] {
    const numbers = this.#documents.get(this.#numbers.get(documentKey(ref)) ?? -1)?.chunks ?? [];
    return numbers.flatMap((id) => {
      const held = this.#chunks.get(id);
      return held ? [{ chunk: held.chunk, id }] : [];
    });
  }

  /** Replaces the chunks of a document; without waiting, so that no search sees half of it. */
  put(ref: DocumentRef, chunks: readonly NextChunk[], removed: readonly number[]): void {
    for (const number of removed) this.#remove(number);
    const key = documentKey(ref);
    const known = this.#numbers.get(key);
    if (chunks.length === 0) {
      this.#numbers.delete(key);
      if (known !== undefined) this.#documents.delete(known);
      return;
    }
    const document = known ?? this.#nextDocument++;
    const numbers = chunks.map(({ chunk, id, analyzed }) => {
      const number = id ?? this.#free.pop() ?? this.#chunks.size;
      if (analyzed) this.#chunks.set(number, this.#hold(number, chunk, analyzed));
      const held = this.#chunks.get(number);
      if (held) held.chunk = chunk;
      this.columns.set(number, {
        document,
        index: chunk.chunkIndex,
        words: held?.words.length ?? 0,
        length: chunk.own.length,
        tags: chunk.tags,
      });
      return number;
    });
    const { novelId, filePath } = ref;
    this.#numbers.set(key, document);
    this.#documents.set(document, { novelId, filePath, chunks: numbers });
  }

  #hold(number: number, chunk: Chunk, analyzed: AnalyzedChunk): HeldChunk {
    const { words, titles } = termsOf(analyzed);
    const numbered = words.map(({ start, end, terms }) => {
      const numbers = terms.map((term) => this.terms.add(term, number, false));
      return { start, end, terms: numbers };
    });
    const titleTerms = titles.map((term) => this.terms.add(term, number, true));
    const forms = this.terms.retainForms(analyzed, (basic) => this.#analyzer.readings(basic));
    this.bigrams.addText(chunk.own, 1);
    return {
      chunk,
      words: numbered,
      release: () => {
        const all = new Set([...numbered.flatMap(({ terms }) => terms), ...titleTerms]);
        for (const term of all) this.terms.remove(term, number);
        this.terms.releaseForms(forms);
        this.bigrams.addText(chunk.own, -1);
      },
    };
  }

  #remove(number: number): void {
    this.#chunks.get(number)?.release();
    this.#chunks.delete(number);
    this.columns.delete(number);
    this.#free.push(number);
  }
}
