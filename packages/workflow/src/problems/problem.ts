/** The kinds of mistakes in files. */
export type ProblemCode =
  | 'unreadable'
  | 'syntax'
  | 'unknown-key'
  | 'version-key'
  | 'missing-key'
  | 'wrong-type'
  | 'unknown-value'
  | 'too-small'
  | 'too-large'
  | 'empty'
  | 'bad-duration'
  | 'bad-name'
  | 'bad-value'
  | 'duplicate-name'
  | 'duplicate-id'
  | 'jump-by-data'
  | 'reserved-name'
  | 'unknown-step'
  | 'unknown-role'
  | 'unknown-prompt'
  | 'unknown-workflow'
  | 'unknown-function'
  | 'unknown-tool'
  | 'unknown-server'
  | 'server-failed'
  | 'unknown-retriever'
  | 'unknown-activity'
  | 'unknown-retry'
  | 'unknown-timeout'
  | 'unknown-model'
  | 'unknown-error-code'
  | 'unknown-set'
  | 'bad-cron'
  | 'bad-time-zone'
  | 'plain-secret'
  | 'sleep-time'
  | 'quorum-too-large'
  | 'subflow-recursion'
  | 'endless-cycle'
  | 'constant-until'
  | 'unreachable-step'
  | 'unreachable-agent'
  | 'unknown-member'
  | 'team-unseen'
  | 'unknown-variable'
  | 'variable-not-yet-set'
  | 'variable-maybe-unset'
  | 'unknown-field'
  | 'field-of-value'
  | 'missing-input'
  | 'unused-input'
  | 'template-syntax'
  | 'condition-syntax'
  | 'condition-type'
  | 'condition-not-boolean'
  | 'condition-not-list'
  | 'hidden-name';

/** A mistake, and its place. */
export interface Problem {
  /** The file as it was given, or `files[0]` and the like for what was given as an object. */
  readonly file: string;
  /** From 1; absent for what was given as an object. */
  readonly line?: number;
  /** From 1, in UTF-16 code units; absent for what was given as an object. */
  readonly column?: number;
  /** The keys that lead there, such as `workflows.story.steps[0].agent_id`. */
  readonly path: string;
  readonly code: ProblemCode;
  /** Files with an error cannot be run; a warning is most likely a mistake. */
  readonly severity: 'error' | 'warning';
  readonly message: string;
  /** The fix, or the name that may have been meant. */
  readonly suggestion?: string;
}

/** A sentence, and the fix. `{name}` and the like are placeholders. */
type Words = readonly [message: string, suggestion?: string];

/** The messages of a language. */
export interface Messages {
  readonly sentences: Readonly<Record<ProblemCode, Words>>;
  /** The names of types, kinds and rules. */
  readonly terms: Readonly<Record<string, string>>;
  /** Between several types. */
  readonly or: string;
  meant(name: string): string;
  thereIs(names: string): string;
  readonly thereIsNone: string;
}
