import { type Kinds, FLAG, optional } from '@vizprompt/providers/config/internal';

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
