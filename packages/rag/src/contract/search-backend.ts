import {
  COUNT,
  FLAG,
  type Kinds,
  objectOf,
  optional,
  POSITIVE,
  SIGNAL,
  TEXTS,
} from '@vizprompt/providers/config/internal';
import type { Chunk } from '../chunk/chunk.ts';
import type { SourceDocument } from '../chunk/chunking-strategy.ts';

/** Which document of which project. */
export interface DocumentRef {
  readonly novelId: string;
  /** Relative to the project, with `/`. */
  readonly filePath: string;
}

/** Options of everything that may take long. */
export interface LongOptions {
  /** Ends it. */
  readonly signal?: AbortSignal | undefined;
}

/** The result of an update. */
export interface UpdateReport {
  /** Chunks that are new or differ; only these were analyzed. */
  readonly added: number;
  /** Chunks that are gone. */
  readonly removed: number;
  /** Chunks that stayed, perhaps on other lines. */
  readonly kept: number;
}

/** The result of `index`. */
export interface IndexReport {
  /** Documents that were new or differed. */
  readonly indexed: number;
  /** Documents that the index had as they are. */
  readonly unchanged: number;
}

/** Which chunks are looked at. Absent parts let everything through. */
export interface SearchFilter {
  /** Any of these projects. */
  readonly projects?: readonly string[] | undefined;
  /** Whole paths, folders (`contents/`) or globs (`contents/**`, `*.md` at any depth), any of them. */
  readonly files?: readonly string[] | undefined;
  /** All of these tags. */
  readonly tags?: readonly string[] | undefined;
}

export const SEARCH_FILTER: Kinds<SearchFilter> = {
  projects: optional(TEXTS),
  files: optional(TEXTS, { en: 'Only these files, folders (ending in /) or globs' }),
  tags: optional(TEXTS),
};

/** Options of {@link SearchBackend.search}. */
export interface SearchOptions extends LongOptions {
  /** How many hits at most. Default: 10. */
  readonly limit?: number | undefined;
  /** @deprecated The former name of `limit`. */
  readonly k?: number | undefined;
  /** How many of the best hits are passed over. Default: 0. */
  readonly offset?: number | undefined;
  /** Only chunks of these projects, files and tags. */
  readonly filter?: SearchFilter | undefined;
  /** True if hits explain their score. Default: `false`. */
  readonly explain?: boolean | undefined;
  /** How many neighbouring chunks of the same document go into `context`. Default: none. */
  readonly expand?:
    | { readonly before?: number | undefined; readonly after?: number | undefined }
    | undefined;
}

type Neighbours = Exclude<SearchOptions['expand'], undefined>;

export const SEARCH_OPTIONS: Kinds<SearchOptions> = {
  limit: optional(POSITIVE, { en: 'How many entries at most' }),
  k: optional(POSITIVE, { isCodeOnly: true }),
  offset: optional(COUNT, {
    en: 'How many entries to pass over: the nextOffset of the page before',
    default: 0,
  }),
  filter: optional(objectOf<SearchFilter>(SEARCH_FILTER)),
  explain: optional(FLAG),
  expand: optional(objectOf<Neighbours>({ before: optional(COUNT), after: optional(COUNT) })),
  signal: optional(SIGNAL),
};

/** A part of the score of a hit. */
export interface ScorePart {
  /** The name of the match: a term, or a measure such as `proximity`. */
  readonly name: string;
  /** Its part of the score, on the scale of the score. */
  readonly value: number;
}

/** A piece of a chunk around what was found. */
export interface HitSnippet {
  /** Verbatim, at most 240 UTF-16 code units. */
  readonly text: string;
  /** The ranges to highlight: offsets into `text`, in order and apart from each other. */
  readonly highlights: readonly (readonly [start: number, end: number])[];
}

