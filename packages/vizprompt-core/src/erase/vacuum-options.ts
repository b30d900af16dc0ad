import { type Kinds, FLAG, optional } from '@vizprompt/providers/config/internal';

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
