import type { Section } from '../../binary/section-file.ts';
import {
  SECTIONS,
  recordSections,
  DOC_COLUMN_COUNT,
  type DocumentRecord,
  SharedStrings,
} from '../format/segment-layout.ts';
import { StringTable } from '../../binary/lookup-tables.ts';
import type { Word } from '../../analyze/analyzer.ts';
import type { Chunk } from '../../chunk/chunk.ts';
import type { AnalyzedChunk } from '../../analyze/analyze-chunk.ts';
import { TITLE_PREFIX } from '../../search/chunk-index.ts';
import { BigramSketch, bucketsOf } from '../format/bigram-sketch.ts';
import { ByteWriter } from '../../binary/byte-writer.ts';
import { PostingsBuilder, termSections } from './postings.ts';

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

/** The final number of each form by how often it comes, and the forms in this order. */
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

  /** The provisional number of a word. */
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

  /** The provisional number of what stands between words. */
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

/** What a byte holds. */
const MAX_LEAD = 255;

/** What a chunk adds to the sketch of the pairs of characters. */
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
      // Words may overlap: then each stands for what it adds to the text.
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
