import { randomUUID } from 'node:crypto';
import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isNativeError } from 'node:util/types';
import { crc32, deflateRawSync, inflateRawSync } from 'node:zlib';
import { messageOf } from '@vizprompt/providers';
import { readPlainFile, replaceFileSync } from '@vizprompt/providers/internal';
import {
  AscendingNumbers,
  joinTables,
  Numbering,
  PackedNumbers,
} from '../../binary/packed-tables.ts';
import {
  ByteReader,
  ByteWriter,
  type FileForm,
  type Section,
  writeSections,
} from '../../binary/section-file.ts';
import type { ChunkPosition } from '../../chunk/chunk.ts';
import { IndexingError, RagError } from '../../errors.ts';

/**
 * The layout of a segment, section by section. A segment is a set of chunks with everything that search
 * needs of them; it never changes once it is written.
 *
 * The text of a chunk is kept as the sequence of its words. Each distinct word (a *form*: surface,
 * basic form, reading and part of speech) is once in the lexicon; the text is a list of form
 * numbers, the frequent ones in one byte or two. So the same few bytes give back the text, where its words
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
  /** For each chunk the numbers of its forms, as `writeForm` writes them. */
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
  version: 7,
  damaged(path, problem, cause) {
    return new IndexingError(
      `the index file ${path} cannot be read: ${problem}`,
      { cause, context: { path } },
      'index-corrupt',
    );
  },
};

/** Messages of V8 about sizes and places beyond the content of a file; those about memory are not among them. */
const OUT_OF_BOUNDS =
  /^(?:Invalid (?:typed )?array length|Offset is outside|[Ss]tart offset|byte length of )/;
/** The code of zlib for a lack of memory. */
const NO_MEMORY = 'Z_MEM_ERROR';

/**
 * Returns an error as `index-corrupt` if the content of a file of the index caused it: checksums say that no byte
 * changed, and not that this package wrote them. For errors of what decodes the file, and of nothing else.
 */
export function damageOf(error: unknown, path: string): unknown {
  if (!isNativeError(error) || RagError.isInstance(error)) return error;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  const isContent =
    error instanceof SyntaxError ||
    (error instanceof RangeError && (code !== '' || OUT_OF_BOUNDS.test(error.message))) ||
    (code.startsWith('Z_') && code !== NO_MEMORY);
  return isContent ? SEGMENT_FORM.damaged(path, error.message, error) : error;
}

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

const FILE = 'manifest.json';
const SUM = /^[0-9a-f]{8}\n/;

/** A segment that belongs to the index. */
export interface SegmentEntry {
  readonly file: string;
  /** Added to ids of chunks and used for records that say 0, see `DocumentRecord`. */
  readonly base: number;
  readonly commit: number;
  readonly chunks: number;
}

/** Which segments make up the index: the one file that is replaced, and atomically. */
export interface Manifest {
  readonly format: number;
  /** The analyzer that made the terms. */
  readonly analyzer: string;
  /** The number of the last commit. */
  readonly commit: number;
  /** The next id of a chunk. */
  readonly nextDoc: number;
  readonly segments: readonly SegmentEntry[];
  /**
   * Manifests of other analyzers, newest first, as long as not all of their documents have been analyzed
   * again.
   */
  readonly previous?: readonly PreviousManifest[];
}

/** An index of another analyzer. */
export type PreviousManifest = Omit<Manifest, 'previous'>;

/** Why documents may be missing: files are damaged, or another version of this package wrote them. */
export type MissingReason = 'damaged' | 'other-version';

/** The result of {@link readManifest}. */
type FoundManifest =
  | { readonly state: 'ok'; readonly manifest: Manifest; readonly version: string }
  | { readonly state: 'missing' }
  | {
      readonly state: 'unreadable';
      readonly problem: string;
      /** True if it does not even begin as a manifest does. */
      readonly isForeign: boolean;
      readonly missing: MissingReason;
    };

/** Returns a manifest without segments. */
export function emptyManifest(analyzer: string): Manifest {
  return { format: SEGMENT_FORM.version, analyzer, commit: 0, nextDoc: 0, segments: [] };
}

export function readManifest(folder: string): FoundManifest {
  const path = join(folder, FILE);
  const version = manifestVersion(folder);
  const text = readPlainFile(path)?.toString();
  if (text === undefined) return { state: 'missing' };
  const line = text.indexOf('\n');
  const body = text.slice(line + 1);
  if (text.slice(0, Math.max(line, 0)) !== checksum(body)) {
    const isForeign = !SUM.test(text);
    return { state: 'unreadable', problem: 'its sum is wrong', isForeign, missing: 'damaged' };
  }
  const manifest: Manifest = JSON.parse(body);
  if (manifest.format !== SEGMENT_FORM.version) {
    const problem = `its form is ${manifest.format}`;
    return { state: 'unreadable', problem, isForeign: false, missing: 'other-version' };
  }
  return { state: 'ok', manifest, version };
}

