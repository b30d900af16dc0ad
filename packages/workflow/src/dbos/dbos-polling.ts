/** How often DBOS itself looks for runs in a queue whose notifications may be lost, in milliseconds. */
export const SLOW_POLL_MS = 3000;

/** How often it looks for times of schedules that are due, in milliseconds: it spreads them over ten seconds. */
const SCHEDULED_MS = 4000;

/** How often it looks for queues, delays and deadlines, of which runs have none, in milliseconds. */
const UPKEEP_MS = 30_000;

/** The queue in which DBOS puts what its schedules start. */
const INTERNAL_QUEUE = '_dbos_internal_queue';

/** The polling of DBOS in this process. */
export interface DbosPolling {
  /** Starts the runs that are in the queue, as DBOS's own poll would. */
  poll(): Promise<unknown>;
  /** Polls as DBOS does on its own from now on. */
  restore(): void;
}

interface QueueRunner {
  readonly constructor: object;
  readonly states: ReadonlyMap<unknown, unknown>;
  pollQueue(executor: unknown, queue: unknown): Promise<unknown>;
  refreshDbQueues(executor: unknown, now: number): Promise<unknown>;
}

/**
 * Lets DBOS look at its tables less often, and at a queue on request. DBOS has no options for that: an idle
 * process of it makes fourteen transactions a second. These are parts that it exports for its own packages.
 *
 * @returns A function to call when DBOS is launched and has the queue; `undefined` in a version of DBOS that has other
 * parts, which continues as it is.
 */
export async function dbosPolling(): Promise<
  ((queue: string) => Promise<DbosPolling>) | undefined
> {
  const parts = await loadParts();
  if (!parts) return undefined;
  const { runner, timeouts, executor } = parts;
  return async (queue) => {
    await runner.refreshDbQueues(executor(), Date.now());
    // One that it does not know yet it finds at its own pace.
    const upkeepMs = queueOf(runner, queue) ? UPKEEP_MS : 0;
    const undo = [
      slowDown(runner.constructor, 'reconcileIntervalMs', upkeepMs),
      slowDown(runner.constructor, 'transitionIntervalMs', UPKEEP_MS),
      slowDown(timeouts, 'pollingIntervalMs', UPKEEP_MS),
      slowDown(queueOf(runner, INTERNAL_QUEUE), 'minPollingIntervalMs', SCHEDULED_MS),
      pollOneAtATime(runner),
    ];
    return {
      async poll() {
        const known = queueOf(runner, queue);
        if (known && executor()) await runner.pollQueue(executor(), known);
      },
      restore: () => {
        for (const one of undo) one();
      },
    };
  };
}

interface Parts {
  readonly runner: QueueRunner;
  readonly timeouts: object;
  executor(): unknown;
}

async function loadParts(): Promise<Parts | undefined> {
  try {
    const { wfQueueRunner: runner }: { wfQueueRunner?: unknown } =
      await import('@dbos-inc/dbos-sdk/internal/wfqueue');
    const { workflowTimeoutConfig: timeouts }: { workflowTimeoutConfig?: unknown } =
      await import('@dbos-inc/dbos-sdk/internal/workflow_management');
    const { DBOSExecutor } = await import('@dbos-inc/dbos-sdk/internal/dbos-executor');
    if (!isRunner(runner) || !isObject(timeouts)) return undefined;
    return { runner, timeouts, executor: () => DBOSExecutor.globalInstance };
  } catch {
    return undefined;
  }
}

/** @returns A function that sets the interval to what it was. */
function slowDown(of: object | undefined, name: string, ms: number): () => void {
  const before: unknown = of && Reflect.get(of, name);
  if (!of || typeof before !== 'number' || before >= ms) return () => undefined;
  Reflect.set(of, name, ms);
  return () => void Reflect.set(of, name, before);
}

/**
 * Lets polls of a queue wait for each other, those of DBOS and those on request: each counts the runs in progress before
 * it takes more, and two at the same time would take more than `workerConcurrency`.
 *
 * @returns A function that lets them overlap as before.
 */
function pollOneAtATime(runner: QueueRunner): () => void {
  const poll = runner.pollQueue.bind(runner);
  const last = new Map<unknown, Promise<unknown>>();
  const pollNext: QueueRunner['pollQueue'] = async (executor, queue) => {
    const name: unknown = isObject(queue) ? Reflect.get(queue, 'name') : undefined;
    const next = (last.get(name) ?? Promise.resolve())
      .catch(() => undefined)
      .then(() => poll(executor, queue));
    last.set(name, next);
    return next;
  };
  Reflect.set(runner, 'pollQueue', pollNext);
  return () => void Reflect.deleteProperty(runner, 'pollQueue');
}

function queueOf({ states }: QueueRunner, name: string): object | undefined {
  const state = states.get(name);
  return isObject(state) && 'queue' in state && isObject(state.queue) ? state.queue : undefined;
}

function isRunner(value: unknown): value is QueueRunner {
  return (
    isObject(value) &&
    'pollQueue' in value &&
    typeof value.pollQueue === 'function' &&
    'refreshDbQueues' in value &&
    typeof value.refreshDbQueues === 'function' &&
    'states' in value &&
    value.states instanceof Map
  );
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
