import type { SnippetHit } from '@vizprompt/providers/internal';
import type { Chunk } from '../chunk/chunk.ts';
import type { DocumentRef } from '../contract/search-backend.ts';
import type { GroupSet } from '../rank/query-groups.ts';
import type { RankedChunk } from '../rank/rerank.ts';
import type { NumberTable } from '../binary/packed-tables.ts';
import type { ScoreAccumulator } from './score-accumulator.ts';

/** A value that may need the disk or not. */
export type Awaitable<T> = T | Promise<T>;

/** A term that living chunks have. */
export interface TermEntry {
  /** How many have it. */
  readonly count: number;
  /** Its place in each part of the index, or -1. */
  readonly places: readonly number[];
}

/** The terms of an index. Those of titles are next to the others, with `TITLE_PREFIX`. */
export interface Vocabulary {
  /** True if any term may be one of a title. */
  readonly hasTitles: boolean;
  /** Returns the index's entry of each of these terms; nothing if no living chunk has it. */
  entries(terms: readonly string[]): Awaitable<readonly (TermEntry | undefined)[]>;
  /** Terms of texts that begin so. */
  startingWith(text: string): Awaitable<Iterable<string>>;
  /** Terms of texts that end so. */
  endingWith(text: string): Awaitable<Iterable<string>>;
  /** Terms of texts and titles of which this is a part, without the prefix. */
  withPart(text: string, at: 'front' | 'back' | 'anywhere'): Awaitable<Iterable<string>>;
  /**
   * Terms of texts of which this is a part and that are accepted: the most frequent ones, those of as many chunks in
   * their order. Absent, or nothing: they are found by `withPart` and `entries`.
   */
  mostFrequentWith?(
    text: string,
    most: number,
    accepts: (term: string) => boolean,
  ): readonly string[] | undefined;
  /** Terms of texts and titles that are read so, without the prefix; the reading is in katakana. */
  readAs(reading: string): Awaitable<Iterable<string>>;
}

/** The state of a condition on a chunk: it does not hold, it holds, or the text has to be read. */
export const VERDICTS = { absent: 0, there: 1, unsure: 2 } as const;

/** A part of an index: chunks with numbers from 0, and which terms they have. */
export interface IndexPart {
  /** Its place in the index. */
  readonly number: number;
  /** All numbers are lower. */
  readonly capacity: number;
  /** Returns the number of the document of a chunk, or less than 0 if there is no such chunk. */
  documentOf(doc: number): number;
  /** Returns the place of a chunk in its document. */
  indexOf(doc: number): number;
  /** How many content words each chunk has. */
  readonly words: Uint32Array;
  /** True if all numbers below `capacity` are chunks that live. */
  readonly isComplete: boolean;
  /** Returns the same list for equal tags. */
  tagsOf(doc: number): readonly string[];
  /**
   * Writes down which chunks have the term of this place, and how often (255 at most).
   *
   * @returns How many they are.
   */
  decode(place: number, docs: Uint32Array, frequencies: Uint8Array): number;
  /** A sheet for the scores of one query; give it back when they are read. */
  takeAccumulator(): ScoreAccumulator;
  giveAccumulator(sheet: ScoreAccumulator): void;
  /** Calls `visit` with what ranking needs of each chunk; it is written over by the next. */
  rank(
    docs: readonly number[],
    groups: GroupsByTerm,
    visit: (at: number, chunk: RankedChunk) => void,
  ): Awaitable<void>;
  /**
   * Chunks in which one of these forms of a phrase may be, in their texts or titles; they come in order. Absent, or
   * nothing: any may.
   */
  mayHold?(phrase: readonly string[]): Awaitable<Uint32Array | readonly number[] | undefined>;
  /**
   * Returns a function that gives the verdicts of chunks: whether all of these phrases are in each, as far as it is
   * known without reading their texts as a whole. Absent, or nothing: nothing is known.
   */
  judge?(phrases: readonly (readonly string[])[]): ((docs: Uint32Array) => Uint8Array) | undefined;
  /**
   * Chunks whose texts may contain one string of each of these lists as they are written; they come in order. Absent, or
   * nothing: any may.
   */
  mayContain?(literals: readonly (readonly string[])[]): Awaitable<readonly number[] | undefined>;
  /** Texts and headings, to test conditions on. */
  texts(docs: readonly number[]): Awaitable<readonly ChunkText[]>;
  /** Texts with the words that a query asks for. */
  contents(docs: readonly number[], groups: GroupsByTerm): Awaitable<readonly ChunkContent[]>;
  /** @param contents - The result of `contents` for these, if they have been read. */
  chunks(docs: readonly number[], contents?: readonly ChunkContent[]): Awaitable<readonly Chunk[]>;
}

/** For the place of each term the group of the query it belongs to. */
export type GroupsByTerm = Pick<NumberTable, 'get' | 'eachKey'>;

/** The text of a chunk, and the places of the query's words. */
export interface ChunkContent {
  readonly text: string;
  readonly found: readonly SnippetHit[];
}

/** The text that conditions are tested on. */
export interface ChunkText {
  readonly text: string;
  readonly headings: readonly string[];
}

/** A chunk of an index. */
export interface ChunkPlace {
  readonly part: IndexPart;
  readonly doc: number;
}

/** How many chunks of a document before and after one of them. */
export interface Neighbours {
  readonly before: number;
  readonly after: number;
}

/** An index as one search sees it: it does not change meanwhile, but for what `prepare` does. */
export interface ChunkIndex {
  /**
   * Reads, in as few requests as the index can, what resolving these words is going to ask of it, and brings the index up
   * to date with it. Called once, before anything else is read. Absent: everything is read when it is asked for.
   *
   * @param sets - The words of the query, by their groups.
   * @param text - The words of the query as text, for pairs of characters.
   */
  prepare?(sets: readonly GroupSet[], text: string): Awaitable<void>;
  /** How many chunks live. */
  readonly size: number;
  /** Content words of all living chunks. */
  readonly words: number;
  /** UTF-16 code units of all living chunks. */
  readonly characters: number;
  readonly vocabulary: Vocabulary;
  document(number: number): DocumentRef | undefined;
  /** @param places - The places of the terms whose postings are read, for each part. */
  parts(places: readonly (readonly number[])[]): Awaitable<readonly IndexPart[]>;
  /** How many chunks have each of some pairs of characters, at least about. */
  bigramCounts(pairs: readonly number[]): Awaitable<(pair: number) => number>;
  /** Returns a chunk with up to this many before and after it in its document, in the order of the document. */
  chunksAround(place: ChunkPlace, neighbours: Neighbours): Awaitable<readonly Chunk[]>;
}
