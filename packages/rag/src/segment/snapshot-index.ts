import { headingsOf } from '../analyze/analyze-chunk.ts';
import type { DocumentRef } from '../contract/search-backend.ts';
import type { Chunk } from '../chunk/chunk.ts';
import type { ChunkContent, GroupsByTerm } from '../search/chunk-content.ts';
import type { RankedChunk } from '../rank/rerank.ts';
import type { ScoreSheet } from '../search/score-sheet.ts';
import type {
  ChunkIndex,
  ChunkPlace,
  ChunkText,
  IndexPart,
  Neighbours,
  Vocabulary,
} from '../search/chunk-index.ts';
import { readContent, scanChunk } from './chunk-content.ts';
import { DEAD, type LiveSegment } from './live-segment.ts';
import { SegmentVocabulary } from './segment-vocabulary.ts';
import type { Snapshot } from './snapshot.ts';
import { storedChunk } from './stored-chunk.ts';

/** A snapshot as search sees it; for one search. */
export class SnapshotIndex implements ChunkIndex {
  readonly size: number;
  readonly words: number;
  readonly characters: number;
  readonly vocabulary: Vocabulary;
  readonly #snapshot: Snapshot;

  constructor(snapshot: Snapshot) {
    this.#snapshot = snapshot;
    this.size = snapshot.size;
    this.words = snapshot.words;
    this.characters = snapshot.characters;
    this.vocabulary = new SegmentVocabulary(snapshot.segments);
  }

  document(number: number): DocumentRef | undefined {
    return this.#snapshot.documents[number];
  }

  parts(): readonly IndexPart[] {
    return this.#snapshot.segments.map(
      (segment, number) => new SegmentPart(this.#snapshot, segment, number),
    );
  }

  bigramCounts(): (pair: number) => number {
    const { bigrams } = this.#snapshot;
    return (pair) => bigrams.count(pair);
  }

  chunksAround({ part, doc }: ChunkPlace, neighbours: Neighbours): readonly Chunk[] {
    const document = this.#snapshot.documents[part.documentOf(doc)];
    const segment = this.#snapshot.segments[part.number];
    if (!document || !segment) return [];
    return this.#snapshot
      .chunksAround(document, { segment, doc }, neighbours)
      .map((place) => storedChunk(this.#snapshot, place));
  }
}

class SegmentPart implements IndexPart {
  readonly number: number;
  readonly capacity: number;
  readonly #snapshot: Snapshot;
  readonly #segment: LiveSegment;

  constructor(snapshot: Snapshot, segment: LiveSegment, number: number) {
    this.#snapshot = snapshot;
    this.#segment = segment;
    this.number = number;
    this.capacity = segment.reader.size;
  }

  documentOf(doc: number): number {
    return this.#segment.documents[doc] ?? DEAD;
  }

  indexOf(doc: number): number {
    return this.#segment.indexes[doc] ?? 0;
  }

  get words(): Uint32Array {
    return this.#segment.reader.words;
  }

  get isComplete(): boolean {
    return this.#segment.live === this.capacity;
  }

  tagsOf(doc: number): readonly string[] {
    const { reader } = this.#segment;
    return reader.strings.tags[reader.column(doc, 'tags')] ?? [];
  }

  decode(place: number, docs: Uint32Array, frequencies: Uint8Array): number {
    return this.#segment.reader.decode(place, docs, frequencies);
  }

  takeSheet(): ScoreSheet {
    return this.#segment.takeSheet();
  }

  giveSheet(sheet: ScoreSheet): void {
    this.#segment.giveSheet(sheet);
  }

  rank(
    docs: readonly number[],
    groups: GroupsByTerm,
    visit: (at: number, chunk: RankedChunk) => void,
  ): void {
    const { reader } = this.#segment;
    for (const [at, doc] of docs.entries()) visit(at, scanChunk(reader, doc, groups));
  }

  texts(docs: readonly number[]): readonly ChunkText[] {
    const { reader } = this.#segment;
    const { titles, headings } = reader.strings;
    return docs.map((doc) => {
      const title = titles[reader.column(doc, 'title')] ?? '';
      const headingPath = headings[reader.column(doc, 'headings')] ?? [];
      const text = reader.textOf(reader.formsOf(doc)).slice(reader.column(doc, 'overlap'));
      return { text, headings: headingsOf({ title, headingPath }) };
    });
  }

  contents(docs: readonly number[], groups: GroupsByTerm): readonly ChunkContent[] {
    return docs.map((doc) => readContent(this.#segment.reader, doc, groups));
  }

  chunks(docs: readonly number[], contents?: readonly ChunkContent[]): readonly Chunk[] {
    return docs.map((doc, at) =>
      storedChunk(this.#snapshot, { segment: this.#segment, doc }, contents?.[at]?.text),
    );
  }
}
