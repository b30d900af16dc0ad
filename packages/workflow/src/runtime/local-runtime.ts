import type { JsonValue } from '@vizprompt/providers';
import type { DefinitionSnapshot } from '../definition/definition-snapshot.ts';
import { WorkflowError, toErrorJson } from '../errors.ts';
import {
  conflict,
  type Journal,
  type NewRun,
  NO_HISTORY,
  type Retention,
  type StoredRun,
  wholeHistory,
} from '../journal/journal.ts';
import { ActiveRun, type EngineParts, type RunToStart } from './active-run.ts';
import {
  type DurableRuntime,
  type ResumeOptions,
  type RuntimeParts,
  takenOverTooOften,
} from './durable-runtime.ts';
import { historyToGoOn } from './resume-history.ts';
import { LocalSchedules } from './local-schedules.ts';
import type { PinnedSchedule, RunningSchedules, ScheduleHooks } from './schedules.ts';
import type { WorkflowRun } from './workflow-run.ts';

/** Leads runs in this process, on a journal. */
export class LocalRuntime implements DurableRuntime {
  readonly isHere: boolean = true;
  readonly reader: Journal;
  readonly #parts: RuntimeParts & { readonly journal: Journal };
  readonly #led = new Map<string, ActiveRun>();
  readonly #claiming = new Set<string>();
  readonly #watch: RunWatch;
  readonly #schedules = new Set<LocalSchedules>();
  #isClosing = false;

  private constructor(parts: RuntimeParts & { readonly journal: Journal }) {
    this.reader = parts.journal;
    this.#parts = parts;
    this.#watch = new RunWatch(parts, this.#led, parts.retention);
  }

  static async open(parts: RuntimeParts, journal: Journal): Promise<LocalRuntime> {
    const runtime = new LocalRuntime({ ...parts, journal });
    await runtime.#watch.prune();
    return runtime;
  }

  hears(runId: string): boolean {
    return this.#led.has(runId);
  }

  async start(run: NewRun, options: ResumeOptions): Promise<WorkflowRun> {
    await this.#parts.journal.create(run);
    const { id, task } = run.run;
    const { definition, steps = [] } = run;
    const history = { ...NO_HISTORY, steps };
    return this.#lead({ id, definition, task, history, isResumed: false, ...options });
  }

  async resume(
    { id, task }: StoredRun,
    definition: DefinitionSnapshot,
    options: ResumeOptions,
  ): Promise<WorkflowRun> {
    const { journal } = this.#parts;
    if (this.#led.has(id) || this.#claiming.has(id)) {
      const message = `this engine leads the run '${id}' already`;
      throw new WorkflowError('conflict', message, { context: { runId: id } });
    }
    this.#claiming.add(id);
    try {
      // A claim takes the end of a run away, and one that is damaged must keep it.
      wholeHistory(await journal.history(id));
      const isTakeover = await journal.claim(id);
      const history = await historyToGoOn(journal, id);
      if (isTakeover) await this.#assertNotTooOften(id, history.steps.length);
      return this.#lead({ id, definition, task, history, isResumed: true, ...options });
    } finally {
      this.#claiming.delete(id);
    }
  }

