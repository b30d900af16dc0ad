import { setTimeout as sleep } from 'node:timers/promises';
import { type JsonValue, messageOf } from '@vizprompt/providers';
import { WorkflowError } from '../errors.ts';
import { conflict } from '../journal/journal-errors.ts';
import { toText } from '../journal/journal-rows.ts';
import type { StepRecord } from '../journal/journal.ts';
import type { StepKeeper } from '../runtime/journal-runtime.ts';
import { branchId, writeStep } from './dbos-history.ts';
import type { DbosProcess } from './dbos-process.ts';

/** The parts that a {@link DbosKeeper} needs. */
interface DbosKeeperOptions {
  readonly process: DbosProcess;
  readonly runId: string;
  readonly rootId: string;
  /** How many times the run was begun or taken over. */
  readonly execution: number;
  /** Threads that DBOS is about to start, by their ids. */
  readonly threads: Map<string, () => Promise<void>>;
  /**
   * Throws if the run is not led any more; returns a promise if that takes a query.
   *
   * @throws WorkflowError with the code `conflict` if this worker is taken for dead.
   */
  readonly assertAlive: () => Promise<void> | undefined;
}

/** How long a thread waits for the one before it to begin, in milliseconds. */
const TURN_MS = 200;

interface Turn {
  readonly before: Promise<void>;
  readonly begin: () => void;
}

/** Steps are steps of DBOS, threads are workflows of DBOS in this process. */
export class DbosKeeper implements StepKeeper {
  readonly #options: DbosKeeperOptions;
  /** Threads whose first step has not begun, and what they wait for until then. */
  readonly #turns = new Map<string, Turn>();
  #last: Promise<void> = Promise.resolve();

  constructor(options: DbosKeeperOptions) {
    this.#options = options;
  }

  keep(path: string, make: () => Promise<StepRecord>): Promise<StepRecord> {
    const { process, runId, assertAlive } = this.#options;
    return new Promise((resolve, reject) => {
      let made: { readonly step: StepRecord } | undefined;
      let failure: { readonly error: unknown } | undefined;
      const work = async (): Promise<string> => {
        try {
          const begun = this.#turns.size > 0 ? await this.#turnOf(path) : undefined;
          const making = make();
          begun?.();
          const step = await making;
          const asserting = assertAlive();
          if (asserting) await asserting;
          made = { step };
          return writeStep(step);
        } catch (error) {
          if (isDropped(error)) {
            // DBOS must write nothing of a run that is no longer this worker's.
            reject(error);
            return never();
          }
          failure = { error };
          throw briefError(error);
        }
      };
      process.runStep(toText(path), work).then(
        () => (made ? resolve(made.step) : reject(conflict(runId))),
        // Without a failure of its own, DBOS says that the run was cancelled, or has another leader.
        () => reject(failure ? failure.error : conflict(runId)),
      );
    });
  }

  async child(path: string, run: () => Promise<JsonValue>): Promise<JsonValue> {
    const { process, rootId, execution, threads } = this.#options;
    const id = branchId(rootId, path, execution);
    const { promise, resolve, reject } = deferred<JsonValue>();
    threads.set(id, async () => {
      try {
        resolve(await run());
      } catch (error) {
        reject(error);
        if (isDropped(error)) await never();
        throw briefError(error);
      }
    });
    const begun = deferred<void>();
    this.#turns.set(path, { before: this.#last, begin: () => begun.resolve() });
    this.#last = begun.promise;
    process.startBranch(id).catch(reject);
    try {
      return await promise;
    } finally {
      threads.delete(id);
      this.#turns.delete(path);
      begun.resolve();
    }
  }

  /**
   * Threads are started together, and their first steps begin in the order in which the workflow names them.
   *
   * @returns A function to call when the step has begun, if it is the first one.
   */
  async #turnOf(path: string): Promise<(() => void) | undefined> {
    for (const [thread, { before, begin }] of this.#turns) {
      if (path !== thread && !path.startsWith(`${thread}/`)) continue;
      this.#turns.delete(thread);
      // One that begins with something else than a step makes no other wait.
      await Promise.race([before, sleep(TURN_MS, undefined, { ref: false })]);
      return begin;
    }
    return undefined;
  }
}

/** Checks for errors after which a run stays as it is, for another process to continue with. */
export function isDropped(error: unknown): boolean {
  return (
    WorkflowError.isInstance(error) &&
    (error.code === 'closed' || error.code === 'conflict' || error.code === 'journal-unwritable')
  );
}

/** DBOS writes down every value that is returned to it; a call that does not return leaves nothing. */
export function never(): Promise<never> {
  return new Promise(() => undefined);
}

/**
 * Goes past the steps that a workflow of DBOS has recorded: DBOS knows steps by their number, and what comes gets
 * numbers after theirs.
 *
 * @param names - The names of the recorded steps by their numbers, from 0 on.
 */
export async function passRecorded(
  process: DbosProcess,
  names: ReadonlyMap<number, string>,
): Promise<void> {
  const last = Math.max(-1, ...names.keys());
  for (let number = 0; number <= last; number++) {
    const name = names.get(number) ?? 'vizprompt.gap';
    // One that failed fails again.
    await process.runStep(name, async () => '').catch(() => undefined);
  }
}

function deferred<T>(): {
  readonly promise: Promise<T>;
  readonly resolve: (value: T) => void;
  readonly reject: (error: unknown) => void;
} {
  let resolve: (value: T) => void = () => undefined;
  let reject: (error: unknown) => void = () => undefined;
  const promise = new Promise<T>((onDone, onError) => {
    resolve = onDone;
    reject = onError;
  });
  return { promise, resolve, reject };
}

/** Returns the error that DBOS writes down for a run or a thread that failed; all of it is in the journal. */
export function briefError(error: unknown): Error {
  return new Error(messageOf(error));
}
