import type { ChatModel } from '@vizprompt/providers';
import {
  type Kinds,
  AT_A_TIME,
  FUNCTION,
  optional,
  SIGNAL,
} from '@vizprompt/providers/config/internal';
import type { Progress } from '../events.ts';
import { MODEL_OR_NONE } from '../input-kinds.ts';

/** Options of `build`. */
export interface BuildOptions {
  /**
   * Makes the summaries; `null`: none, they are taken from the text. Default: the model of the
   * project, if it has one.
   */
  readonly model?: ChatModel | null | undefined;
  /** How many calls of the model run side by side. Default: 4. */
  readonly concurrency?: number | undefined;
  /** Receives the progress of this build; `build:progress` reports that of all. */
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /** Stops the build; summaries that were made stay. */
  readonly signal?: AbortSignal | undefined;
}

/** The model of a build. */
export const BUILD_MODEL: Kinds<Pick<BuildOptions, 'model'>> = { model: optional(MODEL_OR_NONE) };
export const BUILD_OPTIONS: Kinds<BuildOptions> = {
  ...BUILD_MODEL,
  concurrency: optional(AT_A_TIME),
  onProgress: optional(FUNCTION),
  signal: optional(SIGNAL),
};