/** A chunk that fits a query. */
export interface SearchHit {
  /** The id of the chunk. */
  readonly id: string;
  /** From 0 to 1; comparable between the pages of one query, not between queries. */
  readonly score: number;
  /** {@link HitSnippet.text} of `match`. */
  readonly snippet: string;
  /** The snippet with its highlights. */
  readonly match: HitSnippet;
  readonly payload: {
    /** The path of the document. */
    readonly file: string;
    /** First line, from 1. */
    readonly start: number;
    /** Last line. */
    readonly end: number;
    /**
     * Where the passage begins in its first line, from 1, in UTF-16 code units of the text as files are read
     * (`get_novel_content` takes it). Absent where the index was made by a version without columns.
     */
    readonly startColumn?: number;
    /** Where it ends in its last line: the column of its last code unit. */
    readonly endColumn?: number;
    readonly tags?: readonly string[];
  };
  /** The project. */
  readonly novelId: string;
  readonly title: string;
  readonly headingPath: readonly string[];
  /** The whole text of the chunk, without its overlap. */
  readonly content: string;
  /** With `expand`: the chunk and its neighbours as one text, and its lines. */
  readonly context?: { readonly text: string; readonly start: number; readonly end: number };
  /** With `explain`. */
  readonly explanation?: readonly ScorePart[];
}

/** The result of a search. */
export interface SearchResults {
  /** Best first. */
  readonly hits: readonly SearchHit[];
  /** How many chunks match in all, those on other pages among them. */
  readonly total: number;
  /** Advice for a person or a model, if nothing was found, or parts of the index were damaged. */
  readonly hint?: string;
  /** True if a part of the search was away, so that there may be better hits. Absent: no. */
  readonly degraded?: boolean;
  /**
   * True if the index may not have all of the project, as a `ProjectIndexer` has not compared them since it was opened,
   * or could not, such as on a full disk. Absent: no.
   */
  readonly incomplete?: boolean;
}

/** The content of an index in numbers. */
export interface BackendStats {
  readonly chunks: number;
  readonly documents: number;
  /** Distinct terms. */
  readonly terms: number;
  /** Bytes on disk; 0 if the index is in memory. */
  readonly bytes: number;
  /** The analyzer that cut the text. */
  readonly analyzer: string;
}

/**
 * An index over chunks. An acknowledged change is found by the next call and survives a
 * crash (where the backend has a disk); an update is seen as a whole or not at all.
 */
export interface SearchBackend {
  readonly specVersion: 1;

  /**
   * Adds chunks. Those of a document that is known already come to it; equal ids replace. Up to 2,000
   * of them are one update.
   */
  add(chunks: Iterable<Chunk> | AsyncIterable<Chunk>, options?: LongOptions): Promise<void>;

  /**
   * Takes a document out. Its bytes go with the next merges; {@link SearchBackend.compact} removes them at once.
   *
   * @returns How many chunks went.
   */
  removeByFile(document: DocumentRef): Promise<number>;

  /** Cuts a document again and analyzes the chunks that changed. */
  updateFile(document: SourceDocument, options?: LongOptions): Promise<UpdateReport>;

  /** Like `updateFile`, with chunks that were cut already. They must be of this document. */
  updateChunks(
    document: DocumentRef,
    chunks: readonly Chunk[],
    options?: LongOptions,
  ): Promise<UpdateReport>;

  /**
   * @throws SearchError with the code `query-invalid` and the place, for a query that cannot be
   * understood.
   */
  search(query: string, options?: SearchOptions): Promise<SearchResults>;

  /**
   * Returns the hits of all pages, best first, as long as they are asked for.
   *
   * @param options - `k` is the size of the first page here; with more hits taken, the next are larger.
   */
  searchAll(query: string, options?: SearchOptions): AsyncIterable<SearchHit>;

  stats(): Promise<BackendStats>;

  /**
   * Frees what deleted and replaced chunks still take, and leaves no byte of them on the disk. Takes time in proportion
   * to the index.
   */
  compact(options?: LongOptions): Promise<void>;

  close(): Promise<void>;

  [Symbol.asyncDispose](): Promise<void>;
}

/** A chunk that a search ranked, before a hit is made of it. */
export interface RankedId {
  readonly id: string;
  /** From 0 to 1. */
  readonly score: number;
}

/**
 * Given a page of ranked chunks, best first, says of which hits are to be made. Cutting snippets takes as
 * long as ranking, and who ranks again needs few of them.
 */
export type ChooseHits = (
  ranked: readonly RankedId[],
  facts?: KeywordFacts,
) => Promise<ReadonlySet<string>>;

/** How well words answer a query. */
export interface KeywordFacts {
  /** The share of what the words of the query say that the best text has, by how rare they are. Absent: not known. */
  readonly coverage?: number;
  /** How many chunks could have been found, at least. Absent: not known. */
  readonly among?: number;
}
