import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf } from '@vizprompt/providers';
import { Numbering } from '../../binary/packed-tables.ts';
import { type FileForm, type Section, writeSections } from '../../binary/section-file.ts';
import { IndexingError } from '../../errors.ts';

/**
 * The layout of a segment, section by section. A segment is a set of chunks with everything that search
 * needs of them; it never changes once it is written.
 *
 * The text of a chunk is kept as the sequence of its words. Each distinct word (a *form*: surface,
 * basic form, reading and part of speech) is once in the lexicon; the text is a list of form
 * numbers, the frequent ones in one byte. So the same few bytes give back the text, where its words
 * begin, and what they are found by.
 */
export const SECTIONS = {
  /** Sorted: what chunks are found by. `TITLE_PREFIX` marks terms of titles. */
  terms: 'terms',
  /** The places of `terms` in the order of the reversed terms, to find them by their ends. */
  reversed: 'reversed',
  /** How many chunks have each term: the sum of those before it; then where its postings end. */
  counts: 'counts',
  ends: 'ends',
  /** For each term its chunks: gap to the last one × 2, + 1 if it has the term more than once; then how often. */
  postings: 'postings',
  /** See `PartLists`. */
  parts: 'parts',
  partLists: 'partLists',
  /** The surfaces of the forms, as in the text; the most frequent form first. */
  surfaces: 'surfaces',
  /** See `FormTerms`. */
  formTerms: 'formTerms',
  /** How far each form's word reaches back before its surface; empty where no words overlap. */
  formLeads: 'formLeads',
  /** Deflated: the part of speech of each form, a place in {@link SegmentStrings.partsOfSpeech}. */
  formPos: 'formPos',
  /** Deflated: the readings of the forms. */
  formReadings: 'formReadings',
  /** For each chunk the numbers of its forms. */
  texts: 'texts',
  /** See `DocTable`. */
  docs: 'docs',
  /** {@link SegmentStrings} as JSON. */
  strings: 'strings',
  /** See `ReadingTable`: katakana readings of terms. */
  readings: 'readings',
  readingBlocks: 'readingBlocks',
  /** How many chunks have each pair of characters, by hash. */
  bigrams: 'bigrams',
  /** See `PairLists`. */
  pairs: 'pairs',
  pairLists: 'pairLists',
  /** See `writeRecords`. */
  records: 'records',
} as const;

/** Strings that many chunks share. */
export interface SegmentStrings {
  readonly titles: readonly string[];
  readonly headings: readonly (readonly string[])[];
  readonly tags: readonly (readonly string[])[];
  readonly partsOfSpeech: readonly string[];
}

/** Numbers strings that many chunks share. */
export class SharedStrings {
  readonly #titles = new Numbering<string>();
  readonly #headings = new Numbering<readonly string[]>();
  readonly #tags = new Numbering<readonly string[]>();

  title(title: string): number {
    return this.#titles.of(title, title);
  }

  headings(path: readonly string[]): number {
    return this.#headings.of(JSON.stringify(path), path);
  }

  tags(tags: readonly string[]): number {
    return this.#tags.of(JSON.stringify(tags), tags);
  }

  toJSON(partsOfSpeech: readonly string[]): SegmentStrings {
    return {
      titles: this.#titles.things,
      headings: this.#headings.things,
      tags: this.#tags.things,
      partsOfSpeech,
    };
  }
}

/** Files that hold a segment. */
export const SEGMENT_FORM: FileForm = {
  magic: 'VZRAGSEG',
  version: 6,
  damaged(path, problem, cause) {
    return new IndexingError(
      `the index file ${path} cannot be read: ${problem}`,
      { cause, context: { path } },
      'index-corrupt',
    );
  },
};

/**
 * Writes a segment that no manifest names yet, and returns the name of its file.
 *
 * @throws IndexingError if it cannot be written, as on a full disk; then nothing of it stays.
 */
export function writeSegment(folder: string, sections: readonly Section[]): string {
  const file = `segment-${randomUUID()}.bin`;
  try {
    // The folder may have been deleted.
    mkdirSync(folder, { recursive: true });
    writeSections(join(folder, file), SEGMENT_FORM, sections);
  } catch (cause) {
    const message = `the index in ${folder} could not be written: ${messageOf(cause)}`;
    throw new IndexingError(message, { cause, context: { folder } });
  }
  return file;
}
