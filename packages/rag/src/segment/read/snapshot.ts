import { documentKey } from '../../contract/document-change.ts';
import type { Neighbours } from '../../search/chunk-index.ts';
import { BigramSketch } from '../format/bigrams.ts';
import {
  type DocumentRecord,
  ELSEWHERE,
  idIn,
  type Manifest,
  RECORD_COLUMN_COUNT,
  type SegmentEntry,
  withIds,
} from '../format/index-layout.ts';
import type { SegmentReader } from './segment-reader.ts';
import { Chunk } from '../../chunk/chunk.ts';
import { ScoreAccumulator } from '../../search/score-accumulator.ts';

/** A document of a snapshot. */
export interface LiveDocument {
  readonly novelId: string;
  readonly filePath: string;
  readonly stamp?: string;
  /** As the newest record has it, with ids of the index. */
  readonly chunks: Uint32Array;
}

/** A chunk of a snapshot: which segment, and the place in it. */
interface ChunkPlace {
  readonly segment: LiveSegment;
  readonly doc: number;
}

/** The index as one commit wrote it. Its content never changes. */
export class Snapshot {
  readonly manifest: Manifest;
  readonly segments: readonly LiveSegment[];
  /** The documents that have chunks. */
  readonly documents: readonly LiveDocument[];
  /** How many chunks live. */
  readonly size: number;
  /** Content words of all living chunks. */
  readonly words: number;
  /** UTF-16 code units of all living chunks. */
  readonly characters: number;
  readonly #byKey: ReadonlyMap<string, number>;
  #bigrams: BigramSketch | undefined;

  /**
   * @param readers - The readers of the segments of the manifest, in their order; the snapshot retains them.
   * @param isDamaged - True if segments are missing: a document that has chunks there is not there.
   */
  constructor(manifest: Manifest, readers: readonly SegmentReader[], isDamaged = false) {
    this.manifest = manifest;
    const segments: LiveSegment[] = [];
    for (const [place, entry] of manifest.segments.entries()) {
      const reader = readers[place];
      if (reader) segments.push(new LiveSegment(entry, reader.retain()));
    }
    this.segments = segments;
    const newest = newestRecords(segments);
    const documents: LiveDocument[] = [];
    const byKey = new Map<string, number>();
    for (const [key, { record, segment }] of newest) {
      if (record.chunks.length === 0) continue;
      const { base } = segment.entry;
      if (isDamaged && !isWhole(record, base, segments)) continue;
      byKey.set(key, documents.length);
      claim(record, base, documents.length, segment, segments);
      documents.push({ ...record, chunks: withIds(record.chunks, base) });
    }
    this.documents = documents;
    this.#byKey = byKey;
    this.size = segments.reduce((sum, { live }) => sum + live, 0);
    this.words = segments.reduce((sum, { words }) => sum + words, 0);
    this.characters = segments.reduce((sum, { characters }) => sum + characters, 0);
  }

  /** How many chunks have each pair of characters. */
  get bigrams(): BigramSketch {
    if (!this.#bigrams) {
      this.#bigrams = new BigramSketch();
      for (const { reader } of this.segments) this.#bigrams.addBytes(reader.section('bigrams'));
    }
    return this.#bigrams;
  }

  /** Returns a document, if it has chunks. */
  document(novelId: string, filePath: string): LiveDocument | undefined {
    const number = this.#byKey.get(documentKey({ novelId, filePath }));
    return number === undefined ? undefined : this.documents[number];
  }

  /** Where the chunks of a document are, in its order. */
  chunksOf(document: LiveDocument): readonly ChunkPlace[] {
    return this.#placesOf(document.chunks);
  }

  /** Returns the chunks of a document around one of them, and itself. */
  chunksAround(
    { chunks }: LiveDocument,
    { segment, doc }: ChunkPlace,
    { before, after }: Neighbours,
  ): readonly ChunkPlace[] {
    const id = segment.entry.base + segment.reader.idAt(doc);
    let own = 0;
    while (own < chunks.length && chunks[own] !== id) own += RECORD_COLUMN_COUNT;
    const first = Math.max(0, own - before * RECORD_COLUMN_COUNT);
    return this.#placesOf(chunks.subarray(first, own + (after + 1) * RECORD_COLUMN_COUNT));
  }

  /** @param chunks - A piece of what a record says. */
  #placesOf(chunks: Uint32Array): readonly ChunkPlace[] {
    const places: ChunkPlace[] = [];
    for (let at = 0; at < chunks.length; at += RECORD_COLUMN_COUNT) {
      const id = chunks[at] ?? 0;
      for (const segment of this.segments) {
        const doc = segment.reader.placeOf(id - segment.entry.base);
        if (doc < 0) continue;
        places.push({ segment, doc });
        break;
      }
    }
    return places;
  }

  /** Returns the place of a chunk in its document. */
  indexOf({ segment, doc }: ChunkPlace): number {
    const document = this.documents[segment.documents[doc] ?? DEAD];
    return document?.chunks[(segment.rows[doc] ?? 0) + 3] ?? 0;
  }

  /** Returns the documents by name, in no order. */
  listDocuments(): readonly { novelId: string; filePath: string; chunks: number }[] {
    return this.documents.map(({ novelId, filePath, chunks }) => {
      return { novelId, filePath, chunks: chunks.length / RECORD_COLUMN_COUNT };
    });
  }

  /** Notes another user, which will `release` it. */
  retain(): this {
    for (const { reader } of this.segments) reader.retain();
    return this;
  }

  /** Returns how many different terms living chunks have. */
  countTerms(): number {
    const terms = new Set<string>();
    for (const segment of this.segments) {
      for (const place of segment.reader.bodyTerms()) {
        const term = segment.reader.terms.get(place);
        if (!terms.has(term) && segment.liveCount(place) > 0) terms.add(term);
      }
    }
    return terms.size;
  }

  /** Gives back the files of its segments. The caller that made it is its first user. */
  release(): void {
    for (const { reader } of this.segments) reader.release();
  }
}

