import type { Analyzer } from '../analyze/analyzer.ts';
import type { Chunk } from '../chunk/chunk.ts';
import type { DocumentRef } from '../backends/search-backend.ts';
import { chunkAnalyzer } from '../analyze/analyze-chunk.ts';
import { SegmentBuilder } from './segment-builder.ts';
import { RECORD_COLUMN_COUNT, type DocumentRecord } from './segment-layout.ts';
import type { Section } from '../binary/section-file.ts';

/** A segment is finished when it holds so many UTF-16 code units. */
const SPILL_CHARACTERS = 1_000_000;

/** A document that is written as a whole. */
export interface NewDocument extends DocumentRef {
  readonly chunks: readonly Chunk[];
  readonly stamp?: string;
  /** The chunks that the index has of it, which these take the place of. */
  readonly replaced?: readonly Pick<Chunk, 'content' | 'overlap'>[];
}

/** A segment that is ready to be written. Its ids count from 0. */
export interface SpilledSegment {
  readonly sections: readonly Section[];
  readonly chunks: number;
  readonly documents: number;
  /** How many chunks of other segments its documents take the place of. */
  readonly replaced: number;
}

/** Turns a stream of new documents into segments of bounded size. */
export class SegmentSpiller {
  readonly #analyzer: Analyzer;
  readonly #analyze: ReturnType<typeof chunkAnalyzer>;
  #builder: SegmentBuilder;
  #records: DocumentRecord[] = [];
  #replaced = 0;

  constructor(analyzer: Analyzer) {
    this.#analyzer = analyzer;
    this.#analyze = chunkAnalyzer(analyzer);
    this.#builder = new SegmentBuilder((basic) => analyzer.readings(basic));
  }

  /** Takes a document in; gives a segment when there is enough for one. */
  add(document: NewDocument): SpilledSegment | undefined {
    const { novelId, filePath, chunks, stamp, replaced = [] } = document;
    for (const chunk of replaced) this.#builder.forget(chunk);
    this.#replaced += replaced.length;
    const numbers = new Uint32Array(chunks.length * RECORD_COLUMN_COUNT);
    for (const [index, chunk] of chunks.entries()) {
      const id = this.#builder.size;
      this.#builder.add(id, this.#analyze(chunk));
      const { startLine, endLine, chunkIndex } = chunk;
      numbers.set([id, startLine, endLine, chunkIndex], index * RECORD_COLUMN_COUNT);
    }
    const record = { novelId, filePath, commit: 0, chunks: numbers };
    this.#records.push(stamp === undefined ? record : { ...record, stamp });
    return this.#builder.characters >= SPILL_CHARACTERS ? this.finish() : undefined;
  }

  /** What is left, if anything. */
  finish(): SpilledSegment | undefined {
    if (this.#records.length === 0) return undefined;
    const segment = {
      sections: this.#builder.finish(this.#records),
      chunks: this.#builder.size,
      documents: this.#records.length,
      replaced: this.#replaced,
    };
    this.#replaced = 0;
    this.#builder = new SegmentBuilder((basic) => this.#analyzer.readings(basic));
    this.#records = [];
    return segment;
  }
}
