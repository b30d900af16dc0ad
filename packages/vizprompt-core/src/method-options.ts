import type { ChatModel } from '@vizprompt/providers';
import {
  AT_A_TIME,
  FLAG,
  FUNCTION,
  type Kinds,
  optional,
  SIGNAL,
} from '@vizprompt/providers/config/internal';
import type { Progress } from './events.ts';
import { MODEL_OR_NONE } from './input-kinds.ts';

/** Options of `VizPrompt.init`. */
export interface InitOptions {
  /**
   * Sets the project up for several people who share it by git: each clone numbers new files in a
   * folder of its own, and git merges flows by what they mean. The configuration of a
   * clone is not cloned, so everyone calls it once; again does no harm. Default: `false`,
   * which leaves the setting of a project as it is.
   */
  readonly git?: boolean | undefined;
}

export const INIT_OPTIONS: Kinds<InitOptions> = { git: optional(FLAG) };

/** Options of `vacuum`. */
export interface VacuumOptions {
  /**
   * True if the history stays, and with it deleted nodes and earlier names, so that edits can still be undone.
   * Default: `false`.
   */
  readonly keepHistory?: boolean | undefined;
  /** True if files stay that a repair set aside. Default: `false`. */
  readonly keepLostAndFound?: boolean | undefined;
  /** True if only the report is made, and nothing changes. Default: `false`. */
  readonly dryRun?: boolean | undefined;
}

export const VACUUM_OPTIONS: Kinds<VacuumOptions> = {
  keepHistory: optional(FLAG),
  keepLostAndFound: optional(FLAG),
  dryRun: optional(FLAG),
};

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