  async answer(runId: string, path: string, answer: JsonValue): Promise<boolean> {
    if (!(await this.#parts.journal.answer(runId, path, answer))) return false;
    this.#led.get(runId)?.inbox.deliver(path, answer);
    return true;
  }

  async cancel(runId: string, why: WorkflowError): Promise<boolean> {
    const led = this.#led.get(runId);
    if (!led) {
      return this.#parts.journal.cancel(runId, toErrorJson(why), this.#parts.services.now());
    }
    led.stop(why);
    await led.settled;
    return true;
  }

  async follow(
    schedules: readonly PinnedSchedule[],
    hooks: ScheduleHooks,
  ): Promise<RunningSchedules> {
    const followed = new LocalSchedules(schedules, {
      ...hooks,
      journal: this.#parts.journal,
      start: (pinned, dueMs) => this.start(pinned.runAt(dueMs), {}),
      now: this.#parts.services.now,
    });
    this.#schedules.add(followed);
    return followed.open();
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    await Promise.all([...this.#schedules].map((one) => one.close()));
    const { journal } = this.#parts;
    const led = [...this.#led.values()];
    for (const one of led) one.stop(closed());
    await Promise.all(led.map(({ settled }) => settled));
    await this.#watch.close();
    await Promise.all(led.map(({ id }) => journal.release(id)));
    await journal.close();
  }

  /** A run that ends its processes must not end the next one, too. */
  async #assertNotTooOften(id: string, steps: number): Promise<void> {
    const { journal, maxTakeovers, services, events } = this.#parts;
    const takeovers = await journal.takenOver(id, steps);
    if (takeovers <= maxTakeovers) return;
    const failure = takenOverTooOften(id, takeovers);
    const end = { status: 'failed', error: toErrorJson(failure) } as const;
    const at = services.now();
    await journal.write(id, { type: 'ended', ...end, at });
    events.emit('run:ended', { runId: id, at: new Date(at).toISOString(), ...end });
    throw failure;
  }

  #lead(run: RunToStart): WorkflowRun {
    const led = new ActiveRun(this.#parts, run);
    this.#led.set(run.id, led);
    void this.#afterwards(led);
    this.#watch.begun();
    // It was closed while the run was written.
    if (this.#isClosing) led.stop(closed());
    return led.run;
  }

  async #afterwards(led: ActiveRun): Promise<void> {
    await led.settled;
    this.#led.delete(led.id);
    this.#watch.ended();
  }
}

function closed(): WorkflowError {
  return new WorkflowError('closed', 'the engine was closed');
}

/** Interval at which answers of other processes are read, in milliseconds. */
const ANSWERS_MS = 500;

/** Interval at which the engine checks that it still leads its runs, in milliseconds. */
const LOST_MS = 2000;

/**
 * Looks at the journal while runs are led: for answers from other processes, for runs that were cancelled or taken
 * over there, and removes what is not kept.
 */
export class RunWatch {
  readonly #parts: EngineParts;
  readonly #led: ReadonlyMap<string, ActiveRun>;
  readonly #retention: Retention | undefined;
  #answers: NodeJS.Timeout | undefined;
  #lost: NodeJS.Timeout | undefined;
  #pruning: Promise<void> | undefined;
  #mustPrune = false;
  #looking: Promise<void> = Promise.resolve();
  #resting: ReadonlySet<string> = new Set();
  #excused: ReadonlySet<string> = new Set();
  #isClosed = false;

  constructor(
    parts: EngineParts,
    led: ReadonlyMap<string, ActiveRun>,
    retention: Retention | undefined,
  ) {
    this.#parts = parts;
    this.#led = led;
    this.#retention = retention;
  }

  /** A run began. */
  begun(): void {
    if (this.#isClosed) return;
    this.#lost ??= this.#every(LOST_MS, async () => {
      await this.#findLost();
      await this.#findResting();
    });
    this.#answers ??= this.#every(ANSWERS_MS, () => this.#findAnswers());
  }

  /** A run ended. */
  ended(): void {
    if (this.#led.size === 0) this.#stop();
    void this.prune();
  }

  /** Looks for answers and lost runs now, after a notification that there may be some. */
  look(): void {
    if (this.#isClosed) return;
    this.#looking = this.#looking
      .then(() => this.#findAnswers())
      .then(() => this.#findLost())
      .catch(() => undefined);
  }

  /** Removes what is not kept. */
  async prune(): Promise<void> {
    const { journal, services } = this.#parts;
    const retention = this.#retention;
    if (!retention || this.#isClosed) return;
    this.#mustPrune = true;
    this.#pruning ??= (async () => {
      while (this.#mustPrune) {
        this.#mustPrune = false;
        // A run that cannot be removed now is removed when the next run ends.
        await journal.prune(retention, services.now()).catch(() => undefined);
      }
    })().finally(() => (this.#pruning = undefined));
    await this.#pruning;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#stop();
    await this.#looking;
    await this.#pruning;
  }

  #stop(): void {
    clearInterval(this.#answers);
    clearInterval(this.#lost);
    this.#answers = undefined;
    this.#lost = undefined;
  }

  #every(ms: number, look: () => Promise<void>): NodeJS.Timeout {
    return setInterval(() => {
      // A database that does not answer now may answer next time.
      this.#looking = this.#looking.then(look).catch(() => undefined);
    }, ms);
  }

  async #findAnswers(): Promise<void> {
    const asking = [...this.#led.values()].filter(({ inbox }) => inbox.paths.length > 0);
    if (asking.length === 0) return;
    const answers = await this.#parts.journal.answersOf(asking.map(({ id }) => id));
    for (const { runId, path, answer } of answers) {
      this.#led.get(runId)?.inbox.deliver(path, answer);
    }
  }

  /** Runs that did nothing since the last time are not what ends this process, should it end. */
  async #findResting(): Promise<void> {
    const resting = new Set<string>();
    for (const [id, { isResting }] of this.#led) if (isResting) resting.add(id);
    const excused = [...resting].filter((id) => this.#resting.has(id));
    const before = this.#excused;
    this.#resting = resting;
    this.#excused = new Set(excused);
    const { journal } = this.#parts;
    await journal.excuse(
      excused.filter((id) => !before.has(id)),
      true,
    );
    await journal.excuse(
      [...before].filter((id) => this.#led.has(id) && !this.#excused.has(id)),
      false,
    );
  }

  async #findLost(): Promise<void> {
    const lost = await this.#parts.journal.lost([...this.#led.keys()]);
    for (const id of lost) {
      const run = await this.#parts.journal.run(id);
      const led = this.#led.get(id);
      if (run?.status === 'cancelled') led?.endedElsewhere(run.error?.message);
      else led?.stop(conflict(id));
    }
  }
}
