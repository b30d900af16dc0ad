import type { Chunk } from '../../chunk/chunk.ts';
import type { AnalyzedChunk } from '../../analyze/analyze-chunk.ts';
import { TITLE_PREFIX } from '../../search/chunk-index.ts';
import { BigramSketch, bucketsOf } from '../format/bigram-sketch.ts';
import { ByteWriter } from '../../binary/byte-writer.ts';
import { LexiconBuilder } from './lexicon.ts';
import { PostingsBuilder, termSections } from './postings.ts';
import {
  recordSections,
  DOC_COLUMN_COUNT,
  SECTIONS,
  type DocumentRecord,
  SharedStrings,
} from '../format/segment-layout.ts';
import type { Section } from '../../binary/section-file.ts';

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
