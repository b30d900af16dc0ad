import { inflateRawSync } from 'node:zlib';
import { decodePostings } from '@vizprompt/providers/internal';
import {
  AscendingNumbers,
  lowerBound,
  PackedNumbers,
  StringTable,
} from '../../binary/packed-tables.ts';
import { SectionFile } from '../../binary/section-file.ts';
import { PairLists } from '../format/bigrams.ts';
import { eachReading, FormTerms, PartLists, ReadingTable } from '../format/lexicon.ts';
import {
  damageOf,
  type DOC_COLUMNS,
  DocTable,
  type DocumentRecord,
  MOST_INFLATED,
  readRecords,
  SECTIONS,
  readForms,
  SEGMENT_FORM,
  type SegmentStrings,
} from '../format/index-layout.ts';
import { RagError } from '../../errors.ts';
import { TITLE_PREFIX } from '../../chunk/chunk.ts';
import type { ScoreAccumulator } from '../../search/score-accumulator.ts';

/** The first string after all terms of titles. */
const AFTER_TITLES = String.fromCharCode(TITLE_PREFIX.charCodeAt(0) + 1);

/** Texts that are not further apart than this many bytes are read at once, up to this number. */
const NEAR = 8192;
const AT_ONCE = 131_072;

/** Returns strings of a segment that another program may have written. */
function readStrings(bytes: Uint8Array): SegmentStrings {
  const strings: SegmentStrings = JSON.parse(Buffer.from(bytes).toString());
  const { titles, headings, tags, partsOfSpeech } = strings;
  const lists: readonly unknown[] = [titles, headings, tags, partsOfSpeech];
  if (!lists.every(Array.isArray) || ![...headings, ...tags].every(Array.isArray))
    throw new SyntaxError('its strings are no lists');
  return strings;
}

/** A segment, open for reading. */
export class SegmentReader {
  readonly terms: StringTable;
  /** True if any of its terms is one of a title. */
  readonly hasTitles: boolean;
  readonly surfaces: StringTable;
  readonly formTerms: FormTerms;
  /** How far each form's word reaches back before its surface; empty where no words overlap. */
  readonly formLeads: Uint8Array;
  readonly strings: SegmentStrings;
  readonly pairs: PairLists;
  readonly #path: string;
  readonly #file: SectionFile;
  readonly #counts: AscendingNumbers;
  readonly #ends: AscendingNumbers;
  readonly #reversed: PackedNumbers;
  readonly #parts: PartLists;
  readonly #readings: ReadingTable;
  readonly #docs: DocTable;
  /** Sheets that no search uses now. */
  readonly sheets: ScoreAccumulator[] = [];
  #buffer = Buffer.allocUnsafeSlow(4096);
  #forms = new Uint32Array(1024);
  #records: readonly DocumentRecord[] | undefined;
  #users = 1;

