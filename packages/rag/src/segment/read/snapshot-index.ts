import type { SnippetHit } from '@vizprompt/providers/internal';
import type { DocumentRef } from '../../contract/search-backend.ts';
import { bareTerm, type Chunk, headingsOf, TITLE_PREFIX } from '../../chunk/chunk.ts';
import type {
  ChunkContent,
  GroupsByTerm,
  ChunkIndex,
  ChunkPlace,
  ChunkText,
  IndexPart,
  Neighbours,
  Vocabulary,
  TermEntry,
} from '../../search/chunk-index.ts';
import type { RankedChunk } from '../../rank/rerank.ts';
import type { ScoreAccumulator } from '../../search/score-accumulator.ts';
import { DEAD, type LiveSegment, type Snapshot, storedChunk } from './snapshot.ts';
import type { FormTerms } from '../format/lexicon.ts';
import { PhraseCandidates } from './phrase-candidates.ts';
import { judgeOf, titleTest } from './judge-phrases.ts';
import type { SegmentReader } from './segment-reader.ts';

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
    return this.#snapshot.indexOf({ segment: this.#segment, doc });
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

  takeAccumulator(): ScoreAccumulator {
    return this.#segment.takeAccumulator();
  }

  giveAccumulator(sheet: ScoreAccumulator): void {
    this.#segment.giveAccumulator(sheet);
  }

  rank(
    docs: readonly number[],
    groups: GroupsByTerm,
    visit: (at: number, chunk: RankedChunk) => void,
  ): void {
    const { reader } = this.#segment;
    for (const [at, doc] of docs.entries()) visit(at, scanChunk(reader, doc, groups));
  }

  mayHold(phrase: readonly string[]): Uint32Array | readonly number[] {
    const { reader } = this.#segment;
    const found = candidatesOf(reader).find(phrase);
    const isTitled = titleTest(reader, [phrase]);
    if (!isTitled) return found;
    const all = new Set(found);
    for (let doc = 0; doc < reader.size; doc++) if (isTitled(doc)) all.add(doc);
    return [...all].toSorted((a, b) => a - b);
  }

  judge(phrases: readonly (readonly string[])[]): (docs: Uint32Array) => Uint8Array {
    return judgeOf(this.#segment.reader, phrases, candidatesOf(this.#segment.reader));
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

/** Made when a phrase is asked for first. */
const finders = new WeakMap<SegmentReader, PhraseCandidates>();

function candidatesOf(reader: SegmentReader): PhraseCandidates {
  const known = finders.get(reader);
  if (known) return known;
  const made = new PhraseCandidates(reader);
  finders.set(reader, made);
  return made;
}

/** Reads a chunk back. */
function readContent(reader: SegmentReader, doc: number, byTerm: GroupsByTerm): ChunkContent {
  const forms = reader.formsOf(doc);
  const { surfaces, formTerms } = reader;
  const found: SnippetHit[] = [];
  let end = 0;
  for (let place = 0; place < forms.length; place++) {
    const form = forms[place] ?? 0;
    const start = end;
    end += surfaces.lengthOf(form);
    const term = formTerms.mainOf(form);
    if (term < 0) continue;
    const group = groupOf(formTerms, form, term, byTerm);
    if (group >= 0) found.push({ start: start - (reader.formLeads[form] ?? 0), end, group });
  }
  return { text: reader.textOf(forms), found };
}

let units = new Uint16Array(4096);
let hits = new Int16Array(1024);
let ends = new Uint32Array(1024);

/**
 * Reads what ranking needs of a chunk, into memory that the next call uses again: dozens of chunks are
 * ranked for each query.
 */
function scanChunk(reader: SegmentReader, doc: number, byTerm: GroupsByTerm): RankedChunk {
  const forms = reader.formsOf(doc);
  const length = reader.column(doc, 'length');
  if (units.length < length) units = new Uint16Array(length * 2);
  if (hits.length < forms.length) {
    hits = new Int16Array(forms.length * 2);
    ends = new Uint32Array(forms.length * 2);
  }
  const overlap = reader.column(doc, 'overlap');
  const { surfaces, formTerms } = reader;
  let words = 0;
  let at = 0;
  for (let place = 0; place < forms.length; place++) {
    const form = forms[place] ?? 0;
    at = surfaces.copy(form, units, at);
    const term = formTerms.mainOf(form);
    if (term < 0) continue;
    hits[words] = groupOf(formTerms, form, term, byTerm);
    ends[words++] = at - overlap;
  }
  return {
    hits: hits.subarray(0, words),
    ends: ends.subarray(0, words),
    units: units.subarray(overlap, length),
  };
}

/** Returns the group that a content word belongs to, or -1. */
function groupOf(formTerms: FormTerms, form: number, term: number, byTerm: GroupsByTerm): number {
  const group = byTerm.get(term);
  if (group >= 0 || !formTerms.hasFurther(form)) return group;
  return formTerms.firstFurther(form, byTerm);
}

const ABSENT: TermEntry = { count: 0, places: [] };

/** The terms of some segments; remembers what it was asked. */
class SegmentVocabulary implements Vocabulary {
  readonly hasTitles: boolean;
  readonly #segments: readonly LiveSegment[];
  readonly #known = new Map<string, TermEntry>();
  /** The places of terms that were found by their parts, in each segment. */
  readonly #found: readonly Map<string, number>[];

  constructor(segments: readonly LiveSegment[]) {
    this.#segments = segments;
    this.#found = segments.map(() => new Map<string, number>());
    this.hasTitles = segments.some(({ reader }) => reader.hasTitles);
  }

  entries(terms: readonly string[]): readonly (TermEntry | undefined)[] {
    return terms.map((term) => {
      let entry = this.#known.get(term);
      if (!entry) {
        entry = this.#count(term);
        this.#known.set(term, entry);
      }
      return entry.count > 0 ? entry : undefined;
    });
  }

  startingWith(text: string): Iterable<string> {
    return this.#collect((reader) => reader.termsStartingWith(text));
  }

  endingWith(text: string): Iterable<string> {
    return this.#collect((reader) => reader.termsEndingWith(text));
  }

  readAs(reading: string): Iterable<string> {
    const found = new Set<string>();
    for (const term of this.#collect((reader) => reader.termsRead(reading)))
      found.add(bareTerm(term));
    return found;
  }

  withPart(text: string, at: 'front' | 'back' | 'anywhere'): Iterable<string> {
    return new Set(this.#collect((reader) => partsIn(reader, text, at)).map(bareTerm));
  }

  mostFrequentWith(
    text: string,
    most: number,
    accepts: (term: string) => boolean,
  ): readonly string[] | undefined {
    const [segment, next] = this.#segments;
    // Otherwise a term has to be counted in all segments, and without the chunks that are deleted.
    if (!segment || next || segment.live < segment.reader.size) return undefined;
    const { reader } = segment;
    const terms: string[] = [];
    for (const place of reader.frequentTermsWith(text)) {
      const term = reader.terms.get(place);
      if (!accepts(term)) continue;
      this.#found[0]?.set(term, place);
      terms.push(term);
      if (terms.length === most) break;
    }
    return terms;
  }

  #count(term: string): TermEntry {
    let count = 0;
    const places: number[] = [];
    for (const [number, segment] of this.#segments.entries()) {
      const place = this.#found[number]?.get(term) ?? segment.reader.terms.find(term);
      if (place >= 0) count += segment.liveCount(place);
      places.push(place);
    }
    return count > 0 ? { count, places } : ABSENT;
  }

  #collect(find: (reader: SegmentReader) => Iterable<number>): readonly string[] {
    const terms: string[] = [];
    for (const [number, { reader }] of this.#segments.entries()) {
      const found = this.#found[number];
      for (const place of find(reader)) {
        const term = reader.terms.get(place);
        found?.set(term, place);
        terms.push(term);
      }
    }
    return terms;
  }
}

function* partsIn(
  reader: SegmentReader,
  part: string,
  at: 'front' | 'back' | 'anywhere',
): Iterable<number> {
  const { terms } = reader;
  if (at === 'front') {
    yield* reader.termsStartingWith(part);
    yield* reader.termsStartingWith(TITLE_PREFIX + part);
  } else if (at === 'anywhere') {
    yield* reader.termsWith(part);
  } else {
    yield* reader.termsEndingWith(part);
    // Terms of titles are few, and not sorted by their ends.
    for (const place of reader.termsStartingWith(TITLE_PREFIX)) {
      if (terms.endsWith(place, part)) yield place;
    }
  }
}