interface NewestRecord {
  readonly record: DocumentRecord;
  readonly commit: number;
  readonly segment: LiveSegment;
}

/** Returns the newest record of each document; of those as new as each other, the one that was committed last. */
export function newestRecords(segments: readonly LiveSegment[]): Map<string, NewestRecord> {
  const newest = new Map<string, NewestRecord>();
  for (const segment of segments) {
    for (const record of segment.reader.records()) {
      const commit = record.commit === 0 ? segment.entry.commit : record.commit;
      const key = documentKey(record);
      if ((newest.get(key)?.commit ?? -1) <= commit) newest.set(key, { record, commit, segment });
    }
  }
  return newest;
}

/** Checks whether all chunks of a record are in some segment. */
function isWhole({ chunks }: DocumentRecord, base: number, all: readonly LiveSegment[]): boolean {
  const ids = withIds(chunks, base);
  for (let at = 0; at < ids.length; at += RECORD_COLUMN_COUNT) {
    const id = ids[at] ?? 0;
    if (!all.some(({ reader, entry }) => reader.placeOf(id - entry.base) >= 0)) return false;
  }
  return true;
}

function claim(
  record: DocumentRecord,
  base: number,
  document: number,
  own: LiveSegment,
  all: readonly LiveSegment[],
): void {
  const count = record.chunks.length / RECORD_COLUMN_COUNT;
  let claimed = own.claim(record, base, document);
  for (const segment of all) {
    if (claimed === count) return;
    if (segment !== own) claimed += segment.claim(record, base, document);
  }
}

/**
 * Returns a chunk as it was added.
 *
 * @param text - Its text, if it has been read already.
 */
export function storedChunk(
  snapshot: Snapshot,
  { segment, doc }: ChunkPlace,
  text: string = segment.reader.textOf(segment.reader.formsOf(doc)),
): Chunk {
  const { reader } = segment;
  const document = snapshot.documents[segment.documents[doc] ?? DEAD];
  const at = segment.rows[doc] ?? 0;
  const row = document?.chunks.subarray(at, at + RECORD_COLUMN_COUNT) ?? [];
  const { titles, headings, tags } = reader.strings;
  return new Chunk(
    {
      title: titles[reader.column(doc, 'title')] ?? '',
      content: text,
      filePath: document?.filePath ?? '',
      startLine: row[1] ?? 0,
      endLine: row[2] ?? 0,
      chunkIndex: row[3] ?? 0,
      // 0 where it is not known.
      startColumn: row[4] || undefined,
      novelId: document?.novelId ?? '',
      tags: tags[reader.column(doc, 'tags')] ?? [],
      headingPath: headings[reader.column(doc, 'headings')] ?? [],
      overlap: reader.column(doc, 'overlap'),
    },
    reader.column(doc, 'ordinal'),
  );
}

/** The number of a deleted chunk. */
export const DEAD = -1;

/** As many sheets wait for later searches: those of many at once would take their memory for ever. */
const MAX_ACCUMULATORS = 2;

/** A segment with what the newest records say of its chunks. */
export class LiveSegment {
  readonly entry: SegmentEntry;
  readonly reader: SegmentReader;
  /** For each chunk the number of its document in the snapshot, or `DEAD`. */
  readonly documents: Int32Array;
  /** For each chunk where its numbers are in the record of its document. */
  readonly rows: Uint32Array;
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
    this.rows = new Uint32Array(size);
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

  /** Returns a sheet for the scores of one query; give it back when they are read. */
  takeAccumulator(): ScoreAccumulator {
    return this.reader.sheets.pop() ?? new ScoreAccumulator(this.reader.size);
  }

  giveAccumulator(sheet: ScoreAccumulator): void {
    const { sheets } = this.reader;
    if (sheets.length < MAX_ACCUMULATORS) sheets.push(sheet);
  }

  /** Enters the chunks of a record that are in this segment; returns how many. */
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
      this.rows[place] = at;
      this.words += reader.words[place] ?? 0;
      this.characters += reader.ownLengthAt(place);
      claimed++;
    }
    this.live += claimed;
    return claimed;
  }
}

/**
 * Checks whether records that are to be committed count on chunks of other segments that are gone, as when the
 * index was discarded since they were looked up. Documents that were written since have a newer
 * record, which counts anyway.
 */
export function hasDanglingChunks(
  snapshot: Snapshot,
  records: readonly DocumentRecord[],
  commit: number,
): boolean {
  const newest = newestRecords(snapshot.segments);
  const isThere = (id: number): boolean =>
    snapshot.segments.some(({ reader, entry }) => reader.placeOf(id - entry.base) >= 0);
  return records.some((record) => {
    if ((newest.get(documentKey(record))?.commit ?? -1) > commit) return false;
    return record.chunks.some(
      (number, at) =>
        at % RECORD_COLUMN_COUNT === 0 && number >= ELSEWHERE && !isThere(idIn(number, 0)),
    );
  });
}