  /** @throws IndexingError with the code `index-corrupt` if the file is damaged. */
  constructor(path: string) {
    const file = new SectionFile(path, SEGMENT_FORM);
    this.#path = path;
    this.#file = file;
    try {
      this.terms = StringTable.read(file.section(SECTIONS.terms));
      this.hasTitles = this.terms.startsWith(this.terms.lowerBound(TITLE_PREFIX), TITLE_PREFIX);
      this.surfaces = StringTable.read(file.section(SECTIONS.surfaces));
      this.formTerms = new FormTerms(file.section(SECTIONS.formTerms));
      this.formLeads = file.section(SECTIONS.formLeads);
      this.strings = readStrings(file.section(SECTIONS.strings));
      this.#counts = new AscendingNumbers(file.section(SECTIONS.counts));
      this.#ends = new AscendingNumbers(file.section(SECTIONS.ends));
      this.#reversed = new PackedNumbers(file.section(SECTIONS.reversed));
      this.#parts = new PartLists(file.section(SECTIONS.parts), (start, length) =>
        this.#read(SECTIONS.partLists, start, length),
      );
      this.pairs = new PairLists(file.section(SECTIONS.pairs), (start, length) =>
        this.#read(SECTIONS.pairLists, start, length),
      );
      this.#readings = new ReadingTable(file.section(SECTIONS.readings), (start, length) =>
        this.#read(SECTIONS.readingBlocks, start, length),
      );
      this.#docs = new DocTable(file.section(SECTIONS.docs));
    } catch (cause) {
      file.close();
      throw damageOf(cause, path);
    }
  }

  /** How many chunks it has, deleted ones among them. */
  get size(): number {
    return this.#docs.size;
  }

  /** The content words of each chunk. */
  get words(): Uint32Array {
    return this.#docs.words;
  }

  /** Returns a number that replaces a chunk. */
  column(doc: number, column: keyof typeof DOC_COLUMNS): number {
    return this.#docs.get(doc, column);
  }

  /** Returns the id of a chunk. */
  idAt(doc: number): number {
    return this.#docs.idAt(doc);
  }

  /** How many UTF-16 code units a chunk has of its own. */
  ownLengthAt(doc: number): number {
    return this.column(doc, 'length') - this.column(doc, 'overlap');
  }

  /** Returns the place of the chunk with this id, or -1. */
  placeOf(id: number): number {
    const place = lowerBound(this.size, (at) => this.idAt(at) < id);
    return place < this.size && this.idAt(place) === id ? place : -1;
  }

  /** In how many chunks a term is, deleted ones among them. */
  countOf(term: number): number {
    return this.#counts.at(term) - (term === 0 ? 0 : this.#counts.at(term - 1));
  }

  /**
   * Does what decodes bytes of the segment, and nothing of the caller's.
   *
   * @throws IndexingError with the code `index-corrupt` if they are not what this package writes.
   */
  decoding<T>(decode: () => T): T {
    try {
      return decode();
    } catch (error) {
      throw damageOf(error, this.#path);
    }
  }

  /** Returns a deflated section. */
  inflated(name: 'formPos' | 'formReadings'): Buffer {
    const limit = { maxOutputLength: MOST_INFLATED };
    return this.decoding(() => inflateRawSync(this.section(name), limit));
  }

  /** Returns the chunks that have a pair of characters, in order; valid until `target` is written to. */
  docsWithPair(key: number, target: Uint32Array): Uint32Array {
    return this.decoding(() => this.pairs.docsOf(key, target));
  }

  /**
   * Writes down which chunks have a term, deleted ones among them, and how often.
   *
   * @returns How many there are.
   */
  decode(term: number, docs: Uint32Array, frequencies: Uint8Array): number {
    const start = term === 0 ? 0 : this.#ends.at(term - 1);
    const length = this.#ends.at(term) - start;
    const bytes = this.#fill(SECTIONS.postings, start, length);
    return this.decoding(() => decodePostings(bytes, length, -1, docs, frequencies));
  }

  /** Returns the forms of a chunk in the order of its text; valid until the next call. */
  formsOf(doc: number): Uint32Array {
    const start = doc === 0 ? 0 : this.column(doc - 1, 'textEnd');
    const length = this.column(doc, 'textEnd') - start;
    const bytes = this.#fill(SECTIONS.texts, start, length);
    if (this.#forms.length < length) this.#forms = new Uint32Array(length * 2);
    const count = readForms(bytes, length, this.#forms);
    return this.#forms.subarray(0, count);
  }

  /**
   * Calls `visit` with the bytes of the forms of chunks, which are from `start` to `end`; valid until it returns. Texts
   * that are near each other are read at once.
   *
   * @param docs - Ascending.
   */
  eachText(
    docs: Uint32Array,
    visit: (at: number, bytes: Uint8Array, start: number, end: number) => void,
  ): void {
    const endOf = (doc: number): number => (doc < 0 ? 0 : this.column(doc, 'textEnd'));
    for (let from = 0; from < docs.length;) {
      const base = endOf((docs[from] ?? 0) - 1);
      const ends = [endOf(docs[from] ?? 0)];
      for (let next = from + 1; next < docs.length; next++) {
        const start = endOf((docs[next] ?? 0) - 1);
        const end = endOf(docs[next] ?? 0);
        if (start - (ends.at(-1) ?? 0) > NEAR || end - base > AT_ONCE) break;
        ends.push(start, end);
      }
      const bytes = this.#fill(SECTIONS.texts, base, (ends.at(-1) ?? 0) - base);
      for (let at = 0; at < ends.length; at += 2) {
        const start = at === 0 ? base : (ends[at - 1] ?? 0);
        visit(from++, bytes, start - base, (ends[at] ?? 0) - base);
      }
    }
  }

  /** Returns the text of forms. */
  textOf(forms: Uint32Array): string {
    return this.decoding(() => this.surfaces.join(forms));
  }

  /** Returns the terms that end with `text`, as places in `terms`. */
  termsEndingWith(text: string): readonly number[] {
    const reversed = this.#reversed;
    const found: number[] = [];
    const isBefore = (at: number): boolean => this.terms.compareEnd(reversed.at(at), text) < 0;
    for (let at = lowerBound(reversed.length, isBefore); at < reversed.length; at++) {
      const term = reversed.at(at);
      if (!this.terms.endsWith(term, text)) break;
      found.push(term);
    }
    return found;
  }

  /** Returns the terms, those of titles among them, that have `text` anywhere, as places in `terms`. */
  termsWith(text: string): Iterable<number> {
    const candidates = this.#parts.candidates(text);
    if (!candidates) return this.terms.placesWith(text);
    return candidates.filter((term) => this.terms.includes(term, text));
  }

  /** Returns the terms of texts that have `text` anywhere, as places in `terms`: those of the most chunks first. */
  frequentTermsWith(text: string): Float64Array {
    const { terms } = this;
    const [first, after] = [terms.lowerBound(TITLE_PREFIX), terms.lowerBound(AFTER_TITLES)];
    const keys: number[] = [];
    for (const term of this.termsWith(text)) {
      if (term >= first && term < after) continue;
      keys.push((this.size - this.countOf(term)) * terms.size + term);
    }
    return Float64Array.from(keys)
      .toSorted()
      .map((key) => key % terms.size);
  }

  /** Returns the terms, those of titles not among them, as places in `terms`. */
  *bodyTerms(): Generator<number> {
    for (let at = 0; at < this.#reversed.length; at++) yield this.#reversed.at(at);
  }

  /** Returns the terms that begin with `text`, as places in `terms`. */
  termsStartingWith(text: string): readonly number[] {
    const found: number[] = [];
    for (let term = this.terms.lowerBound(text); term < this.terms.size; term++) {
      if (!this.terms.startsWith(term, text)) break;
      found.push(term);
    }
    return found;
  }

  /** Returns the terms that are read so, as places in `terms`. */
  termsRead(reading: string): readonly number[] {
    return this.decoding(() => this.#readings.termsRead(reading));
  }

  /** All terms with their readings. */
  *eachReading(): Generator<readonly [term: string, reading: string]> {
    // Errors of the caller's loop do not come here.
    try {
      for (const [reading, terms] of eachReading(this.section('readingBlocks'))) {
        for (const term of terms) yield [this.terms.get(term), reading];
      }
    } catch (error) {
      throw damageOf(error, this.#path);
    }
  }

  /** Returns the records, as they were written. */
  records(): readonly DocumentRecord[] {
    return (this.#records ??= this.decoding(() => readRecords(this.section('records'))));
  }

  /** Reads a piece of a section; valid until the next call. */
  #read(name: string, start: number, length: number): Uint8Array {
    return this.#fill(name, start, length).subarray(0, length);
  }

  /** The same with more bytes after the piece. */
  #fill(name: string, start: number, length: number): Buffer {
    if (length > 0) this.#file.assertInside(name, start, length);
    if (this.#buffer.length < length) this.#buffer = Buffer.allocUnsafeSlow(length * 2);
    this.#file.readInto(name, start, this.#buffer, length);
    return this.#buffer;
  }

  /** Returns a section as a whole; for merging and for facts that search does not need. */
  section(name: keyof typeof SECTIONS): Uint8Array {
    return this.#file.section(SECTIONS[name]);
  }

  /**
   * Reads and checks every byte.
   *
   * @throws IndexingError with the code `index-corrupt`.
   */
  verify(): void {
    this.#file.verify();
  }

  /** Notes another user, which will `release` it. */
  retain(): this {
    // Its descriptor may be another file by now.
    if (this.#users === 0) throw new RagError('closed', 'the index is closed');
    this.#users++;
    return this;
  }

  /** Closes the file when it is not used any more. The caller that opened it is its first user. */
  release(): void {
    this.#users--;
    if (this.#users === 0) this.#file.close();
  }
}
