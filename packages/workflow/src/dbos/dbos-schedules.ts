import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '@vizprompt/providers';
import type { DefinitionSnapshot } from '../definition/definition-snapshot.ts';
import type { Schedule } from '../definition/workflow-file.ts';
import { WorkflowError } from '../errors.ts';
import type { NewRun } from '../journal/journal.ts';
import { nextTime } from '../language/cron.ts';
import {
  type PinnedSchedule,
  type RunningSchedules,
  scheduledRunId,
} from '../runtime/schedules.ts';
import type { DbosNames } from './options.ts';

/** The workflow of DBOS that its schedules start. */
export const FIRE = 'vizprompt.fire';

/** Later than this, a time was missed, in milliseconds: DBOS itself spreads times over ten seconds. */
const LATE_MS = 60_000;

/** Until the first worker has made the tables of DBOS, it is tried again after this wait, in milliseconds. */
const AGAIN_MS = 2000;

/** The data that DBOS stores with a schedule: the run that is due, without its id and time. */
interface StoredSchedule {
  readonly name: string;
  readonly schedule: Schedule;
  readonly run: Pick<NewRun['run'], 'workflow' | 'hash' | 'promptSet'>;
  readonly definition: DefinitionSnapshot;
  /** Absent where the input says when it is due. */
  readonly task?: NewRun['run']['task'];
}

/** A schedule as DBOS takes it. */
interface DbosSchedule {
  readonly scheduleName: string;
  readonly workflowName: string;
  readonly schedule: string;
  readonly context: unknown;
  readonly automaticBackfill: boolean;
  readonly cronTimezone: string;
}

/** The schedules of DBOS, as its clients of version 5 have them. */
export interface ScheduleApi {
  applySchedules(schedules: DbosSchedule[]): Promise<void>;
  listSchedules(filters: {
    scheduleNamePrefix: string;
  }): Promise<readonly { readonly scheduleName: string }[]>;
  deleteSchedule(name: string): Promise<void>;
}

/**
 * Replaces the schedules of an engine in DBOS: workers follow the new ones from now on.
 *
 * @throws WorkflowError with the code `invalid-input` where DBOS has no schedules that a client sets.
 */
export async function applySchedules(
  api: Partial<ScheduleApi>,
  { namespace }: Pick<DbosNames, 'namespace'>,
  schedules: readonly PinnedSchedule[],
): Promise<RunningSchedules> {
  if (!hasSchedules(api)) {
    const message = 'this version of @dbos-inc/dbos-sdk has no schedules: install version 5';
    throw new WorkflowError('invalid-input', message);
  }
  const prefix = `${namespace}/`;
  const own = schedules.map((pinned) => dbosSchedule(prefix, pinned));
  const names = new Set(own.map(({ scheduleName }) => scheduleName));
  const stop = new AbortController();
  const apply = async (): Promise<void> => {
    await api.applySchedules(own);
    for (const { scheduleName } of await api.listSchedules({ scheduleNamePrefix: prefix })) {
      if (!names.has(scheduleName)) await api.deleteSchedule(scheduleName);
    }
  };
  const isNew = await unlessNew(apply);
  const applying = isNew ? untilWorker(apply, stop.signal) : Promise.resolve();
  const close = async (): Promise<void> => {
    stop.abort();
    await applying;
  };
  return {
    next: () => nextOf(schedules),
    close,
    [Symbol.asyncDispose]: close,
  };
}

function hasSchedules(api: Partial<ScheduleApi>): api is ScheduleApi {
  return 'applySchedules' in api && 'listSchedules' in api && 'deleteSchedule' in api;
}

function dbosSchedule(prefix: string, { name, schedule, runAt }: PinnedSchedule): DbosSchedule {
  const { run, definition } = runAt(0);
  const { workflow, hash, promptSet, task } = run;
  const stored: StoredSchedule = {
    name,
    schedule,
    run: { workflow, hash, promptSet },
    definition,
    ...(schedule.input === undefined ? {} : { task }),
  };
  return {
    scheduleName: `${prefix}${name}`,
    workflowName: FIRE,
    schedule: schedule.cron,
    context: stored,
    automaticBackfill: schedule.missed !== 'skip',
    cronTimezone: schedule.timeZone ?? 'UTC',
  };
}

function nextOf(schedules: readonly PinnedSchedule[]): Readonly<Record<string, string>> {
  const now = Date.now();
  const times = schedules.flatMap(({ name, schedule }) => {
    const time = nextTime(schedule, now);
    return time === undefined ? [] : [[name, new Date(time).toISOString()] as const];
  });
  return Object.fromEntries(times);
}

/** Returns whether DBOS has no tables yet. */
async function unlessNew(apply: () => Promise<void>): Promise<boolean> {
  try {
    await apply();
    return false;
  } catch (error) {
    if (/relation .* does not exist/.test(messageOf(error))) return true;
    throw error;
  }
}

async function untilWorker(apply: () => Promise<void>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await sleep(AGAIN_MS, undefined, { ref: false, signal }).catch(() => undefined);
    if (signal.aborted || !(await unlessNew(apply).catch(() => true))) return;
  }
}

/** A run that a schedule starts. */
interface DueRun extends NewRun {
  /** The common prefix of the ids of its runs, where two of them must not run at the same time. */
  readonly alone?: string;
}

/** Returns the run that is due, unless its time was missed and is not made up for. */
export function dueRun(date: Date | string, context: unknown, now: number): DueRun | undefined {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by dbosSchedule
  const { name, schedule, run, definition, task } = context as StoredSchedule;
  const dueMs = new Date(date).getTime();
  const { missed = 'last' } = schedule;
  if (missed === 'skip' && now - dueMs > LATE_MS) return undefined;
  // A newer time has passed, and its run makes up for this one.
  if (missed === 'last' && (nextTime(schedule, dueMs) ?? Infinity) <= now - LATE_MS)
    return undefined;
  const input = { schedule: name, at: new Date(dueMs).toISOString() };
  return {
    run: {
      ...run,
      id: scheduledRunId(name, dueMs),
      task: task ?? { kind: 'run', input, forks: [] },
      createdAt: now,
    },
    definition,
    ...(schedule.overlap === 'skip' ? { alone: `${name}@` } : {}),
  };
}
