import type { Database, FileStore, Logger, RedactOptions, TypedEvents } from '@vizprompt/providers';
import type { TextAnalyzer, TextIndex, TextMatchOptions } from '@vizprompt/providers/text';
import type { MemoryEvents } from '../events.ts';
import type { IndexSettler } from './index-settler.ts';

/** The parts that all modules of the store share. */
export interface MemoryContext {
  readonly database: Database;
  readonly index: TextIndex;
  readonly settler: IndexSettler;
  /** The analyser of the index. */
  readonly analyzer: TextAnalyzer;
  readonly tenant: string;
  /** The SQLite file, where there is one of its own. */
  readonly file?: string;
  /** The folder with the files of hooks, whose calls wait in it. */
  readonly hooks: string;
  /** Further folders in which calls wait for this memory. */
  readonly spools: readonly string[];
  /** Locks between all processes that share the memory. */
  readonly lock: FileStore['lock'];
  readonly redact: RedactOptions | false;
  readonly maxContentBytes: number;
  readonly maxMetadataBytes: number;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  readonly logger: Logger;
  readonly events: TypedEvents<MemoryEvents>;
  /** Where events are found by meaning, too. */
  readonly vectors?: VectorIndex;
  /** Facts about sessions that change by `updateSession` only. */
  readonly sessions: Map<string, SessionKey>;
}

/** Where a session lies. */
export interface SessionKey {
  readonly key: number;
  readonly workspace: string;
  /** The workspace that it was started in, by which the index knows its events; it never changes. */
  readonly home: string;
}

/** The part of the memory that a question is about, as the text index takes it. */
export type VectorScope = Pick<TextMatchOptions, 'tags' | 'where'>;

/** The operations on the vectors of a store's events. */
export interface VectorIndex {
  /** Returns the keys of the events that mean nearly the same, the nearest first; none if that cannot be known now. */
  matches(
    query: string,
    scope: VectorScope,
    k: number,
    signal?: AbortSignal,
  ): Promise<readonly number[]>;
  /** Takes the vectors of events away that were forgotten or deleted; where that fails, it is done later. */
  remove(places: readonly { readonly key: number; readonly id: string }[]): Promise<void>;
  /** Leaves no byte of vectors that were taken away. */
  purge(): Promise<void>;
  /** Makes all vectors that are missing now. */
  embedAll(signal?: AbortSignal): Promise<EmbeddingReport>;
  /** Stops; what is not done is done when the memory is opened again. */
  close(): Promise<void>;
}

/** The result of `embedEvents`. */
export interface EmbeddingReport {
  /** Events that have a vector now and had none before. */
  readonly embedded: number;
  /** Events whose text the model refuses; they are tried again when the memory is opened again. */
  readonly refused: number;
  /** Vectors that were taken away, because their events are forgotten or deleted. */
  readonly removed: number;
}
