import type { JsonObject, JsonValue } from '../json.ts';

/** A vector with its id and what it can be filtered by. */
export interface VectorRecord {
  readonly id: string;
  readonly vector: Float32Array;
  readonly payload?: JsonObject;
}

/** A record that is near the vector that was asked for. */
export interface VectorMatch {
  readonly id: string;
  /** Cosine similarity, -1 to 1. */
  readonly score: number;
  readonly payload?: JsonObject;
}

/** Payload keys and the value that each must have. */
export type VectorFilter = Readonly<Record<string, JsonValue>>;

/** Stores vectors and finds the nearest ones. */
export interface VectorStore {
  readonly specVersion: 1;
  /** The length that every vector of this store has. */
  readonly dimensions: number;

  /** Adds records; one with the id of another replaces it. */
  upsert(records: readonly VectorRecord[]): Promise<void>;

  /** Takes records away; ids that are not there are passed over. */
  delete(ids: readonly string[]): Promise<void>;

  /** @returns At most `k` records (default: 10), the nearest first. */
  query(
    vector: Float32Array,
    options?: {
      readonly k?: number;
      readonly filter?: VectorFilter;
      readonly signal?: AbortSignal;
    },
  ): Promise<readonly VectorMatch[]>;

  /** How many records there are, of all or of those that fit the filter. */
  count(filter?: VectorFilter): Promise<number>;
}
