import { MAX_FREQUENCY } from '@vizprompt/providers/internal';
import type { Analyzer, Word } from '../../analyze/analyzer.ts';
import { ByteWriter, type Section } from '../../binary/section-file.ts';
import {
  type AnalyzedChunk,
  type Chunk,
  chunkAnalyzer,
  type ChunkPosition,
  positionOf,
  TITLE_PREFIX,
} from '../../chunk/chunk.ts';
import {
  type DocumentChange,
  type KnownChunk,
  planUpdate,
  type UpdatePlan,
} from '../../contract/document-change.ts';
import type { DocumentRef, LongOptions, UpdateReport } from '../../contract/search-backend.ts';
import { searchedForms } from '../../rank/fold-text.ts';
import { BigramSketch, bucketsOf, PairListsBuilder } from '../format/bigrams.ts';
import {
  DOC_COLUMN_COUNT,
  DocTable,
  type DocumentRecord,
  ELSEWHERE,
  RECORD_COLUMN_COUNT,
  recordRow,
  SECTIONS,
  SharedStrings,
  writeForm,
  writeRecords,
} from '../format/index-layout.ts';
import {
  byFrequency,
  byUnits,
  type Form,
  formSections,
  type TermData,
  termSections,
} from '../format/lexicon.ts';
import { type LiveDocument, type Snapshot, storedChunk } from '../read/snapshot.ts';
import type { IndexFolder } from '../store/index-folder.ts';

/** A form whose terms have no places yet. */
type NewForm = Omit<Form, 'terms'> & { readonly terms: readonly string[] };

/** Numbers the distinct words of a segment. */
class LexiconBuilder {
  readonly #numbers = new Map<string, number>();
  readonly #forms: NewForm[] = [];
  /** How often each comes. */
  readonly #counts: number[] = [];
  readonly #partsOfSpeech: string[] = [''];
  readonly #posNumbers = new Map<string, number>([['', 0]]);

  /** Returns the provisional number of a word. */
  form(surface: string, word: Word, lead: number): number {
    const { pos, reading, basic, isContent, extra } = word;
    const found = isContent ? basic : '';
    const further = extra === undefined ? '' : extra.join('\u0000');
    const key = `${lead}\u0000${surface}\u0000${found}\u0000${pos}\u0000${reading}\u0000${further}`;
    return this.#numberOf(key, () => {
      return {
        surface,
        lead,
        reading,
        pos: this.#posNumber(pos),
        terms: isContent ? [basic, ...new Set(extra)] : [],
      };
    });
  }

  /** Returns the provisional number of what is between words. */
  gap(surface: string): number {
    return this.#numberOf(`gap ${surface}`, () => {
      return { surface, lead: 0, reading: '', pos: 0, terms: [] };
    });
  }

  /**
   * @param terms - The sorted terms of the segment.
   * @returns The final number of each provisional one, and the sections.
   */
  finish(terms: readonly string[]): {
    readonly order: Uint32Array;
    readonly sections: readonly Section[];
    readonly partsOfSpeech: readonly string[];
  } {
    const places = new Map(terms.map((term, place) => [term, place]));
    const { sorted, order } = byFrequency(this.#counts);
    const forms = sorted.flatMap((number): Form[] => {
      const form = this.#forms[number];
      if (!form) return [];
      return [{ ...form, terms: form.terms.map((term) => places.get(term) ?? 0) }];
    });
    return { order, partsOfSpeech: this.#partsOfSpeech, sections: formSections(forms) };
  }

  #numberOf(key: string, make: () => NewForm): number {
    let number = this.#numbers.get(key);
    if (number === undefined) {
      number = this.#forms.length;
      this.#numbers.set(key, number);
      this.#forms.push(make());
    }
    this.#counts[number] = (this.#counts[number] ?? 0) + 1;
    return number;
  }

  #posNumber(pos: string): number {
    const known = this.#posNumbers.get(pos);
    if (known !== undefined) return known;
    // One byte a form: analyzers have some dozen parts of speech.
    if (this.#partsOfSpeech.length > 255) return 0;
    this.#posNumbers.set(pos, this.#partsOfSpeech.length);
    return this.#partsOfSpeech.push(pos) - 1;
  }
}

/** The largest value of a byte. */
const MAX_LEAD = 255;

/** Returns the pairs of characters of a chunk for the sketch. */
function pairsOf({ content, overlap }: Pick<Chunk, 'content' | 'overlap'>): Uint16Array {
  return bucketsOf(content.slice(overlap));
}

