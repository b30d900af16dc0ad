import type { Chunk } from '../chunk/chunk.ts';
import type { DocumentRef } from '../backends/search-backend.ts';
import { chunkAnalyzer, type WordFinder } from '../analyze/analyze-chunk.ts';
import { SegmentBuilder } from './segment-builder.ts';
import { ELSEWHERE, type DocumentRecord } from './segment-layout.ts';
import type { Section } from '../binary/section-file.ts';

/** A segment is finished when it holds so many UTF-16 code units. */
const SPILL_CHARACTERS = 1_000_000;

/** A chunk that the index has, where it stands now. */
export interface KeptChunk {
  /** Its number in the index. */
  readonly id: number;
  readonly startLine: number;
  readonly endLine: number;
  readonly chunkIndex: number;
}

/** A document that is new or differs. */
export interface NewDocument extends DocumentRef {
  /** Those of its chunks that are new. */
  readonly chunks: readonly Chunk[];
  /** The others. */
  readonly kept?: readonly KeptChunk[];
  readonly stamp?: string;
  /** Of each chunk that it had and has no more: its `pairsOf`. */
  readonly replaced?: readonly Uint16Array[];
}

/** A segment that is ready to be written. Its ids count from 0. */
export interface SpilledSegment {
  readonly sections: readonly Section[];
  readonly chunks: number;
  /** Whether its documents have chunks in other segments. */
  readonly hasKept: boolean;
  /** How many chunks of other segments its documents take the place of. */
  readonly replaced: number;
}

/** Turns a stream of new documents into segments of bounded size. */
export class SegmentSpiller {
  readonly #analyzer: WordFinder;
  readonly #analyze: ReturnType<typeof chunkAnalyzer>;
  #builder: SegmentBuilder;
  #records: DocumentRecord[] = [];
  #replaced = 0;
  #hasKept = false;

  constructor(analyzer: WordFinder) {
    this.#analyzer = analyzer;
    this.#analyze = chunkAnalyzer(analyzer);
    this.#builder = new SegmentBuilder((basic) => analyzer.readings(basic));
  }

  /** Takes a document in; gives a segment when there is enough for one. */
  add(document: NewDocument): SpilledSegment | undefined {
    const { novelId, filePath, chunks, kept = [], stamp, replaced = [] } = document;
    for (const pairs of replaced) this.#builder.forget(pairs);
    this.#replaced += replaced.length;
    this.#hasKept ||= kept.length > 0;
    const placed: KeptChunk[] = kept.map((chunk) => ({ ...chunk, id: chunk.id + ELSEWHERE }));
    for (const chunk of chunks) {
      const id = this.#builder.size;
      this.#builder.add(id, this.#analyze(chunk));
      const { startLine, endLine, chunkIndex } = chunk;
      placed.push({ id, startLine, endLine, chunkIndex });
    }
    placed.sort((a, b) => a.chunkIndex - b.chunkIndex);
    const numbers = placed.flatMap(({ id, startLine, endLine, chunkIndex }) => {
      return [id, startLine, endLine, chunkIndex];
    });
    const record = { novelId, filePath, commit: 0, chunks: Uint32Array.from(numbers) };
    this.#records.push(stamp === undefined ? record : { ...record, stamp });
    return this.#builder.characters >= SPILL_CHARACTERS ? this.finish() : undefined;
  }

  /** What is left, if anything. */
  finish(): SpilledSegment | undefined {
    if (this.#records.length === 0) return undefined;
    const segment = {
      sections: this.#builder.finish(this.#records),
      chunks: this.#builder.size,
      hasKept: this.#hasKept,
      replaced: this.#replaced,
    };
    this.#replaced = 0;
    this.#hasKept = false;
    this.#builder = new SegmentBuilder((basic) => this.#analyzer.readings(basic));
    this.#records = [];
    return segment;
  }
}
