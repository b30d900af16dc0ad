import { decodePostings } from '@vizprompt/providers/internal';
import { lowerBound, StringTable } from '../../binary/lookup-tables.ts';
import { SectionFile } from '../../binary/section-file.ts';
import {
  DOC_COLUMNS,
  DOC_COLUMN_COUNT,
  type DocumentRecord,
  SECTIONS,
  SEGMENT_FORM,
  type SegmentStrings,
  readRecords,
} from '../format/segment-layout.ts';
import { RagError } from '../../errors.ts';
import { TITLE_PREFIX } from '../../search/chunk-index.ts';
import type { ScoreAccumulator } from '../../search/score-accumulator.ts';

/** A segment, open for reading. */
export class SegmentReader {
  readonly terms: StringTable;
  /** True if any of its terms is one of a title. */
  readonly hasTitles: boolean;
  readonly surfaces: StringTable;
  /** For each form the term it is found by + 1, or 0. */
  readonly formTerms: Uint32Array;
  readonly formExtras: Uint32Array;
  /** How far each form's word reaches back before its surface; empty where no words overlap. */
  readonly formLeads: Uint8Array;
  readonly strings: SegmentStrings;
  readonly #file: SectionFile;
  readonly #counts: Uint32Array;
  readonly #ends: Uint32Array;
  readonly #reversed: Uint32Array;
  readonly #docs: Uint32Array;
  /** The content words of each chunk. */
  readonly words: Uint32Array;
  /** Sheets that no search uses now. */
  readonly sheets: ScoreAccumulator[] = [];
  #buffer = Buffer.allocUnsafeSlow(4096);
  #forms = new Uint32Array(1024);
  #records: readonly DocumentRecord[] | undefined;
  #users = 1;
  /** A bit for each form that has further terms. */
  readonly #extraBits: Uint8Array;
  #readings: { readonly table: StringTable; readonly pairs: Uint32Array } | undefined;

  /** @throws IndexingError with the code `index-corrupt` if the file is damaged. */
  constructor(path: string) {
    const file = new SectionFile(path, SEGMENT_FORM);
    this.#file = file;
    this.terms = new StringTable(file.section(SECTIONS.terms));
    this.hasTitles = this.terms.startsWith(this.terms.lowerBound(TITLE_PREFIX), TITLE_PREFIX);
    this.surfaces = new StringTable(file.section(SECTIONS.surfaces));
    this.formTerms = numbers(file.section(SECTIONS.formTerms));
    this.formExtras = numbers(file.section(SECTIONS.formExtras));
    this.#extraBits = new Uint8Array(Math.ceil(this.formTerms.length / 8));
    for (let at = 0; at < this.formExtras.length; at += 2) {
      const form = this.formExtras[at] ?? 0;
      this.#extraBits[form >> 3] = (this.#extraBits[form >> 3] ?? 0) | (1 << (form & 7));
    }
    this.formLeads = file.section(SECTIONS.formLeads);
    this.strings = JSON.parse(Buffer.from(file.section(SECTIONS.strings)).toString());
    this.#counts = numbers(file.section(SECTIONS.counts));
    this.#ends = numbers(file.section(SECTIONS.ends));
    this.#reversed = numbers(file.section(SECTIONS.reversed));
    this.#docs = numbers(file.section(SECTIONS.docs));
    this.words = new Uint32Array(this.size);
    for (let doc = 0; doc < this.words.length; doc++) {
      this.words[doc] = this.#docs[doc * DOC_COLUMN_COUNT + DOC_COLUMNS.words] ?? 0;
    }
  }

  /** How many chunks it has, deleted ones among them. */
  get size(): number {
    return this.#docs.length / DOC_COLUMN_COUNT;
  }

  /** Returns a number that replaces a chunk. */
  column(doc: number, column: keyof typeof DOC_COLUMNS): number {
    return this.#docs[doc * DOC_COLUMN_COUNT + DOC_COLUMNS[column]] ?? 0;
  }

  /** Returns the id of a chunk. */
  idAt(doc: number): number {
    return this.#docs[doc * DOC_COLUMN_COUNT + DOC_COLUMNS.id] ?? 0;
  }

