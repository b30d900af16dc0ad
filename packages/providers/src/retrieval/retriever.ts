import type { JsonObject, JsonValue } from '../json/json-value.ts';

/** Where a passage comes from, precise enough to cite it. */
interface PassageSource {
  /** Such as `document`, `event` or `node`. */
  readonly kind: string;
  /** A path, an id or an address that the retriever's package can open. */
  readonly uri: string;
  /** First line (documents) or UTF-16 offset, as the `kind` says; from 1 for lines. */
  readonly start?: number;
  /** The last line or the offset after the last character. */
  readonly end?: number;
}

/** A piece of text that may help to answer. */
export interface Passage {
  /** Unique within the retriever that gave it. */
  readonly id: string;
  readonly text: string;
  /** Higher is better; comparable within one answer only. */
  readonly score: number;
  readonly source: PassageSource;
  readonly title?: string;
  /** When it was said or written, ISO 8601. */
  readonly time?: string;
  readonly meta?: JsonObject;
}

/** Options of {@link Retriever.retrieve}. */
export interface RetrieveOptions {
  /** How many passages at most. Default: 10. */
  readonly limit?: number | undefined;
  /** @deprecated The former name of `limit`. */
  readonly k?: number | undefined;
  /** The filters of each retriever are in its documentation; an unknown key is an error. */
  readonly filter?: Readonly<Record<string, JsonValue>> | undefined;
  /**
   * The conversation or run that asks: a retriever that also finds what was said leaves out what was said in it.
   */
  readonly conversation?: string | undefined;
  /** Ends the search. */
  readonly signal?: AbortSignal | undefined;
}

/** Finds the passages that fit a question. */
export interface Retriever {
  readonly specVersion: 1;

  /**
   * @param query - In natural language or keywords.
   * @returns At most `limit` passages, best first.
   */
  retrieve(query: string, options?: RetrieveOptions): Promise<readonly Passage[]>;
}
