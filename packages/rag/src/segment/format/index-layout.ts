import { randomUUID } from 'node:crypto';
import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { messageOf } from '@vizprompt/providers';
import { readPlainFile, replaceFileSync } from '@vizprompt/providers/internal';
import { Numbering } from '../../binary/packed-tables.ts';
import { type FileForm, type Section, writeSections } from '../../binary/section-file.ts';
import { isNativeError } from 'node:util/types';
import { IndexingError, RagError } from '../../errors.ts';

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

/** Messages of V8 about sizes and places beyond the content of a file. */
const OUT_OF_BOUNDS =
  /^(?:Invalid (?:typed )?array length|Offset is outside|Array buffer allocation|Start offset|Invalid string length)/;

/**
 * Returns an error as `index-corrupt` if the content of a file of the index caused it: checksums say that no byte
 * changed, and not that this package wrote them.
 */
export function damageOf(error: unknown, path: string): unknown {
  if (!isNativeError(error) || RagError.isInstance(error)) return error;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  const isContent =
    error instanceof SyntaxError ||
    (error instanceof RangeError && (code !== '' || OUT_OF_BOUNDS.test(error.message))) ||
    code.startsWith('Z_');
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

/** The result of {@link readManifest}. */
type FoundManifest =
  | { readonly state: 'ok'; readonly manifest: Manifest; readonly version: string }
  | { readonly state: 'missing' }
  | {
      readonly state: 'unreadable';
      readonly problem: string;
      /** True if it does not even begin as a manifest does. */
      readonly isForeign: boolean;
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
    return { state: 'unreadable', problem: 'its sum is wrong', isForeign: !SUM.test(text) };
  }
  const manifest: Manifest = JSON.parse(body);
  if (manifest.format !== SEGMENT_FORM.version) {
    return { state: 'unreadable', problem: `its form is ${manifest.format}`, isForeign: false };
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
