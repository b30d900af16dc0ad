/** Something in the memory that is not as it should be. */
export interface CheckProblem {
  /**
   * - `database`: the file is damaged
   * - `sequence`: the numbers of a session's events have gaps, or their count is wrong
   * - `index`: the search does not know an event, or knows one that is gone
   * - `content`: the text of a file is missing or damaged; `data`: an event cannot be read
   */
  readonly code: 'database' | 'sequence' | 'index' | 'content' | 'data';
  readonly message: string;
  /** The id of the session. */
  readonly session?: string;
  /** The id of the event. */
  readonly event?: string;
}

/** What `check` found. */
export interface CheckReport {
  readonly isOk: boolean;
  /** What can be read. */
  readonly sessions: number;
  readonly events: number;
  readonly contents: number;
  /** At most 1,000. */
  readonly problems: readonly CheckProblem[];
}

/** As many problems as a report tells. */
export const MAX_PROBLEMS = 1000;
