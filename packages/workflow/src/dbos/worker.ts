import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { EventSource, Storage, TypedEvents } from '@vizprompt/providers';
import type { Listener, Unsubscribe } from '@vizprompt/providers/internal';
import { engineServices, openEvents } from '../engine/engine-options.ts';
import { WorkflowError } from '../errors.ts';
import type { RunEvent, WorkflowEvents } from '../events.ts';
import { conflict } from '../journal/journal.ts';
import { SqlJournal } from '../journal/sql-journal.ts';
import { prepareLanguages } from '../language/condition.ts';
import type { EngineParts, ActiveRun } from '../runtime/active-run.ts';
import { RunWatch } from '../runtime/local-runtime.ts';
import { ClaimQueue, QueuePoller } from './claim-queue.ts';
import { attemptOf, rootId } from './dbos-history.ts';
import { DefinitionCache } from './definition-cache.ts';
import { leadDbosRun } from './lead-dbos-run.ts';
import {
  type DbosApi,
  type DbosModule,
  type DbosProcess,
  launchDbos,
  loadDbos,
  lockingLaunch,
  outside,
} from './dbos-process.ts';
import { dueRun } from './dbos-schedules.ts';
import { Dispatch, openDispatch, rowOfRun } from './dispatch.ts';
import { listen, type Listening } from './listen.ts';
import { checkWorkerOptions, type DbosNames, namesOf, type WorkerOptions } from './options.ts';
import { QUEUED, QueueNotifier } from './queue-notifier.ts';
import { Retainer } from './retention.ts';
import { reconnectingJournal, retryOnDisconnect } from './retry-on-disconnect.ts';
import {
  briefError,
  never,
  reportEnd,
  RunEventRelay,
  type RunMessage,
  sendError,
} from './run-event-relay.ts';
import { SharedLimiter } from './shared-limiter.ts';
import { resumeOfDeadWorkers, Takeovers, WorkerLease } from './worker-lease.ts';

/**
 * Leads the runs that engines start with `dbos({ url })`, until it is closed. Any number of processes and machines do
 * it together; of one that dies the others continue with its runs, when its lease is over, and repeat nothing that it had
 * finished. There can be one worker in a process, since DBOS keeps its state in variables of its module.
 *
 * @throws WorkflowError with the code `invalid-input`, `conflict` if DBOS runs in this process already, or
 * `journal-unwritable`; PeerError if `@dbos-inc/dbos-sdk` or `pg` is not installed.
 *
 * @example
 * ```ts
 * const worker = await runWorker({ url: process.env.DATABASE_URL, functions });
 * process.once('SIGTERM', () => void worker.close());
 * ```
 */
export async function runWorker(options: WorkerOptions): Promise<Worker> {
  checkWorkerOptions(options);
  return Worker.open(options);
}

const LEASE_MS = 15_000;
const POLL_MS = 100;
const RUNS = 200;

/** Accepted runs that have not come to DBOS in this time are sent there again, in milliseconds. */
const FORGOTTEN_MS = 10_000;

/** How long a worker that ends waits for its poll in progress, in milliseconds. */
const LAST_POLL_MS = 2000;

/** A life of a worker: from one executor id to its end. One that was taken for dead begins another. */
interface Life {
  readonly lease: WorkerLease;
  readonly process: DbosProcess;
  readonly journal: SqlJournal;
  readonly parts: EngineParts;
  readonly limiter: SharedLimiter;
  readonly watch: RunWatch;
  readonly claims: ClaimQueue;
  readonly poller: QueuePoller;
  readonly definitions: DefinitionCache;
  readonly led: Map<string, ActiveRun>;
  /** Runs that are about to be led, each with the end of that. */
  readonly beginning: Map<string, Promise<unknown>>;
}

/** A run that this worker leads, and the function that sends messages to its reader. */
interface LedRun {
  readonly run: ActiveRun;
  readonly tell: (message: RunMessage) => void;
}

/** A process that leads runs, as `runWorker` gives it. */
export class Worker implements EventSource<WorkflowEvents>, AsyncDisposable {
  readonly #options: WorkerOptions;
  readonly #names: DbosNames;
  readonly #module: DbosModule;
  readonly #storage: Storage;
  readonly #dispatch: Dispatch;
  readonly #relay: RunEventRelay;
  readonly #notifier: QueueNotifier;
  readonly #retainer: Retainer;
  readonly #takeovers: Takeovers;
  readonly #events: TypedEvents<WorkflowEvents>;
  #life: Life | undefined;
  /** The one whose runs are being stopped. */
  #ending: Life | undefined;
  #listening: Listening | undefined;
  #sweptAt = -Infinity;
  #changing: Promise<void> = Promise.resolve();
  #closing: Promise<void> | undefined;

