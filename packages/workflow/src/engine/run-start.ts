import type { PinnedDefinition } from '../definition/pinned-definition.ts';
import type { NewRun, StoredRun } from '../journal/journal.ts';

/** What a run is begun with. */
export interface RunStart {
  readonly name: string;
  readonly definition: PinnedDefinition;
  readonly hash: string;
  readonly task: StoredRun['task'];
  /** What is journalled already, of the run that it was forked from. */
  readonly steps?: NewRun['steps'];
  readonly forkedFrom?: string;
}