/** Changes whenever the manifest is replaced; costs a `stat`. Empty: there is none. */
export function manifestVersion(folder: string): string {
  const stat = statSync(join(folder, FILE), { bigint: true, throwIfNoEntry: false });
  return stat ? `${stat.ino}-${stat.mtimeNs}-${stat.size}` : '';
}

/** Replaces the manifest and brings it to the disk. The segments it names must be there already. */
export function writeManifest(folder: string, manifest: Manifest): void {
  const body = JSON.stringify(manifest);
  replaceFileSync(join(folder, FILE), `${checksum(body)}\n${body}`);
}

function checksum(body: string): string {
  return crc32(body).toString(16).padStart(8, '0');
}

/** Checks whether two manifests are of one commit. */
export function isSameManifest(a: Manifest, b: Manifest): boolean {
  return (
    a.commit === b.commit &&
    a.analyzer === b.analyzer &&
    a.segments.length === b.segments.length &&
    a.segments.every(({ file }, at) => file === b.segments[at]?.file)
  );
}

/** @throws IndexingError if the folder of an index cannot be created. */
export function makeFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true });
  } catch (cause) {
    const message = `no index can be made in ${path} (${messageOf(cause)}): name another folder`;
    throw new IndexingError(message, { cause, context: { folder: path } });
  }
}

/** The numbers that replace a chunk in the record of its document, see {@link recordRow}. */
export const RECORD_COLUMN_COUNT = 5;

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

/** A record as it is in a file: its chunks are numbers after all of them. */
type PlainRecord = readonly [
  novelId: string,
  filePath: string,
  commit: number,
  chunks: number,
  stamp?: string,
];

/**
 * Returns records of documents as bytes: how long their JSON is, the JSON, and what each number of a chunk adds to the
 * same one of the chunk before; all of it deflated.
 */
export function writeRecords(records: readonly DocumentRecord[]): Uint8Array {
  const plain = records.map(({ novelId, filePath, commit, chunks, stamp }): PlainRecord => {
    const count = chunks.length / RECORD_COLUMN_COUNT;
    return stamp === undefined
      ? [novelId, filePath, commit, count]
      : [novelId, filePath, commit, count, stamp];
  });
  const json = Buffer.from(JSON.stringify(plain));
  const bytes = new ByteWriter(json.length);
  bytes.varint(json.length);
  bytes.append(json);
  const before = new Float64Array(RECORD_COLUMN_COUNT);
  for (const { chunks } of records) {
    for (let at = 0; at < chunks.length; at++) {
      const column = at % RECORD_COLUMN_COUNT;
      const step = (chunks[at] ?? 0) - (before[column] ?? 0);
      bytes.varint(step < 0 ? -step * 2 - 1 : step * 2);
      before[column] = chunks[at] ?? 0;
    }
  }
  return deflateRawSync(bytes.view());
}

/** Inflated sections are far smaller: more is damage, or was written to use up memory. */
export const MOST_INFLATED: number = 512 * 1024 * 1024;

/** Returns the records that {@link writeRecords} wrote; their chunks are views of the same numbers. */
export function readRecords(deflated: Uint8Array): readonly DocumentRecord[] {
  const bytes = inflateRawSync(deflated, { maxOutputLength: MOST_INFLATED });
  const reader = new ByteReader(bytes);
  const length = reader.varint();
  const plain: readonly PlainRecord[] = JSON.parse(
    bytes.toString('utf8', reader.at, reader.at + length),
  );
  reader.at += length;
  const size = plain.reduce((sum, [, , , count]) => sum + count, 0) * RECORD_COLUMN_COUNT;
  // A number takes a byte at least.
  if (!(size <= bytes.length)) throw new SyntaxError('records have more numbers than bytes');
  const numbers = new Uint32Array(size);
  const before = new Float64Array(RECORD_COLUMN_COUNT);
  for (let at = 0; at < size; at++) {
    const step = reader.varint();
    const column = at % RECORD_COLUMN_COUNT;
    const number = (before[column] ?? 0) + (step % 2 === 0 ? step / 2 : -(step + 1) / 2);
    before[column] = number;
    numbers[at] = number;
  }
  let at = 0;
  return plain.map(([novelId, filePath, commit, count, stamp]) => {
    const chunks = numbers.subarray(at, at + count * RECORD_COLUMN_COUNT);
    at += chunks.length;
    return { novelId, filePath, commit, chunks, ...(stamp === undefined ? {} : { stamp }) };
  });
}

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
  /** Places in `SegmentStrings`. */
  title: 4,
  headings: 5,
  tags: 6,
  overlap: 7,
  ordinal: 8,
} as const;
export const DOC_COLUMN_COUNT = 9;

const ASCENDING: ReadonlySet<number> = new Set([DOC_COLUMNS.id, DOC_COLUMNS.textEnd]);