  /** How many UTF-16 code units a chunk has of its own. */
  ownLengthAt(doc: number): number {
    const at = doc * DOC_COLUMN_COUNT;
    return (this.#docs[at + DOC_COLUMNS.length] ?? 0) - (this.#docs[at + DOC_COLUMNS.overlap] ?? 0);
  }

  /** Returns the place of the chunk with this id, or -1. */
  placeOf(id: number): number {
    const place = lowerBound(this.size, (at) => this.idAt(at) < id);
    return place < this.size && this.idAt(place) === id ? place : -1;
  }

  /** In how many chunks a term is, deleted ones among them. */
  countOf(term: number): number {
    return this.#counts[term] ?? 0;
  }

  /**
   * Writes down which chunks have a term, deleted ones among them, and how often.
   *
   * @returns How many there are.
   */
  decode(term: number, docs: Uint32Array, frequencies: Uint8Array): number {
    const start = term === 0 ? 0 : (this.#ends[term - 1] ?? 0);
    const length = (this.#ends[term] ?? start) - start;
    if (this.#buffer.length < length) this.#buffer = Buffer.allocUnsafeSlow(length * 2);
    const bytes = this.#buffer;
    this.#file.readInto(SECTIONS.postings, start, bytes, length);
    return decodePostings(bytes, length, -1, docs, frequencies);
  }

  /** Returns the forms of a chunk in the order of its text; valid until the next call. */
  formsOf(doc: number): Uint32Array {
    const start = doc === 0 ? 0 : this.column(doc - 1, 'textEnd');
    const length = this.column(doc, 'textEnd') - start;
    if (this.#buffer.length < length) this.#buffer = Buffer.allocUnsafeSlow(length * 2);
    if (this.#forms.length < length) this.#forms = new Uint32Array(length * 2);
    const bytes = this.#buffer;
    const forms = this.#forms;
    this.#file.readInto(SECTIONS.texts, start, bytes, length);
    let count = 0;
    for (let at = 0; at < length;) {
      let value = bytes[at++] ?? 0;
      if (value > 127) {
        value &= 127;
        for (let shift = 7; ; shift += 7) {
          const byte = bytes[at++] ?? 0;
          value |= (byte & 127) << shift;
          if (byte < 128) break;
        }
      }
      forms[count++] = value;
    }
    return forms.subarray(0, count);
  }

  /** Checks whether a form has further terms next to its first. */
  hasExtras(form: number): boolean {
    return (((this.#extraBits[form >> 3] ?? 0) >> (form & 7)) & 1) === 1;
  }

  /** Returns the text of forms. */
  textOf(forms: Uint32Array): string {
    return this.surfaces.join(forms);
  }

  /** Returns the terms that end with `text`, as places in `terms`. */
  termsEndingWith(text: string): readonly number[] {
    const reversed = this.#reversed;
    const found: number[] = [];
    const isBefore = (at: number): boolean => this.terms.compareEnd(reversed[at] ?? 0, text) < 0;
    for (let at = lowerBound(reversed.length, isBefore); at < reversed.length; at++) {
      const term = reversed[at] ?? 0;
      if (!this.terms.endsWith(term, text)) break;
      found.push(term);
    }
    return found;
  }

  /** Returns the terms, those of titles not among them, as places in `terms`. */
  bodyTerms(): Uint32Array {
    return this.#reversed;
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
    const { table, pairs } = this.#loadReadings();
    const number = table.find(reading);
    if (number < 0) return [];
    const found: number[] = [];
    let pair = lowerBound(pairs.length / 2, (at) => (pairs[at * 2] ?? 0) < number);
    for (; pairs[pair * 2] === number; pair++) found.push(pairs[pair * 2 + 1] ?? 0);
    return found;
  }

  /** All terms with their readings. */
  *eachReading(): Generator<readonly [term: string, reading: string]> {
    const { table, pairs } = this.#loadReadings();
    for (let at = 0; at < pairs.length; at += 2) {
      yield [this.terms.get(pairs[at + 1] ?? 0), table.get(pairs[at] ?? 0)];
    }
  }

  #loadReadings(): { readonly table: StringTable; readonly pairs: Uint32Array } {
    this.#readings ??= {
      table: new StringTable(this.#file.section(SECTIONS.readings)),
      pairs: numbers(this.#file.section(SECTIONS.readingTerms)),
    };
    return this.#readings;
  }

  /** Returns the records, as they were written. */
  records(): readonly DocumentRecord[] {
    this.#records ??= readRecords(
      this.#file.section(SECTIONS.records),
      numbers(this.#file.section(SECTIONS.recordChunks)),
      this.#file.names.includes(SECTIONS.recordColumns)
        ? numbers(this.#file.section(SECTIONS.recordColumns))
        : undefined,
    );
    return this.#records;
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

function numbers(bytes: Uint8Array): Uint32Array {
  return new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
}
