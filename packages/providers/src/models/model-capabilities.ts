/** The capabilities of a model. Absent ones are unknown. */
export interface ModelCapabilities {
  readonly tools?: boolean;
  /** Answers that follow a JSON Schema. */
  readonly jsonSchema?: boolean;
  readonly reasoning?: boolean;
  /** Media types of {@link FilePart}s that it reads; `image/*` means all images. */
  readonly inputMediaTypes?: readonly string[];
  /** Tokens that prompt and answer may have together. */
  readonly contextWindow?: number;
  /** Tokens that an answer may have. */
  readonly maxOutputTokens?: number;
}
