import type { Kinds } from '@vizprompt/providers/config/internal';
import { SESSION, WORKSPACE } from '../model/input-kinds.ts';

/** What to count: everything, or a part. */
export interface StatsFilter {
  /** This folder, and all that were declared the same workspace. */
  readonly workspace?: string | undefined;
  /** The id of a session. */
  readonly session?: string | undefined;
}

export const STATS_FILTER: Kinds<StatsFilter> = { session: SESSION, workspace: WORKSPACE };
