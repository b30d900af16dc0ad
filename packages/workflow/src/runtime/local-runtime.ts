import type { JsonValue } from '@vizprompt/providers';
import type { DefinitionSnapshot } from '../definition/definition-snapshot.ts';
import { toErrorJson, WorkflowError } from '../errors.ts';
import { type Journal, type NewRun, NO_HISTORY, type StoredRun } from '../journal/journal.ts';
import { ActiveRun, type RunToStart } from './active-run.ts';
import type { DurableRuntime, ResumeOptions, RuntimeParts } from './durable-runtime.ts';
import { wholeHistory } from '../journal/journal-errors.ts';
import { historyToGoOn } from './resume-history.ts';
import { RunWatch } from './run-watch.ts';
import type { WorkflowRun } from './workflow-run.ts';

/** Leads runs in this process, on a journal. */
export class LocalRuntime implements DurableRuntime {
  readonly isHere: boolean = true;
  readonly reader: Journal;
  readonly #parts: RuntimeParts & { readonly journal: Journal };
  readonly #led = new Map<string, ActiveRun>();
  readonly #claiming = new Set<string>();
  readonly #watch: RunWatch;
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
      await journal.claim(id);
      const history = await historyToGoOn(journal, id);
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

  async close(): Promise<void> {
    this.#isClosing = true;
    const { journal } = this.#parts;
    const led = [...this.#led.values()];
    for (const one of led) one.stop(closed());
    await Promise.all(led.map(({ settled }) => settled));
    await this.#watch.close();
    await Promise.all(led.map(({ id }) => journal.release(id)));
    await journal.close();
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