/** The numbers that replace the chunks of a segment, column by column. */
export class DocTable {
  /** How many chunks there are. */
  readonly size: number;
  /** The content words of each chunk. */
  readonly words: Uint32Array;
  /** The first id, if the others follow it one by one, as in a segment without deleted chunks; or -1. */
  readonly #firstId: number;
  readonly #columns: readonly Pick<PackedNumbers, 'at'>[];

  /** @param data - As {@link DocTable.write} made it. */
  constructor(data: Uint8Array) {
    let at = 0;
    const columns = Object.values(DOC_COLUMNS).map((column) => {
      const rest = data.subarray(at);
      const table = ASCENDING.has(column) ? new AscendingNumbers(rest) : new PackedNumbers(rest);
      at += table.byteLength;
      return table;
    });
    this.#columns = columns;
    this.size = columns[0]?.length ?? 0;
    const firstId = this.get(0, 'id');
    this.#firstId = this.get(this.size - 1, 'id') - firstId === this.size - 1 ? firstId : -1;
    this.words = new Uint32Array(this.size);
    const words = columns[DOC_COLUMNS.words];
    for (let doc = 0; doc < this.size; doc++) this.words[doc] = words?.at(doc) ?? 0;
  }

  idAt(doc: number): number {
    return this.#firstId < 0 ? this.get(doc, 'id') : this.#firstId + doc;
  }

  get(doc: number, column: keyof typeof DOC_COLUMNS): number {
    return this.#columns[DOC_COLUMNS[column]]?.at(doc) ?? 0;
  }

  /** @param numbers - `DOC_COLUMN_COUNT` for each chunk. */
  static write(numbers: ArrayLike<number>): Uint8Array<ArrayBuffer> {
    const size = numbers.length / DOC_COLUMN_COUNT;
    return joinTables(
      Object.values(DOC_COLUMNS).map((column) => {
        const values = Uint32Array.from(
          { length: size },
          (_, doc) => numbers[doc * DOC_COLUMN_COUNT + column] ?? 0,
        );
        return ASCENDING.has(column) ? AscendingNumbers.write(values) : PackedNumbers.write(values);
      }),
    );
  }
}

/**
 * Numbers of forms in texts: the lowest 146 in one byte, the next 26,624 in two, the next 327,680 in three, and all
 * others in five. The first byte says how many follow; with seven bits in each byte, texts take 2.4 % more.
 */
export const TWO_BYTES = 146;
export const THREE_BYTES = 250;
/** The first byte of a number that follows in four. */
export const FIVE_BYTES = 255;
/** The first number of three bytes. */
const FIRST_OF_THREE = TWO_BYTES + (THREE_BYTES - TWO_BYTES) * 256;
const FIRST_OF_FIVE = FIRST_OF_THREE + (FIVE_BYTES - THREE_BYTES) * 65_536;

/** Writes the number of a form. */
export function writeForm(writer: ByteWriter, form: number): void {
  if (form < TWO_BYTES) writer.byte(form);
  else if (form < FIRST_OF_THREE) {
    const rest = form - TWO_BYTES;
    writer.byte(TWO_BYTES + (rest >>> 8));
    writer.byte(rest & 255);
  } else if (form < FIRST_OF_FIVE) {
    const rest = form - FIRST_OF_THREE;
    writer.byte(THREE_BYTES + (rest >>> 16));
    writer.byte((rest >>> 8) & 255);
    writer.byte(rest & 255);
  } else {
    writer.byte(FIVE_BYTES);
    for (const shift of [24, 16, 8, 0]) writer.byte((form >>> shift) & 255);
  }
}

/** Returns the number of bytes that the number of a form takes. */
export function formLength(form: number): number {
  if (form < TWO_BYTES) return 1;
  if (form < FIRST_OF_THREE) return 2;
  return form < FIRST_OF_FIVE ? 3 : 5;
}

/** Returns the number of a form of three bytes or five; `at` is the place of the second. */
export function longForm(bytes: Uint8Array, at: number): number {
  const first = bytes[at - 1] ?? 0;
  const next = ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0);
  if (first < FIVE_BYTES) return FIRST_OF_THREE + ((first - THREE_BYTES) << 16) + next;
  return next * 65_536 + (((bytes[at + 2] ?? 0) << 8) | (bytes[at + 3] ?? 0));
}

/**
 * Writes down the numbers of forms in the first bytes.
 *
 * @param target - As long as the bytes are many.
 * @returns How many there are.
 */
export function readForms(bytes: Uint8Array, length: number, target: Uint32Array): number {
  let count = 0;
  for (let at = 0; at < length;) {
    const first = bytes[at++] ?? 0;
    if (first < TWO_BYTES) target[count++] = first;
    else if (first < THREE_BYTES) {
      target[count++] = TWO_BYTES + (((first - TWO_BYTES) << 8) | (bytes[at++] ?? 0));
    } else {
      target[count++] = longForm(bytes, at);
      at += first < FIVE_BYTES ? 2 : 4;
    }
  }
  return count;
}
