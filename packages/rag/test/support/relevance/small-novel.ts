/** A short text of an invented novel, as a document of one chunk. */
interface SmallChunk {
  readonly id: string;
  readonly title: string;
  readonly tags: readonly string[];
  readonly content: string;
}

/** An invented novel, written for these tests. */
export interface SmallNovel {
  readonly title: string;
  /** Synonyms, a group each: names and nicknames. */
  readonly synonyms: readonly (readonly string[])[];
  readonly chunks: readonly SmallChunk[];
}
