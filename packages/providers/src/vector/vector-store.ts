import type { JsonObject } from '../json/json-value.ts';

/** Weights of terms by their numbers, for stores that search by words too. */
export interface SparseVector {
  /** Each number once. */
  readonly indices: readonly number[];
  /** The weight of each, in the same order. */
  readonly values: readonly number[];
}

/** A vector with its id and what it can be filtered by. */
export interface VectorRecord {
  /** Any text. */
  readonly id: string;
  /** Its length may be any but 0: stores compare directions. */
  readonly vector: Float32Array;
  /** Comes back as it is. Its values can be filtered by where they are texts, numbers, booleans or lists of them. */
  readonly payload?: JsonObject;
  /** The same text by its words. Kept by stores that have `queryFused`, passed over by the others. */
  readonly sparse?: SparseVector;
}

/** A record that is near the vector that was asked for. */
export interface VectorMatch {
  readonly id: string;
  /** Cosine similarity, -1 to 1; of `queryFused` the fused score. */
  readonly score: number;
  readonly payload?: JsonObject;
}

/** A value that can be filtered by. */
export type VectorFilterValue = string | number | boolean;

/**
 * The condition on a value of the payload: this one, any of these, or all of these. A list in the payload
 * has each of its values. `anyOf` of nothing lets nothing through, `allOf` of nothing everything.
 */
export type VectorCondition =
  | VectorFilterValue
  | { readonly anyOf: readonly VectorFilterValue[] }
  | { readonly allOf: readonly VectorFilterValue[] };

/** Payload keys and what the value of each must be; all must fit. */
export type VectorFilter = Readonly<Record<string, VectorCondition>>;

/** Options of calls that may take long. */
export interface VectorCallOptions {
  /** Ends the call. */
  readonly signal?: AbortSignal | undefined;
}

/** Options of {@link VectorStore.query}. */
export interface VectorQueryOptions extends VectorCallOptions {
  /** How many records at most. Default: 10. */
  readonly limit?: number | undefined;
  /** @deprecated The former name of `limit`. */
  readonly k?: number | undefined;
  /** The condition on the payload of a hit. */
  readonly filter?: VectorFilter | undefined;
}

/**
 * Stores vectors and finds the nearest ones. Nothing is connected or made before the first call; a
 * call that fails because the store is away can be made again.
 *
 * All errors are `VectorError`; one that was aborted rejects with the signal's reason.
 */
export interface VectorStore {
  readonly specVersion: 1;
  /** The length that every vector of this store has. */
  readonly dimensions: number;

  /**
   * Adds records; one with the id of another replaces it. Records of a resolved call are found by the next
   * query. If it rejects, some of the records may have been written; writing them again is safe.
   *
   * @throws VectorError with the code `invalid-input`, before anything is written, for a vector of
   * another length, of zeros, or with numbers that are not finite.
   */
  upsert(records: readonly VectorRecord[], options?: VectorCallOptions): Promise<void>;

  /** Takes records away; ids that are not there are passed over. */
  delete(ids: readonly string[], options?: VectorCallOptions): Promise<void>;

  /** @returns At most `k` records, the nearest first. */
  query(vector: Float32Array, options?: VectorQueryOptions): Promise<readonly VectorMatch[]>;

  /** How many records there are, of all or of those that fit the filter. */
  count(filter?: VectorFilter, options?: VectorCallOptions): Promise<number>;

  /**
   * Rewrites what holds the records, so that no byte remains of those that were deleted. Absent: that is up to the
   * server, as with Qdrant, whose optimizer does it later.
   */
  purge?(): Promise<void>;

  /** Gives back what the store itself has opened; what it was given stays open. */
  close(): Promise<void>;
}

/** A question by meaning and by words at once. */
export interface FusedQuery extends VectorQueryOptions {
  readonly vector: Float32Array;
  readonly sparse: SparseVector;
  /** How many of the best of each side are fused. Default: 100. */
  readonly depth?: number | undefined;
  /** Damps the lead of the first ranks, counted from 1 as in the paper. Default: 60. */
  readonly rankConstant?: number | undefined;
  /** How much the vector and the words count. Default: 1 each. */
  readonly weights?: { readonly vector: number; readonly sparse: number } | undefined;
}

/** A store that can fuse both itself, by reciprocal ranks, where its data is. */
export interface HybridVectorStore extends VectorStore {
  queryFused(query: FusedQuery): Promise<readonly VectorMatch[]>;
}
