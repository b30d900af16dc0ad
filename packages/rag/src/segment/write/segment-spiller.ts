import { setImmediate as nextTurn } from 'node:timers/promises';
import { chunkAnalyzer, positionOf, type WordFinder } from '../../chunk/chunk.ts';
import { type DocumentDelta, type KeptChunk, SegmentBuilder } from './write-segment.ts';
import { ELSEWHERE, recordRow, type DocumentRecord } from '../format/index-layout.ts';
import type { Section } from '../../binary/section-file.ts';

/** Chunks that are analyzed between two turns of the event loop. */
const TURN = 32;
/** A segment is finished when it holds this many UTF-16 code units. */
const SPILL_CHARACTERS = 1_000_000;

/** A segment that is ready to be written. Its ids count from 0. */
export interface SpilledSegment {
  readonly sections: readonly Section[];
  readonly chunks: number;
  /** True if its documents have chunks in other segments. */
  readonly hasKept: boolean;
  /** How many chunks of other segments its documents take the place of. */
  readonly replaced: number;
}

/** Turns a stream of new documents into segments of bounded size. */
export class SegmentSpiller {
  readonly #analyzer: WordFinder;
  readonly #onTurn: () => void;
  readonly #analyze: ReturnType<typeof chunkAnalyzer>;
  #builder: SegmentBuilder;
  #records: DocumentRecord[] = [];
  #replaced = 0;
  #hasKept = false;

  /** @param onTurn - Called every few chunks. */
  constructor(analyzer: WordFinder, onTurn: () => void = () => {}) {
    this.#analyzer = analyzer;
    this.#onTurn = onTurn;
    this.#analyze = chunkAnalyzer(analyzer);
    this.#builder = this.#newBuilder();
  }

  /**
   * Takes a document in; gives a segment when there is enough for one. Others have a turn every few chunks.
   *
   * @param signal - Ends it. Text since the last segment is dropped with the document.
   * @throws The signal's reason.
   */
  async add(document: DocumentDelta, signal?: AbortSignal): Promise<SpilledSegment | undefined> {
    const { novelId, filePath, chunks, kept, stamp, replaced } = document;
    for (const pairs of replaced) this.#builder.forget(pairs);
    this.#replaced += replaced.length;
    this.#hasKept ||= kept.length > 0;
    const placed: KeptChunk[] = kept.map((chunk) => ({ ...chunk, id: chunk.id + ELSEWHERE }));
    for (const chunk of chunks) {
      const id = this.#builder.size;
      if (id % TURN === TURN - 1) {
        // oxlint-disable-next-line no-await-in-loop -- the turn of others
        await nextTurn();
        this.#onTurn();
        if (signal?.aborted === true) this.#reset();
        signal?.throwIfAborted();
      }
      this.#builder.add(id, this.#analyze(chunk));
      placed.push({ id, ...positionOf(chunk) });
    }
    placed.sort((a, b) => a.chunkIndex - b.chunkIndex);
    const numbers = placed.flatMap((chunk) => recordRow(chunk.id, chunk));
    const record = { novelId, filePath, commit: 0, chunks: Uint32Array.from(numbers) };
    this.#records.push(stamp === undefined ? record : { ...record, stamp });
    return this.#builder.characters >= SPILL_CHARACTERS ? this.finish() : undefined;
  }

  /** Returns the rest, if any. */
  finish(): SpilledSegment | undefined {
    const builder = this.#builder;
    const records = this.#records;
    const counts = { hasKept: this.#hasKept, replaced: this.#replaced };
    this.#reset();
    if (records.length === 0) return undefined;
    return { sections: builder.finish(records), chunks: builder.size, ...counts };
  }

  #reset(): void {
    this.#builder = this.#newBuilder();
    this.#records = [];
    this.#replaced = 0;
    this.#hasKept = false;
  }

  #newBuilder(): SegmentBuilder {
    return new SegmentBuilder((basic) => this.#analyzer.readings(basic));
  }
}
