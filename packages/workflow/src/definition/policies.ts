import { WorkflowError } from '../errors.ts';

/** A length of time: milliseconds, or a text such as `'500ms'`, `'30s'`, `'5m'`, `'2h'` or `'1d'`. */
export type Duration = number | string;

/** When and how a model, a function, a tool or an activity is asked again. */
export interface Retry {
  /** Codes of errors, such as `rate_limit`. Default: those that the error itself calls passing. */
  readonly on?: readonly string[];
  /** Attempts together, the first one included. Default: 3. */
  readonly maxAttempts?: number;
  /** The wait before the second attempt. Default: `'1s'`. */
  readonly delay?: Duration;
  /** The factor of each further wait. Default: 2. */
  readonly backoff?: number;
  /** No wait is longer, but for what a server asks for by `Retry-After`. Default: `'30s'`. */
  readonly maxDelay?: Duration;
  /** True if waits are drawn at random between none and the whole. Default: `true`. */
  readonly jitter?: boolean;
}

/** Time limits of a call. The time that it waits for a place (`concurrency`) does not count. */
export interface Timeout {
  /** All attempts together, with the waits between them and other models of `fallback`. */
  readonly total?: Duration;
  /** One attempt, after which the next one begins. */
  readonly attempt?: Duration;
  /** The time without a sign of life: no piece of an answer, no event of an activity. */
  readonly idle?: Duration;
}

/**
 * The action when a step fails for good: the run fails (`'fail'`, the default), it continues with the output
 * `null` (`'continue'`) or another one (`{ default }`), or with another step (`{ goto }`). The variable
 * `errors` holds the error under the id of the step.
 */
export type OnError =
  | 'fail'
  | 'continue'
  | { readonly default: unknown }
  | { readonly goto: string };

/**
 * The action when a part of a parallel step fails: `'failFast'` (the default) stops the others, `'settled'`
 * lets them finish and needs one success, `{ quorum: n }` needs n and stops the rest as soon as it has them.
 * The output of a part that failed is `null`; `errors` holds why, under the id of the step and then the name of
 * the part.
 */
export type FailureMode = 'failFast' | 'settled' | { readonly quorum: number };

/** The most that a run may use, its subflows included: theirs hold where they are started on their own. */
export interface Limits {
  /** Steps that are begun, in all rounds and items; those themselves do not count. Default: 10,000. */
  readonly steps?: number;
  /** Wall time, not counting the time in which it waited for a person or was not running. */
  readonly timeout?: Duration;
  /** Tokens of prompts and answers. */
  readonly tokens?: number;
  /** US dollars, by the prices of the engine. */
  readonly costUsd?: number;
}

const UNITS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** Matches the text of a duration. */
export const DURATION_PATTERN: RegExp = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/;

/**
 * Returns a length of time in milliseconds.
 *
 * @throws WorkflowError with the code `invalid-input` for what is none: `'30'`, `'1 hour'`, `-1`, `NaN`.
 */
export function toMs(duration: Duration): number {
  if (typeof duration === 'number' && Number.isFinite(duration) && duration >= 0) return duration;
  const [, amount, unit = ''] =
    typeof duration === 'string' ? (DURATION_PATTERN.exec(duration) ?? []) : [];
  const milliseconds = Number(amount) * (UNITS[unit] ?? Number.NaN);
  if (Number.isFinite(milliseconds)) return milliseconds;
  const given = typeof duration === 'string' ? `'${duration}'` : String(duration);
  throw new WorkflowError(
    'invalid-input',
    `${given} is no length of time: write milliseconds, or a text such as '500ms', '30s', '5m', '2h' or '1d'`,
    { context: { duration } },
  );
}