  private constructor(
    options: WorkerOptions,
    names: DbosNames,
    module: DbosModule,
    storage: Storage,
  ) {
    this.#options = options;
    this.#names = names;
    this.#module = module;
    this.#storage = storage;
    this.#dispatch = new Dispatch(storage.database);
    this.#relay = new RunEventRelay(storage, names.namespace);
    this.#notifier = new QueueNotifier(storage, names);
    this.#events = openEvents(options);
    this.#takeovers = new Takeovers(options.maxTakeovers, (options.leaseMs ?? LEASE_MS) / 4);
    this.#retainer = new Retainer(storage.database, options.retention, () => this.#api());
  }

  /** @internal */
  static async open(options: WorkerOptions): Promise<Worker> {
    const module = await loadDbos();
    await prepareLanguages();
    const names = namesOf(options);
    const { leaseMs = LEASE_MS } = options;
    const storage = await openDispatch(options, names.namespace, leaseMs);
    const worker = new Worker(options, names, module, storage);
    try {
      await worker.#begin();
      worker.#listening = await listen(options.url, names.channel, (said) => worker.#hear(said));
      // A run may have been queued since the worker began.
      worker.#life?.poller.wake();
      return worker;
    } catch (error) {
      await worker.close();
      throw error;
    }
  }

  /** The id under which DBOS knows this process; it is another one after the worker was taken for dead. */
  get id(): string {
    return this.#life?.lease.id ?? '';
  }

  on<Name extends keyof WorkflowEvents>(
    name: Name,
    listener: Listener<WorkflowEvents[Name]>,
  ): Unsubscribe {
    return this.#events.on(name, listener);
  }

  once<Name extends keyof WorkflowEvents>(
    name: Name,
    listener: Listener<WorkflowEvents[Name]>,
  ): Unsubscribe {
    return this.#events.once(name, listener);
  }

