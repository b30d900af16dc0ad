import { Cron } from 'croner';
import { messageOf } from '@vizprompt/providers';
import type { Schedule } from '../definition/workflow-file.ts';

type Times = Pick<Schedule, 'cron' | 'timeZone'>;

/** Returns why a cron expression cannot be read, if it cannot. */
export function cronProblem(cron: string): string | undefined {
  try {
    return new Cron(cron, { timezone: 'UTC' }).nextRun() === null ? 'it is never due' : undefined;
  } catch (error) {
    return messageOf(error);
  }
}

/** Checks whether this process knows a time zone. */
export function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/** Returns the next time after a time, both in milliseconds since 1970; nothing where there is none. */
export function nextTime(schedule: Times, after: number): number | undefined {
  return cronOf(schedule).nextRun(new Date(after))?.getTime();
}

/** Returns the newest times after one and up to another, the oldest first. */
export function timesBetween(
  schedule: Times,
  { after, until, most }: { readonly after: number; readonly until: number; readonly most: number },
): readonly number[] {
  // Times are whole seconds, and the reference itself is not among the times before it.
  const reference = new Date(Math.floor(until / 1000) * 1000 + 1000);
  return cronOf(schedule)
    .previousRuns(most, reference)
    .map((time) => time.getTime())
    .filter((time) => time > after)
    .toReversed();
}

function cronOf({ cron, timeZone = 'UTC' }: Times): Cron {
  return new Cron(cron, { timezone: timeZone });
}
