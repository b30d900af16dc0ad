import type { RecallReason } from './recall-options.ts';

/** An event that may be worth recalling. */
export interface Candidate {
  readonly key: number;
  readonly score: number;
  readonly reasons: readonly RecallReason[];
  /** How well its words or its meaning fit the query beside those of the best: 0 to 1. */
  readonly fit: number;
  /** What it did to a file. */
  readonly change?: Change;
  /** The key of the intention that is told with it. */
  readonly intention?: number;
}

/** An intention or an edit, as far as it must be known to be put in its place. */
export interface Change {
  readonly key: number;
  readonly id: string;
  readonly type: 'code_intention' | 'file_edit';
  readonly file_path: string;
  readonly timestamp: string;
  readonly intention_event_id: string | null;
  readonly parent_event_id: string | null;
}
