import type { JsonValue } from '../json/json-value.ts';

/** Describes a model that a server has. */
export interface ModelInfo {
  /** The name by which it is asked. */
  readonly id: string;
  /** The name for people, where the server has one. */
  readonly name?: string;
  /** Its capabilities, as far as the server or its name shows them. */
  readonly capabilities: ModelCapabilities;
  /** The server's own record. */
  readonly raw: JsonValue;
}

/** Options of `listModels`. */
export interface ListModelsOptions {
  /** Stops the call. */
  readonly signal?: AbortSignal | undefined;
}

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
