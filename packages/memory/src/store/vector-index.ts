import type { TextMatchOptions } from '@vizprompt/providers/text';

/** What of the memory a question is about, as the text index is told. */
export type VectorScope = Pick<TextMatchOptions, 'tags' | 'where'>;

/** What the store needs of the vectors of its events. */
export interface VectorIndex {
  /** The keys of the events that mean nearly the same, the nearest first; none if that cannot be told now. */
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

/** What `embedEvents` did. */
export interface EmbeddingReport {
  /** Events that have a vector now and had none before. */
  readonly embedded: number;
  /** Events whose text the model refuses; they are tried again when the memory is opened anew. */
  readonly refused: number;
  /** Vectors that were taken away, because their events are forgotten or deleted. */
  readonly removed: number;
}
