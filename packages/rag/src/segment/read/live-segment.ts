import { ScoreAccumulator } from '../../search/score-accumulator.ts';
import { idIn, RECORD_COLUMN_COUNT, type DocumentRecord } from '../format/segment-layout.ts';
import type { SegmentReader } from './segment-reader.ts';
import type { SegmentEntry } from '../format/manifest.ts';

/** Of a chunk that is deleted. */
export const DEAD = -1;

/** As many sheets wait for later searches: those of many at once would take their memory for ever. */
const MAX_ACCUMULATORS = 2;

/** A segment with what the newest records say of its chunks. */
export class LiveSegment {
  readonly entry: SegmentEntry;
  readonly reader: SegmentReader;
  /** For each chunk the number of its document in the snapshot, or {@link DEAD}. */
  readonly documents: Int32Array;
  /** For each chunk its place in its document. */
  readonly indexes: Uint32Array;
  readonly startLines: Uint32Array;
  readonly endLines: Uint32Array;
  /** How many chunks live. */
  live = 0;
  /** Their content words, and UTF-16 code units of their own. */
  words = 0;
  characters = 0;

  constructor(entry: SegmentEntry, reader: SegmentReader) {
    this.entry = entry;
    this.reader = reader;
    const { size } = reader;
    this.documents = new Int32Array(size).fill(DEAD);
    this.indexes = new Uint32Array(size);
    this.startLines = new Uint32Array(size);
    this.endLines = new Uint32Array(size);
  }

  /** In how many living chunks a term is. */
  liveCount(term: number): number {
    if (this.live === this.reader.size) return this.reader.countOf(term);
    const sheet = this.takeAccumulator();
    const total = this.reader.decode(term, sheet.docs, sheet.frequencies);
    let count = 0;
    for (let at = 0; at < total; at++) {
      if ((this.documents[sheet.docs[at] ?? 0] ?? DEAD) !== DEAD) count++;
    }
    this.giveAccumulator(sheet);
    return count;
  }

  /** A sheet for the scores of one query; give it back when they are read. */
  takeAccumulator(): ScoreAccumulator {
    return this.reader.sheets.pop() ?? new ScoreAccumulator(this.reader.size);
  }

  giveAccumulator(sheet: ScoreAccumulator): void {
    const { sheets } = this.reader;
    if (sheets.length < MAX_ACCUMULATORS) sheets.push(sheet);
  }

  /** Enters the chunks of a record that are in this segment; tells how many. */
  claim(record: DocumentRecord, base: number, document: number): number {
    const { reader, entry } = this;
    const { chunks } = record;
    const { size } = reader;
    let expected = -1;
    let claimed = 0;
    for (let at = 0; at < chunks.length; at += RECORD_COLUMN_COUNT) {
      const id = idIn(chunks[at] ?? 0, base) - entry.base;
      const isNext = expected >= 0 && expected < size && reader.idAt(expected) === id;
      const place = isNext ? expected : reader.placeOf(id);
      if (place < 0) continue;
      expected = place + 1;
      this.documents[place] = document;
      this.indexes[place] = chunks[at + 3] ?? 0;
      this.startLines[place] = chunks[at + 1] ?? 0;
      this.endLines[place] = chunks[at + 2] ?? 0;
      this.words += reader.words[place] ?? 0;
      this.characters += reader.ownLengthAt(place);
      claimed++;
    }
    this.live += claimed;
    return claimed;
  }
}
