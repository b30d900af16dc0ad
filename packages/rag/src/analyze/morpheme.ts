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
