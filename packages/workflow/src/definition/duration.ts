import { WorkflowError } from '../errors.ts';
import type { Duration } from './policies.ts';

const UNITS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** What a text of a length of time looks like. */
export const DURATION_PATTERN: RegExp = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/;

/**
 * A length of time in milliseconds.
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
