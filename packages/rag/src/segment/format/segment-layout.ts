import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf } from '@vizprompt/providers';
import type { ChunkPosition } from '../../chunk/chunk.ts';
import { Numbering } from '../../binary/lookup-tables.ts';
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
  /** How many chunks have each term; then where its postings end. */
  counts: 'counts',
  ends: 'ends',
  /** For each term its chunks: gap to the last one × 2, + 1 if it has the term more than once; then how often. */
  postings: 'postings',
  /** The surfaces of the forms, as in the text; the most frequent form first. */
  surfaces: 'surfaces',
  /** For each form the term it is found by + 1, or 0. */
  formTerms: 'formTerms',
  /** Further terms: pairs of form and term, by form. */
  formExtras: 'formExtras',
  /** How far each form's word reaches back before its surface; empty where no words overlap. */
  formLeads: 'formLeads',
  /** The part of speech of each form, a place in {@link SegmentStrings.partsOfSpeech}. */
  formPos: 'formPos',
  /** The readings of the forms. */
  formReadings: 'formReadings',
  /** For each chunk the numbers of its forms. */
  texts: 'texts',
  /** {@link DOC_COLUMNS} numbers for each chunk. */
  docs: 'docs',
  /** {@link SegmentStrings} as JSON. */
  strings: 'strings',
  /** Sorted: katakana readings of terms; then pairs of reading and term. */
  readings: 'readings',
  readingTerms: 'readingTerms',
  /** How many chunks have each pair of characters, by hash. */
  bigrams: 'bigrams',
  /** {@link DocumentRecord}s as JSON, and of each of their chunks its number, first line, last line and place. */
  records: 'records',
  recordChunks: 'recordChunks',
  /** The column of each of these chunks, or 0. Segments of older versions have no such section. */
  recordColumns: 'recordColumns',
} as const;

/** The numbers that replace a chunk, in this order. */
export const DOC_COLUMNS = {
  /** Ascending in a segment. */
  id: 0,
  /** Content words. */
  words: 1,
  /** UTF-16 code units. */
  length: 2,
  /** Where its text ends in `texts`. */
  textEnd: 3,
  /** Places in {@link SegmentStrings}. */
  title: 4,
  headings: 5,
  tags: 6,
  overlap: 7,
  ordinal: 8,
} as const;
export const DOC_COLUMN_COUNT = 9;

/** The numbers that replace a chunk in the record of its document, see {@link recordRow}. */
export const RECORD_COLUMN_COUNT = 5;
/** How many of these are in `recordChunks`. */
const STORED_COLUMN_COUNT = RECORD_COLUMN_COUNT - 1;

/** Returns the numbers of a chunk in a record. */
export function recordRow(
  number: number,
  { startLine, endLine, chunkIndex, startColumn = 0 }: ChunkPosition,
): readonly number[] {
  return [number, startLine, endLine, chunkIndex, startColumn];
}

/** Added to the number of a chunk that another segment has: the base of the own one is not for it. */
export const ELSEWHERE: number = 2 ** 31;

/** Returns the number of a chunk in the index, by that in a record and the base of the record's segment. */
export function idIn(number: number, base: number): number {
  return number >= ELSEWHERE ? number - ELSEWHERE : number + base;
}

/** Returns the chunks of a record with their numbers in the index: the same array if these are no others. */
export function withIds(chunks: Uint32Array, base: number): Uint32Array {
  let numbered = chunks;
  for (let at = 0; at < chunks.length; at += RECORD_COLUMN_COUNT) {
    const number = chunks[at] ?? 0;
    const id = idIn(number, base);
    if (id === number) continue;
    if (numbered === chunks) numbered = chunks.slice();
    numbered[at] = id;
  }
  return numbered;
}

/** Strings that many chunks share. */
export interface SegmentStrings {
  readonly titles: readonly string[];
  readonly headings: readonly (readonly string[])[];
  readonly tags: readonly (readonly string[])[];
  readonly partsOfSpeech: readonly string[];
}

/** A document as some commit left it. The newest record of a document counts. */
export interface DocumentRecord {
  readonly novelId: string;
  readonly filePath: string;
  /** Which commit wrote it; 0: the one that added the segment. */
  readonly commit: number;
  /** The version that the caller wants to store. */
  readonly stamp?: string;
  /**
   * Its chunks in order, `RECORD_COLUMN_COUNT` numbers each: its number (see `idIn`), its
   * first and its last line, its place in the document, and its column. None if the document was removed.
   */
  readonly chunks: Uint32Array;
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

/** A record as it is in a file: its chunks are numbers next to it. */
type PlainRecord = readonly [
  novelId: string,
  filePath: string,
  commit: number,
  chunks: number,
  stamp?: string,
];

/** Returns the sections that hold records of documents. */
export function recordSections(records: readonly DocumentRecord[]): readonly Section[] {
  const plain = records.map(({ novelId, filePath, commit, chunks, stamp }): PlainRecord => {
    const count = chunks.length / RECORD_COLUMN_COUNT;
    return stamp === undefined
      ? [novelId, filePath, commit, count]
      : [novelId, filePath, commit, count, stamp];
  });
  const count = records.reduce((sum, { chunks }) => sum + chunks.length, 0) / RECORD_COLUMN_COUNT;
  const numbers = new Uint32Array(count * STORED_COLUMN_COUNT);
  const columns = new Uint32Array(count);
  let row = 0;
  for (const { chunks } of records) {
    for (let at = 0; at < chunks.length; at += RECORD_COLUMN_COUNT, row++) {
      numbers.set(chunks.subarray(at, at + STORED_COLUMN_COUNT), row * STORED_COLUMN_COUNT);
      columns[row] = chunks[at + STORED_COLUMN_COUNT] ?? 0;
    }
  }
  return [
    { name: SECTIONS.records, bytes: Buffer.from(JSON.stringify(plain)), isResident: true },
    { name: SECTIONS.recordChunks, bytes: new Uint8Array(numbers.buffer), isResident: true },
    { name: SECTIONS.recordColumns, bytes: new Uint8Array(columns.buffer), isResident: true },
  ];
}

/**
 * Returns the records that {@link recordSections} wrote; their chunks are views of the same numbers.
 *
 * @param columns - Absent in segments of older versions.
 */
export function readRecords(
  records: Uint8Array,
  stored: Uint32Array,
  columns: Uint32Array | undefined,
): readonly DocumentRecord[] {
  const size = stored.length / STORED_COLUMN_COUNT;
  const numbers = new Uint32Array(size * RECORD_COLUMN_COUNT);
  for (let row = 0; row < size; row++) {
    const at = row * STORED_COLUMN_COUNT;
    numbers.set(stored.subarray(at, at + STORED_COLUMN_COUNT), row * RECORD_COLUMN_COUNT);
    numbers[(row + 1) * RECORD_COLUMN_COUNT - 1] = columns?.[row] ?? 0;
  }
  const plain: readonly PlainRecord[] = JSON.parse(Buffer.from(records).toString());
  let at = 0;
  return plain.map(([novelId, filePath, commit, count, stamp]) => {
    const chunks = numbers.subarray(at, at + count * RECORD_COLUMN_COUNT);
    at += chunks.length;
    return { novelId, filePath, commit, chunks, ...(stamp === undefined ? {} : { stamp }) };
  });
}

/** Files that hold a segment. */
export const SEGMENT_FORM: FileForm = {
  magic: 'VZRAGSEG',
  version: 4,
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
