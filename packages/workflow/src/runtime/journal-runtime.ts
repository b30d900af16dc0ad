import type { JsonObject, JsonValue } from '@vizprompt/providers';
import { linkSignal, unlessAborted, waitUntil } from '../calls/time-limit.ts';
import { WorkflowError } from '../errors.ts';
import type { Journal, RunHistory, StepRecord, WaitRecord } from '../journal/journal.ts';
import {
  type DoneWork,
  type DurableScope,
  pathIn,
  type Work,
  type WorkContext,
} from '../run/execution-context.ts';

/** The parts that a {@link JournalRuntime} needs. */
interface JournalRuntimeOptions {
  readonly runId: string;
  /** For what is asked of persons. */
  readonly journal: Pick<Journal, 'write' | 'unask'>;
  readonly keeper: StepKeeper;
  /** The earlier history of the run. */
  readonly history: RunHistory;
  readonly inbox: Inbox;
  /** Does the tasks of children. */
  readonly interpret: (task: JsonObject, scope: DurableScope) => Promise<JsonValue>;
  /** Receives each step that is in the journal now. */
  readonly onStep: (step: Pick<StepRecord, 'meta'>) => void;
  /** How long the run has been in progress. */
  readonly elapsedMs: () => number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Runs one run in this process: what is in its history is not done again. */
export class JournalRuntime {
  readonly #options: JournalRuntimeOptions;
  readonly #known: Map<string, StepRecord>;
  readonly #waits: Map<string, WaitRecord>;
  #seq: number;
  #signal: AbortSignal | undefined;

  constructor(options: JournalRuntimeOptions) {
    const { steps, waits } = options.history;
    this.#options = options;
    this.#known = new Map(steps.map((step) => [step.path, step]));
    this.#waits = new Map(waits.map((wait) => [wait.path, wait]));
    this.#seq = steps.reduce((most, { seq }) => Math.max(most, seq), 0);
  }

  /** Returns the scope of the run itself. */
  root(signal: AbortSignal): DurableScope {
    this.#signal = signal;
    return this.#scope('', signal);
  }

  #scope(path: string, signal: AbortSignal): DurableScope {
    const { runId } = this.#options;
    const scope: DurableScope = {
      runId,
      path,
      signal,
      known: (name) => this.#known.get(pathIn(scope, name)),
      step: (name, work) => this.#step(pathIn(scope, name), signal, work),
      child: (name, task, options) =>
        this.#child(pathIn(scope, name), task, signal, options?.signal),
      sleep: async (name, untilMs) => {
        const { output } = await this.#step(pathIn(scope, name), signal, async () => ({
          output: untilMs,
          meta: { isInner: true },
        }));
        await waitUntil(Number(output), this.#options.now, signal);
      },
      waitFor: async (name, question, { asked, untilMs }) => {
        const own = pathIn(scope, name);
        const answered = await this.#step(own, signal, async () => ({
          output: await this.#answerTo({ path: own, question, asked, untilMs, signal }),
        }));
        return answered.output;
      },
    };
    return scope;
  }

  async #step(
    path: string,
    signal: AbortSignal,
    work: (context: WorkContext) => Promise<Work>,
  ): Promise<DoneWork> {
    const known = this.#known.get(path);
    if (known) {
      const { output, meta, startedAt, endedAt } = known;
      return { output, meta, isReplayed: true, startedAt, endedAt };
    }
    const { keeper, now, elapsedMs } = this.#options;
    const step = await keeper.keep(path, async () => {
      const begun = this.#seq;
      const startedAt = now();
      const { output, meta = {} } = await work({ path, signal });
      return {
        path,
        seq: ++this.#seq,
        begun,
        output,
        meta: { ...meta },
        startedAt,
        endedAt: now(),
        elapsedMs: elapsedMs(),
      };
    });
    this.#options.onStep(step);
    return { ...step, isReplayed: false };
  }

  async #child(
    path: string,
    task: JsonObject,
    signal: AbortSignal,
    own: AbortSignal | undefined,
  ): Promise<JsonValue> {
    const linked = linkSignal(signal, own);
    try {
      const { keeper, interpret } = this.#options;
      const scope = this.#scope(`${path}/`, linked.signal);
      return await keeper.child(path, () => interpret(task, scope));
    } finally {
      linked.unlink();
    }
  }

  async #answerTo(wait: {
    readonly path: string;
    readonly question: JsonValue;
    readonly asked: () => void;
    readonly untilMs: number | undefined;
    readonly signal: AbortSignal;
  }): Promise<JsonValue> {
    const { path, question, signal } = wait;
    const { journal, runId, inbox, now } = this.#options;
    const before = this.#waits.get(path);
    if (before?.answer !== undefined) return before.answer;
    const untilMs = before?.isOpen ? before.untilMs : wait.untilMs;
    const answer = inbox.expect(path);
    try {
      if (!before?.isOpen) {
        const askedAt = now();
        await journal.write(runId, {
          type: 'asked',
          path,
          question,
          askedAt,
          ...(untilMs === undefined ? {} : { untilMs }),
        });
      }
      wait.asked();
      const linked = linkSignal(signal);
      const late = untilMs === undefined ? undefined : this.#late(path, untilMs, linked.signal);
      try {
        return await unlessAborted(late ? Promise.race([answer, late]) : answer, signal);
      } finally {
        linked.abort(undefined);
        linked.unlink();
      }
    } catch (error) {
      // Where the run itself continues, the answer is not needed any more.
      if (!this.#signal?.aborted) {
        const given = await journal.unask(runId, path, now());
        if (given !== undefined && isLate(error)) return given;
      }
      throw error;
    } finally {
      inbox.forget(path);
    }
  }

  async #late(path: string, untilMs: number, signal: AbortSignal): Promise<never> {
    await waitUntil(untilMs, this.#options.now, signal);
    throw new WorkflowError('timeout', `'${path}' was not answered in time`, { context: { path } });
  }
}

function isLate(error: unknown): boolean {
  return WorkflowError.isInstance(error) && error.code === 'timeout';
}

/** The answers that a run waits for. */
export class Inbox {
  readonly #expected = new Map<string, (answer: JsonValue) => void>();

  /** The paths of open questions. */
  get paths(): readonly string[] {
    return [...this.#expected.keys()];
  }

  /** Waits for the answer of a path. */
  expect(path: string): Promise<JsonValue> {
    return new Promise((resolve) => this.#expected.set(path, resolve));
  }

  /** Waits no longer. */
  forget(path: string): void {
    this.#expected.delete(path);
  }

  /** An answer has come. */
  deliver(path: string, answer: JsonValue): void {
    this.#expected.get(path)?.(answer);
  }
}

/** How a runtime makes the steps of a run durable, and begins its threads. */
export interface StepKeeper {
  /** Lets a step be done and keeps what it left; resolves when that is durable. */
  keep(path: string, make: () => Promise<StepRecord>): Promise<StepRecord>;
  /** Runs a thread that continues next to the one that begins it. */
  child(path: string, run: () => Promise<JsonValue>): Promise<JsonValue>;
}

/** Steps are rows of a journal, threads are promises of this process. */
export function journalKeeper(journal: Pick<Journal, 'write'>, runId: string): StepKeeper {
  return {
    async keep(_path, make) {
      const step = await make();
      await journal.write(runId, { type: 'step', ...step });
      return step;
    },
    child: (_path, run) => run(),
  };
}
