import type { JsonObject, JsonValue } from '@vizprompt/providers';

/** What is known of a piece of work that is being done. */
export interface WorkContext {
  readonly path: string;
  /** Aborted when the run is cancelled, a sibling failed or the time is over. */
  readonly signal: AbortSignal;
}

/** What a finished piece of work leaves in the journal. */
export interface Work {
  readonly output: JsonValue;
  /** Who answered, what it cost and whatever else must not be lost. */
  readonly meta?: { readonly [key: string]: JsonValue };
}

/** Work that is in the journal. */
export interface DoneWork extends Work {
  /** It was done before, and not again. */
  readonly isReplayed: boolean;
  /** Milliseconds since 1970, when it was really done. */
  readonly startedAt: number;
  readonly endedAt: number;
}

/**
 * A thread of execution that survives the process: what it did is found again under the same path, and not
 * done twice. The interpreter of workflows needs nothing else, so it runs on a journal in SQLite as on any
 * durable engine.
 */
export interface DurableScope {
  readonly runId: string;
  /** The path of the scope, with a slash at its end; `''` for the run itself. */
  readonly path: string;
  readonly signal: AbortSignal;
  /**
   * Does a piece of work once, and gives what it left, now or before. Failures are not kept.
   *
   * @param name - Unique in the scope; `''` for the only step of a scope that has no other.
   */
  step(name: string, work: (context: WorkContext) => Promise<Work>): Promise<DoneWork>;
  /**
   * What a step of this name left before, where the runtime can tell without doing it: so that what led to a
   * decision need not begin again.
   */
  known?(name: string): Omit<DoneWork, 'isReplayed'> | undefined;
  /**
   * Does a task, described by plain JSON, in a thread beside this one, in this process or another. The thread's
   * `signal` also follows the one that is given.
   */
  child(
    name: string,
    task: JsonObject,
    options?: { readonly signal?: AbortSignal },
  ): Promise<JsonValue>;
  /** Waits until a time (milliseconds since 1970) that is kept from the first time on. */
  sleep(name: string, untilMs: number): Promise<void>;
  /** Waits for a value from outside. `asked` is told once the waiting is durable. */
  waitFor(
    name: string,
    question: JsonValue,
    options: { readonly asked: () => void; readonly untilMs?: number },
  ): Promise<JsonValue>;
}

/** The path of a step of a scope. */
export function pathIn({ path }: Pick<DurableScope, 'path'>, name: string): string {
  return name === '' ? path.slice(0, -1) : path + name;
}