/** Takes in chunks and gives the sections of a segment. */
export class SegmentBuilder {
  readonly #lexicon = new LexiconBuilder();
  readonly #postings = new PostingsBuilder();
  readonly #strings = new SharedStrings();
  readonly #docs: number[] = [];
  readonly #texts: Uint32Array[] = [];
  readonly #bigrams = new BigramSketch();
  readonly #pairs = new PairListsBuilder();
  readonly #readingsOf: (basic: string) => readonly string[];
  #characters = 0;

  /** @param readingsOf - The readings of a basic form, from the analyzer. */
  constructor(readingsOf: (basic: string) => readonly string[]) {
    this.#readingsOf = readingsOf;
  }

  /** How many chunks it holds. */
  get size(): number {
    return this.#texts.length;
  }

  /** How many UTF-16 code units of text it holds. */
  get characters(): number {
    return this.#characters;
  }

  /** @param id - Higher than all before. */
  add(id: number, { chunk, words, titleWords }: AnalyzedChunk): void {
    const doc = this.#texts.length;
    const { content } = chunk;
    const forms: number[] = [];
    let at = 0;
    let length = 0;
    for (const word of words) {
      if (word.start > at) forms.push(this.#lexicon.gap(content.slice(at, word.start)));
      // Words may overlap: then each represents the part that it adds to the text.
      const start = Math.max(at, word.start);
      const surface = content.slice(start, word.end);
      forms.push(this.#lexicon.form(surface, word, Math.min(start - word.start, MAX_LEAD)));
      at = Math.max(at, word.end);
      if (!word.isContent) continue;
      length++;
      this.#postings.add(word.basic, doc);
      for (const term of new Set(word.extra)) {
        if (term !== word.basic) this.#postings.add(term, doc);
      }
    }
    if (at < content.length) forms.push(this.#lexicon.gap(content.slice(at)));
    for (const word of titleWords) {
      if (!word.isContent) continue;
      for (const term of new Set([word.basic, ...(word.extra ?? [])])) {
        this.#postings.add(TITLE_PREFIX + term, doc);
      }
    }
    this.#texts.push(Uint32Array.from(forms));
    this.#bigrams.addBuckets(pairsOf(chunk), 1);
    this.#pairs.add(doc, searchedForms(content.slice(chunk.overlap)));
    this.#characters += content.length;
    this.#docs.push(
      id,
      length,
      content.length,
      0,
      this.#strings.title(chunk.title),
      this.#strings.headings(chunk.headingPath),
      this.#strings.tags(chunk.tags),
      chunk.overlap,
      chunk.ordinal,
    );
  }

  /** A chunk of an older segment went: what it added to the pairs of characters, {@link pairsOf}, goes too. */
  forget(pairs: Uint16Array): void {
    this.#bigrams.addBuckets(pairs, -1);
  }

  /** Everything, ready to be written. */
  finish(records: readonly DocumentRecord[]): readonly Section[] {
    const terms = this.#postings.finish();
    const { order, sections: lexicon, partsOfSpeech } = this.#lexicon.finish(terms.terms);
    const texts = new ByteWriter(this.#characters);
    for (const [doc, forms] of this.#texts.entries()) {
      for (const form of forms) writeForm(texts, order[form] ?? 0);
      this.#docs[doc * DOC_COLUMN_COUNT + 3] = texts.length;
    }
    const strings = JSON.stringify(this.#strings.toJSON(partsOfSpeech));
    return [
      ...termSections(terms, this.#readingsOf),
      ...lexicon,
      { name: SECTIONS.texts, bytes: texts.view(), isResident: false },
      { name: SECTIONS.docs, bytes: DocTable.write(this.#docs), isResident: true },
      { name: SECTIONS.strings, bytes: Buffer.from(strings), isResident: true },
      { name: SECTIONS.bigrams, bytes: this.#bigrams.write(), isResident: false },
      ...this.#pairs.sections(),
      { name: SECTIONS.records, bytes: writeRecords(records), isResident: false },
    ];
  }
}

/** The chunks of one term; the last of them may still get more occurrences. */
export class TermPostings {
  readonly #bytes = new ByteWriter();
  #count = 0;
  #before = -1;
  #doc = -1;
  #frequency = 0;

  /** In how many chunks it is. Right after `flush`. */
  get count(): number {
    return this.#count;
  }

  /** @param doc - Not lower than before. */
  add(doc: number, times = 1): void {
    if (doc === this.#doc) {
      this.#frequency += times;
      return;
    }
    this.#close();
    this.#doc = doc;
    this.#frequency = times;
  }

  flush(): Uint8Array {
    this.#close();
    this.#doc = -1;
    return this.#bytes.view();
  }

  #close(): void {
    if (this.#doc < 0) return;
    const isMany = this.#frequency > 1;
    this.#bytes.varint((this.#doc - this.#before) * 2 + (isMany ? 1 : 0));
    if (isMany) this.#bytes.byte(Math.min(this.#frequency, MAX_FREQUENCY));
    this.#before = this.#doc;
    this.#count++;
  }
}

/** Collects which chunks have which terms. */
class PostingsBuilder {
  readonly #terms = new Map<string, TermPostings>();

  /** @param doc - The place of the chunk in the segment; not lower than before. */
  add(term: string, doc: number): void {
    let postings = this.#terms.get(term);
    if (!postings) {
      postings = new TermPostings();
      this.#terms.set(term, postings);
    }
    postings.add(doc);
  }

  finish(): TermData {
    const terms = [...this.#terms.keys()].toSorted(byUnits);
    const counts = new Uint32Array(terms.length);
    const ends = new Uint32Array(terms.length);
    const bytes = new ByteWriter(terms.length * 8);
    for (const [place, term] of terms.entries()) {
      const postings = this.#terms.get(term);
      if (!postings) continue;
      bytes.append(postings.flush());
      counts[place] = postings.count;
      ends[place] = bytes.length;
    }
    return { terms, counts, ends, postings: bytes };
  }
}

/** This many chunks are analyzed before others get a turn. */
const TURN = 32;

/** The operations of the index that writing needs. */
interface WriteTarget {
  readonly folder: IndexFolder;
  readonly analyzer: Analyzer;
  /** True if documents come meanwhile that were read before: then those that go are remembered. */
  readonly isIndexing: boolean;
}

/** Documents that are analyzed and in a segment that no manifest names yet. */
interface PreparedWrite {
  readonly report: UpdateReport;
  /** The former version of each document. */
  readonly before: readonly (LiveDocument | undefined)[];
  readonly changes: readonly DocumentChange[];
  /** Absent: nothing is to be written. */
  readonly segment?: { readonly file: string; readonly chunks: number };
}

/**
 * Analyzes what is new of documents. Chunks that the index has already are not analyzed again, only their
 * lines are taken over.
 *
 * @throws The signal's reason.
 */
export async function prepareWrite(
  { folder, analyzer, isIndexing }: WriteTarget,
  changes: readonly DocumentChange[],
  { signal }: LongOptions = {},
): Promise<PreparedWrite> {
  const snapshot = folder.refresh();
  const before = changes.map((change) => snapshot.document(change.novelId, change.filePath));
  const plans = changes.map((change) => planUpdate(knownChunks(snapshot, change), change));
  const analyze = chunkAnalyzer(analyzer);
  const builder = new SegmentBuilder((basic) => analyzer.readings(basic));
  const records: DocumentRecord[] = [];
  let [added, removed, kept] = [0, 0, 0];
  for (const [at, change] of changes.entries()) {
    const plan = plans[at];
    if (!plan) continue;
    added += plan.added;
    kept += plan.kept;
    removed += plan.removed.length;
    for (const { chunk } of plan.removed) builder.forget(pairsOf(chunk));
    for (const { chunk, id } of plan.chunks) {
      if (id !== undefined) continue;
      if (builder.size % TURN === TURN - 1) {
        await new Promise(setImmediate);
        signal?.throwIfAborted();
      }
      builder.add(builder.size, analyze(chunk));
    }
    const numbers = numbersOf(plan, builder.size - plan.added);
    if (!isSame(before[at], change, numbers, isIndexing)) records.push(recordOf(change, numbers));
  }
  const report = { added, removed, kept };
  if (records.length === 0) return { report, before, changes };
  const file = folder.write(builder.finish(records));
  return { report, before, changes, segment: { file, chunks: builder.size } };
}

/**
 * Makes documents that were prepared part of the index. The caller holds the lock.
 *
 * @returns `true` if it did; `false` if others have written one of these documents since.
 */
export function commitWrite(folder: IndexFolder, prepared: PreparedWrite): boolean {
  const { before, changes, segment } = prepared;
  const snapshot = folder.refresh();
  const isStill = changes.every(({ novelId, filePath }, at) =>
    isEqual(before[at], snapshot.document(novelId, filePath)),
  );
  if (!isStill) {
    if (segment) folder.drop(segment.file);
    return false;
  }
  if (!segment) return true;
  const { commit, nextDoc } = snapshot.manifest;
  const entry = { ...segment, base: nextDoc, commit: commit + 1 };
  folder.commit({ add: [entry], remove: [], nextDoc: nextDoc + segment.chunks });
  return true;
}

/** Prepares and commits documents while the caller holds the lock. */
export async function writeAtOnce(
  target: WriteTarget,
  changes: readonly DocumentChange[],
  options?: LongOptions,
): Promise<UpdateReport> {
  const prepared = await prepareWrite(target, changes, options);
  commitWrite(target.folder, prepared);
  return prepared.report;
}

/** Returns the chunks that an index has of a document. */
function knownChunks(snapshot: Snapshot, ref: DocumentRef): readonly KnownChunk<number>[] {
  const document = snapshot.document(ref.novelId, ref.filePath);
  if (!document) return [];
  return snapshot.chunksOf(document).map((place) => {
    const { segment, doc } = place;
    const id = segment.reader.column(doc, 'id') + segment.entry.base;
    return { chunk: storedChunk(snapshot, place), id };
  });
}

/** @param first - The number of the first new chunk in the segment. */
function numbersOf({ chunks }: UpdatePlan<number>, first: number): Uint32Array {
  const numbers = new Uint32Array(chunks.length * RECORD_COLUMN_COUNT);
  let next = first;
  for (const [index, { chunk, id }] of chunks.entries()) {
    const number = id === undefined ? next++ : id + ELSEWHERE;
    numbers.set(recordRow(number, chunk), index * RECORD_COLUMN_COUNT);
  }
  return numbers;
}

function recordOf(
  { novelId, filePath, stamp }: DocumentChange,
  chunks: Uint32Array,
): DocumentRecord {
  const record = { novelId, filePath, commit: 0, chunks };
  // The time of its removal decides how long it is kept.
  if (chunks.length === 0) return { ...record, stamp: new Date().toISOString() };
  return stamp === undefined ? record : { ...record, stamp };
}

function isSame(
  known: LiveDocument | undefined,
  { stamp }: DocumentChange,
  numbers: Uint32Array,
  isIndexing: boolean,
): boolean {
  if (!known) return numbers.length === 0 && !isIndexing;
  return (
    known.stamp === stamp &&
    known.chunks.length === numbers.length &&
    known.chunks.every((value, at) => {
      const number = numbers[at] ?? 0;
      return at % RECORD_COLUMN_COUNT === 0 ? number === value + ELSEWHERE : number === value;
    })
  );
}

function isEqual(one: LiveDocument | undefined, other: LiveDocument | undefined): boolean {
  if (!one || !other) return one === other;
  return (
    one.stamp === other.stamp &&
    one.chunks.length === other.chunks.length &&
    one.chunks.every((value, at) => value === other.chunks[at])
  );
}

/** A chunk that the index has, at its present place. */
export interface KeptChunk extends ChunkPosition {
  /** Its number in the index. */
  readonly id: number;
}

/** A document that is new or differs. */
export interface DocumentDelta extends DocumentRef {
  /** Its new chunks. */
  readonly chunks: readonly Chunk[];
  /** The others. */
  readonly kept: readonly KeptChunk[];
  readonly stamp?: string;
  /** The `pairsOf` of each removed chunk. */
  readonly replaced: readonly Uint16Array[];
}

/** The new part of a document, which the snapshot may have. */
export function changedChunks(
  snapshot: Snapshot,
  change: Omit<DocumentChange, 'isAddition'>,
): DocumentDelta {
  const { novelId, filePath, stamp } = change;
  const { chunks, removed } = planUpdate(knownChunks(snapshot, change), change);
  return {
    novelId,
    filePath,
    ...(stamp === undefined ? {} : { stamp }),
    chunks: chunks.flatMap(({ chunk, id }) => (id === undefined ? [chunk] : [])),
    kept: chunks.flatMap(({ chunk, id }) =>
      id === undefined ? [] : [{ id, ...positionOf(chunk) }],
    ),
    replaced: removed.map(({ chunk }) => pairsOf(chunk)),
  };
}
