import { MAX_TIMER_MS } from '../calls/time-limit.ts';
import { WorkflowError } from '../errors.ts';
import type { Journal, ScheduleState } from '../journal/journal.ts';
import { nextTime, timesBetween } from '../language/cron.ts';
import {
  isScheduledRun,
  type PinnedSchedule,
  ruleOf,
  type RunningSchedules,
  type ScheduleHooks,
  scheduledRunId,
} from './schedules.ts';
import type { WorkflowRun } from './workflow-run.ts';

/** Times of `missed: all` that are made up for. */
const MOST = 100;

/** Later than this, a time was missed, in milliseconds. */
const LATE_MS = 60_000;

/** Wait after a failure, in milliseconds. */
const AGAIN_MS = 5000;

/** Interval at which runs of processes that ended are looked for, in milliseconds. */
const ORPHANS_MS = 30_000;

/** The dependencies of {@link LocalSchedules}. */
interface ScheduleNeeds extends ScheduleHooks {
  readonly journal: Pick<Journal, 'schedules' | 'keepSchedule' | 'run' | 'runs'>;
  /** @throws WorkflowError with the code `conflict` if there is such a run. */
  start(schedule: PinnedSchedule, dueMs: number): Promise<WorkflowRun>;
  /** Milliseconds since 1970. */
  now(): number;
}

/**
 * Starts runs by the clock, in any number of processes: each time has one run, whose id says which. How far a schedule
 * has come is in the journal, so that times that passed without a process are noticed.
 */
export class LocalSchedules implements RunningSchedules {
  readonly #schedules: readonly PinnedSchedule[];
  readonly #needs: ScheduleNeeds;
  /** The progress of this process: while a deployment rolls out, another process may follow another rule. */
  readonly #own = new Map<string, ScheduleState>();
  #timer: NodeJS.Timeout | undefined;
  #working: Promise<void> = Promise.resolve();
  #orphansAt = -Infinity;
  #isClosed = false;

  constructor(schedules: readonly PinnedSchedule[], needs: ScheduleNeeds) {
    this.#schedules = schedules;
    this.#needs = needs;
  }

  /** Looks at the clock once, and again whenever a schedule is due. */
  async open(): Promise<this> {
    this.#working = this.#lookAndWait();
    await this.#working;
    return this;
  }

  next(): Readonly<Record<string, string>> {
    const now = this.#needs.now();
    const times = this.#schedules.flatMap(({ name, schedule }) => {
      const time = nextTime(schedule, now);
      return time === undefined ? [] : [[name, new Date(time).toISOString()] as const];
    });
    return Object.fromEntries(times);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#working;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #lookAndWait(): Promise<void> {
    const isFine = await this.look();
    if (this.#isClosed) return;
    const now = this.#needs.now();
    const times = this.#schedules.map(({ schedule }) => nextTime(schedule, now) ?? Infinity);
    const waitMs = Math.max(1, Math.min(...times) - now);
    const most = isFine ? Math.min(MAX_TIMER_MS, ORPHANS_MS) : AGAIN_MS;
    this.#timer = setTimeout(
      () => {
        this.#working = this.#lookAndWait();
      },
      Math.min(waitMs, most),
    );
  }

  /** Starts what is due; returns whether all of it began. */
  async look(): Promise<boolean> {
    let isFine = true;
    let states: ReadonlyMap<string, ScheduleState>;
    try {
      states = await this.#needs.journal.schedules();
      await this.#findOrphans();
    } catch (error) {
      this.#needs.onError(error, '');
      return false;
    }
    for (const pinned of this.#schedules) {
      if (this.#isClosed) return isFine;
      try {
        await this.#follow(pinned, states.get(pinned.name));
      } catch (error) {
        isFine = false;
        this.#needs.onError(error, pinned.name);
      }
    }
    return isFine;
  }

  async #follow(pinned: PinnedSchedule, stored: ScheduleState | undefined): Promise<void> {
    const { name, schedule } = pinned;
    const now = this.#needs.now();
    const rule = ruleOf(schedule);
    const state = stored?.rule === rule ? stored : this.#own.get(name);
    if (!state) {
      await this.#keep(name, { rule, at: now });
      return;
    }
    this.#own.set(name, state);
    const { missed = 'last', overlap = 'allow' } = schedule;
    const most = missed === 'all' ? MOST : 1;
    const times = timesBetween(schedule, { after: state.at, until: now, most });
    let last = state.runId;
    for (const dueMs of times) {
      if (this.#isClosed) return;
      const isLate = missed === 'skip' && now - dueMs > LATE_MS;
      const mustWait = overlap === 'skip' && last !== undefined && (await this.#isGoingOn(last));
      if (!isLate && !mustWait) {
        await this.#start(pinned, dueMs);
        last = scheduledRunId(name, dueMs);
      }
      await this.#keep(name, { rule, at: dueMs, ...(last === undefined ? {} : { runId: last }) });
    }
  }

  async #keep(name: string, state: ScheduleState): Promise<void> {
    await this.#needs.journal.keepSchedule(name, state);
    this.#own.set(name, state);
  }

  async #start(pinned: PinnedSchedule, dueMs: number): Promise<void> {
    try {
      this.#needs.onRun(await this.#needs.start(pinned, dueMs), pinned.name);
    } catch (error) {
      // Another process was faster, or this one was interrupted after the start.
      if (!isConflict(error)) throw error;
    }
  }

  async #isGoingOn(runId: string): Promise<boolean> {
    const run = await this.#needs.journal.run(runId);
    return run !== undefined && run.endedAt === undefined;
  }

  /** Continues runs of schedules that no process leads any more. */
  async #findOrphans(): Promise<void> {
    const now = this.#needs.now();
    if (now - this.#orphansAt < ORPHANS_MS) return;
    this.#orphansAt = now;
    for (const status of ['running', 'waiting'] as const) {
      for await (const id of this.#runsIn(status)) {
        const owner = this.#schedules.find(({ name }) => isScheduledRun(id, name));
        if (!owner || this.#isClosed) continue;
        try {
          this.#needs.onRun(await this.#needs.resume(id), owner.name);
        } catch (error) {
          if (!isConflict(error)) this.#needs.onError(error, owner.name);
        }
      }
    }
  }

  async *#runsIn(status: 'running' | 'waiting'): AsyncGenerator<string, void, undefined> {
    let after: string | undefined;
    do {
      const page = await this.#needs.journal.runs({ status, after });
      for (const { id } of page) yield id;
      after = page.at(-1)?.id;
    } while (after !== undefined);
  }
}

function isConflict(error: unknown): boolean {
  return (
    WorkflowError.isInstance(error) && (error.code === 'conflict' || error.code === 'finished')
  );
}
