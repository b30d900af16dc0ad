/** A word as the dictionary knows it, before anything is done to find it by. */
export interface Morpheme {
  /** Offsets in the text that was cut. */
  readonly start: number;
  readonly end: number;
  readonly surface: string;
  /** The basic form; the surface if the dictionary has none. */
  readonly basic: string;
  /** In katakana; empty if it is not known. */
  readonly reading: string;
  /** Part of speech as in IPADIC, three details, type and form of conjugation; `*` for none. */
  readonly features: readonly string[];
}

/** Cuts Japanese into morphemes, and knows words. */
export interface Morphology {
  /** Changes whenever a text would be cut otherwise. */
  readonly id: string;
  /** All of the text, without gaps. It is in normal form, see `toDictionaryText`. */
  cut(text: string): readonly Morpheme[];
  /** The readings of a word in katakana. */
  readings(word: string): readonly string[];
  /** The spelling that stands for all of a basic form's, which may be itself. */
  standardSpelling(basic: string): string;
}