  /**
   * Breaks off what is in progress and ends the worker. Others continue with its runs at their next heartbeat, without
   * doing again what is done.
   */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #close(): Promise<void> {
    await this.#listening?.close();
    await this.#changing.catch(() => undefined);
    await this.#end(new WorkflowError('closed', 'the worker was closed'));
    await this.#retainer.close();
    await this.#relay.flush();
    await this.#notifier.flush();
    await this.#storage.close();
  }

  /** @param said - The message to all workers; `undefined` where something may have been missed. */
  #hear(said: string | undefined): void {
    if (said !== QUEUED) this.#life?.watch.look();
    if (said === QUEUED || said === undefined) this.#life?.poller.wake();
  }

  async #begin(): Promise<void> {
    const { leaseMs = LEASE_MS, heartbeatMs = leaseMs / 3, pollMs = POLL_MS } = this.#options;
    const {
      concurrency: { runs = RUNS, shared = {} } = {},
      url,
      logger,
      recorders,
    } = this.#options;
    const names = this.#names;
    const storage = this.#storage;
    const { database } = storage;
    const lease: WorkerLease = new WorkerLease({
      id: `${names.namespace}-${randomUUID()}`,
      database,
      leaseMs,
      heartbeatMs,
      sweep: () => this.#sweep(),
      // It may be a step of a run that notices it.
      lost: () => outside(() => this.#beginAgain(lease.id)),
    });
    const plain = engineServices({ ...this.#options, files: [] });
    const limiter = new SharedLimiter({
      local: plain.limiter,
      shared,
      database,
      owner: () => lease.id,
    });
    await limiter.open();
    const journal = new SqlJournal(storage, {
      id: lease.id,
      hold: async () => undefined,
      isAlive: async (id) => id === lease.id,
      close: async () => undefined,
    });
    const parts: EngineParts = {
      journal: reconnectingJournal(journal, () => this.#closing !== undefined),
      services: { ...plain, limiter },
      recorders: recorders ?? [],
      events: this.#events,
    };
    const led = new Map<string, ActiveRun>();
    // DBOS dispatches runs before it says that it is launched.
    let begun: () => void = () => undefined;
    const beginning = new Promise<void>((resolve) => (begun = resolve));
    await lease.hold();
    try {
      const process = await lockingLaunch(storage.files, () =>
        launchDbos(
          this.#module,
          { url, names, executorId: lease.id, runs, pollMs, leaseMs, logger },
          {
            lead: async (runId, root) => {
              await beginning;
              await this.#leadUnlessOver(runId, root);
            },
            fire: async (date, context) => {
              await beginning;
              await this.#fire(date, context);
            },
          },
        ),
      );
      const watch = new RunWatch(parts, led, undefined);
      const claims = new ClaimQueue(database, lease.id);
      const poller = new QueuePoller({ poll: () => process.poll(), pollMs });
      const own = { lease, process, journal, parts, limiter, claims, poller, led, watch };
      const definitions = new DefinitionCache(
        journal,
        () => this.#closing !== undefined || this.#life?.lease !== lease,
      );
      this.#life = { ...own, definitions, beginning: new Map() };
      begun();
      poller.wake();
      // A worker that needs longer to begin than its lease is taken for dead meanwhile.
      if (lease.isOver) this.#beginAgain(lease.id);
      await this.#enqueueAccepted(0);
      await this.#retainer.prune();
    } catch (error) {
      await lease.close();
      throw error;
    }
  }

  async #end(why: WorkflowError): Promise<void> {
    const life = this.#life;
    if (!life) return;
    this.#ending = life;
    // A poll in progress takes runs for this worker, unless it waits for a database that is away.
    await Promise.race([life.poller.close(), sleep(LAST_POLL_MS, undefined, { ref: false })]);
    const led = [...life.led.values()];
    // Closing says nothing about the runs of a worker. One that was taken for dead may have hung because of one of
    // them.
    if (why.code === 'closed') {
      const ids = led.map(({ id }) => id);
      await life.journal.excuse(ids, true).catch(() => undefined);
    }
    for (const run of led) run.stop(why);
    await Promise.all(led.map(({ settled }) => settled));
    await life.watch.close();
    await life.lease.close();
    this.#life = undefined;
    this.#ending = undefined;
    await life.parts.services.mcp.close();
    await life.process.shutdown();
  }

  /** Others have taken this worker for dead: what it does does not count any more, and it begins as a new one. */
  #beginAgain(id: string): void {
    if (this.#closing) return;
    const before = this.#changing;
    const change = async (): Promise<void> => {
      await before;
      if (this.#life?.lease.id !== id) return;
      await this.#end(conflict(id));
      const isOver = (): boolean => this.#closing !== undefined;
      if (!isOver()) await retryOnDisconnect(() => this.#begin(), isOver);
    };
    this.#changing = change();
    this.#changing.catch((error: unknown) =>
      this.#options.logger?.error('the worker cannot begin again', { error: String(error) }),
    );
  }

  #api(): DbosApi | undefined {
    return this.#life?.process.api;
  }

  async #sweep(): Promise<void> {
    const api = this.#api();
    if (!api) return;
    const { leaseMs = LEASE_MS } = this.#options;
    const isThorough = performance.now() - this.#sweptAt > leaseMs;
    const resumed = await resumeOfDeadWorkers(this.#storage, api, this.#names, isThorough);
    if (resumed > 0) this.#notifier.notify();
    await this.#enqueueAccepted(FORGOTTEN_MS);
    await this.#life?.limiter.freeLost();
    if (!isThorough) return;
    this.#sweptAt = performance.now();
    await this.#relay.clean();
  }

  /** Starts the run of a schedule that is due, once: its id says for which time it is. */
  async #fire(date: Date, context: unknown): Promise<void> {
    const life = this.#life;
    if (!life) return never();
    const { journal, parts, process } = life;
    const due = dueRun(date, context, parts.services.now());
    if (!due) return;
    const { id } = due.run;
    const before = await outside(() => journal.run(id));
    if (!before) {
      const { alone, ...run } = due;
      if (alone !== undefined && (await outside(() => this.#dispatch.isGoingOn(alone)))) return;
      await outside(() => journal.create(run, [rowOfRun(id, undefined, undefined)]));
    }
    await process.enqueue(id, rootId(id, 1));
    outside(() => this.#notifier.notify());
  }

  /** Enqueues accepted runs whose starter died before it passed them to DBOS. */
  async #enqueueAccepted(olderThanMs: number): Promise<void> {
    const accepted = await this.#dispatch.accepted(olderThanMs);
    for (const { id, attempt } of accepted) {
      await this.#life?.process.enqueue(id, rootId(id, attempt));
    }
    if (accepted.length > 0) this.#notifier.notify();
  }

  /** Checks whether what is led within a life does not count any more. */
  #isOver(life: Life): boolean {
    return this.#closing !== undefined || this.#life !== life || this.#ending === life;
  }

  /** A failure while the worker ends is nothing that DBOS should write down of a run. */
  async #leadUnlessOver(runId: string, root: string): Promise<void> {
    const life = this.#life;
    // Where there was one, there may be more.
    outside(() => life?.poller.wake());
    try {
      await this.#lead(runId, root);
    } catch (error) {
      if (life && this.#isOver(life)) await never();
      throw error;
    }
  }

  /** Leads a run to its end, within its workflow of DBOS. */
  async #lead(runId: string, root: string): Promise<void> {
    const life = this.#life;
    if (!life) return never();
    const { beginning } = life;
    // An earlier attempt that this worker does not yet know to be over must not write as the leader of this one.
    const begun = (beginning.get(runId) ?? Promise.resolve())
      .catch(() => undefined)
      .then(() => this.#begunRun(life, runId, root));
    beginning.set(runId, begun);
    const led = await begun.finally(() => {
      if (beginning.get(runId) === begun) beginning.delete(runId);
    });
    if (!led) return;
    try {
      await reportEnd(led.run, led.tell, () => this.#isCancelled(runId));
    } finally {
      this.#retainer.ended();
    }
  }

  /** Begins to lead a run; `undefined` if there is nothing to lead. */
  async #begunRun(life: Life, runId: string, root: string): Promise<LedRun | undefined> {
    const { journal, process, parts, claims, definitions } = life;
    const isOver = (): boolean => this.#isOver(life);
    const attempt = attemptOf(root, runId);
    const before = life.led.get(runId);
    if (before) {
      const current = await retryOnDisconnect(() => this.#dispatch.find(runId), isOver);
      // It may be a dispatch of an earlier attempt that comes late, and the leader that of the current one.
      if (current?.attempt !== attempt) return undefined;
      before.stop(conflict(runId));
      await before.settled;
    }
    if (isOver()) return never();
    const claimed = await retryOnDisconnect(() => claims.claim(runId, attempt), isOver);
    if (!claimed) return undefined;
    const { run, dispatch } = claimed;
    const tell = this.#relay.to(dispatch.reader);
    const turn = await this.#takeovers.turnOf(dispatch, isOver);
    if (!turn) return never();
    const hear = (event: RunEvent): void => tell({ type: 'event', event });
    const equipment: Parameters<typeof leadDbosRun>[1] = {
      process,
      parts,
      hear: (event) => {
        hear(event);
        turn.heard(event);
      },
      history: (id) => retryOnDisconnect(() => journal.history(id), isOver),
      takenOver: (steps) =>
        retryOnDisconnect(() => this.#takeovers.count(journal, runId, steps), isOver),
    };
    const leading = definitions
      .of(run.hash)
      .then((definition) => leadDbosRun({ run, definition, dispatch }, equipment));
    const led = await leading.catch(async (error: unknown) => {
      turn.end();
      const end = await this.#takeovers.endOf(error, parts, runId);
      if (!end) throw error;
      hear({ type: 'run:ended', ...end });
      tell({ type: 'failed', runId, error: sendError(error) });
      this.#retainer.ended();
      throw briefError(error);
    });
    life.led.set(runId, led);
    turn.endsWith(led.settled);
    life.watch.begun();
    void this.#forget(life, led);
    if (isOver()) led.stop(new WorkflowError('closed', 'the worker was closed'));
    return { run: led, tell };
  }

  async #forget({ led: all, watch, poller }: Life, led: ActiveRun): Promise<void> {
    await led.settled;
    const { concurrency: { runs = RUNS } = {} } = this.#options;
    // There is room for another one, which may have been in the queue for long.
    if (all.size >= runs) poller.wake();
    if (all.get(led.id) === led) all.delete(led.id);
    watch.ended();
  }

  /** Checks whether the run was cancelled; otherwise it is left to the worker that takes it over. */
  async #isCancelled(runId: string): Promise<boolean> {
    if (this.#closing) return false;
    const run = await this.#life?.journal.run(runId).catch(() => undefined);
    return run?.status === 'cancelled';
  }
}
