import type { JsonValue } from '../json/json-value.ts';
import type { ModelCapabilities } from './model-capabilities.ts';

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
