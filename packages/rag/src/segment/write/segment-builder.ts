import { MAX_FREQUENCY } from '@vizprompt/providers/internal';
import type { AnalyzedChunk } from '../../analyze/analyze-chunk.ts';
import type { Word } from '../../analyze/analyzer.ts';
import { StringTable } from '../../binary/lookup-tables.ts';
import { ByteWriter, type Section } from '../../binary/section-file.ts';
import type { Chunk } from '../../chunk/chunk.ts';
import { TITLE_PREFIX, bareTerm } from '../../search/chunk-index.ts';
import { BigramSketch, bucketsOf } from '../format/bigram-sketch.ts';
import {
  DOC_COLUMN_COUNT,
  type DocumentRecord,
  SECTIONS,
  SharedStrings,
  recordSections,
} from '../format/segment-layout.ts';

/** A distinct word of a segment. */
export interface Form {
  readonly surface: string;
  /** How far its word reaches back before the surface, where words overlap. */
  readonly lead: number;
  readonly reading: string;
  /** Its part of speech, a place in the strings of the segment. */
  readonly pos: number;
  /** The places of the term it is found by, then of further ones; none if it cannot be searched. */
  readonly terms: readonly number[];
}

/** @param forms - The most frequent first. */
export function formSections(forms: readonly Form[]): readonly Section[] {
  const extras: number[] = [];
  for (const [number, { terms }] of forms.entries()) {
    const [main, ...further] = terms;
    for (const term of further) if (term !== main) extras.push(number, term);
  }
  const section = (name: string, bytes: Uint8Array, isResident = true): Section => {
    return { name, bytes, isResident };
  };
  const numbers = (values: Iterable<number>): Uint8Array =>
    new Uint8Array(Uint32Array.from(values).buffer);
  return [
    section(SECTIONS.surfaces, StringTable.write(forms.map(({ surface }) => surface))),
    section(SECTIONS.formTerms, numbers(forms.map(({ terms: [main = -1] }) => main + 1))),
    section(SECTIONS.formExtras, numbers(extras)),
    section(SECTIONS.formLeads, leadsOf(forms)),
    section(
      SECTIONS.formPos,
      Uint8Array.from(forms, ({ pos }) => pos),
      false,
    ),
    section(SECTIONS.formReadings, StringTable.write(forms.map(({ reading }) => reading)), false),
  ];
}

/** Empty where no words overlap, which is nearly always. */
function leadsOf(forms: readonly Form[]): Uint8Array {
  return forms.some(({ lead }) => lead > 0)
    ? Uint8Array.from(forms, ({ lead }) => lead)
    : new Uint8Array();
}

/** Returns the final number of each form by how often it comes, and the forms in this order. */
export function byFrequency(counts: ArrayLike<number>): {
  /** The provisional numbers in their new order; those that do not come are left out. */
  readonly sorted: readonly number[];
  /** The new number of each. */
  readonly order: Uint32Array;
} {
  const countOf = (form: number): number => counts[form] ?? 0;
  const sorted = Array.from({ length: counts.length }, (_, form) => form)
    .filter((form) => countOf(form) > 0)
    .toSorted((a, b) => countOf(b) - countOf(a) || a - b);
  const order = new Uint32Array(counts.length);
  for (const [place, form] of sorted.entries()) order[form] = place;
  return { sorted, order };
}

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
export function pairsOf({ content, overlap }: Pick<Chunk, 'content' | 'overlap'>): Uint16Array {
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
      for (const form of forms) texts.varint(order[form] ?? 0);
      this.#docs[doc * DOC_COLUMN_COUNT + 3] = texts.length;
    }
    const strings = JSON.stringify(this.#strings.toJSON(partsOfSpeech));
    return [
      ...termSections(terms, this.#readingsOf),
      ...lexicon,
      { name: SECTIONS.texts, bytes: texts.view(), isResident: false },
      resident(SECTIONS.docs, new Uint8Array(Uint32Array.from(this.#docs).buffer)),
      resident(SECTIONS.strings, Buffer.from(strings)),
      { name: SECTIONS.bigrams, bytes: this.#bigrams.write(), isResident: false },
      ...recordSections(records),
    ];
  }
}

function resident(name: string, bytes: Uint8Array): Section {
  return { name, bytes, isResident: true };
}

/** The terms of a segment with their postings, in order. */
export interface TermData {
  /** Sorted by {@link byUnits}. */
  readonly terms: readonly string[];
  /** Number of chunks with each term. */
  readonly counts: Uint32Array;
  /** End of the postings of each term. */
  readonly ends: Uint32Array;
  readonly postings: ByteWriter;
}

/** @param readingsOf - The readings of a basic form. */
export function termSections(
  { terms, counts, ends, postings }: TermData,
  readingsOf: (term: string) => readonly string[],
): readonly Section[] {
  return [
    { name: SECTIONS.terms, bytes: StringTable.write(terms), isResident: true },
    { name: SECTIONS.counts, bytes: new Uint8Array(counts.buffer), isResident: true },
    { name: SECTIONS.ends, bytes: new Uint8Array(ends.buffer), isResident: true },
    { name: SECTIONS.postings, bytes: postings.view(), isResident: false },
    { name: SECTIONS.reversed, bytes: reversedOrder(terms), isResident: true },
    ...readingSections(terms, readingsOf),
  ];
}

function readingSections(
  terms: readonly string[],
  readingsOf: (term: string) => readonly string[],
): readonly Section[] {
  const byReading = new Map<string, number[]>();
  for (const [place, term] of terms.entries()) {
    for (const reading of readingsOf(bareTerm(term))) {
      const known = byReading.get(reading);
      if (known) known.push(place);
      else byReading.set(reading, [place]);
    }
  }
  const readings = [...byReading.keys()].toSorted(byUnits);
  const pairs: number[] = [];
  for (const [number, reading] of readings.entries()) {
    for (const term of byReading.get(reading) ?? []) pairs.push(number, term);
  }
  return [
    { name: SECTIONS.readings, bytes: StringTable.write(readings), isResident: false },
    {
      name: SECTIONS.readingTerms,
      bytes: new Uint8Array(Uint32Array.from(pairs).buffer),
      isResident: false,
    },
  ];
}

/** Returns the places of the terms that are not of titles, sorted by the reversed terms. */
function reversedOrder(terms: readonly string[]): Uint8Array {
  const reversed = terms
    .map((term, place) => ({ key: term.split('').toReversed().join(''), place, term }))
    .filter(({ term }) => !term.startsWith(TITLE_PREFIX))
    .toSorted((a, b) => byUnits(a.key, b.key));
  return new Uint8Array(Uint32Array.from(reversed, ({ place }) => place).buffer);
}

/** As `StringTable` searches: by UTF-16 code units. */
export function byUnits(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
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
