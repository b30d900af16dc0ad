import { MAX_FREQUENCY } from '@vizprompt/providers/internal';
import type { Word } from '../../analyze/analyzer.ts';
import { ByteWriter, type Section } from '../../binary/section-file.ts';
import { type AnalyzedChunk, type Chunk, TITLE_PREFIX } from '../../chunk/chunk.ts';
import { BigramSketch, bucketsOf, PairListsBuilder } from '../format/bigrams.ts';
import {
  DOC_COLUMN_COUNT,
  DocTable,
  type DocumentRecord,
  SECTIONS,
  SharedStrings,
  writeRecords,
} from '../format/index-layout.ts';
import { searchedForms } from '../../rank/fold-text.ts';
import {
  byFrequency,
  byUnits,
  type Form,
  formSections,
  type TermData,
  termSections,
} from '../format/lexicon.ts';

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
      for (const form of forms) texts.varint(order[form] ?? 0);
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
