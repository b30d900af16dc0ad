import { randomUUID } from 'node:crypto';
import type { EventSource, Storage, TypedEvents } from '@vizprompt/providers';
import { LruMap, type Listener, type Unsubscribe } from '@vizprompt/providers/internal';
import type { DefinitionSnapshot } from '../definition/definition-snapshot.ts';
import { engineServices, openEvents } from '../engine/engine-options.ts';
import { WorkflowError } from '../errors.ts';
import type { RunEvent, WorkflowEvents } from '../events.ts';
import { conflict } from '../journal/journal-errors.ts';
import type { StoredRun } from '../journal/journal.ts';
import { SqlJournal } from '../journal/sql-journal.ts';
import { prepareLanguages } from '../language/prepare.ts';
import type { EngineParts, ActiveRun } from '../runtime/active-run.ts';
import { RunWatch } from '../runtime/local-runtime.ts';
import { attemptOf, rootId } from './dbos-history.ts';
import { briefError, isDropped, never } from './dbos-keeper.ts';
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
import { leadDbosRun } from './lead-dbos-run.ts';
import { listen, type Listening } from './listen.ts';
import { checkWorkerOptions, type DbosNames, namesOf, type WorkerOptions } from './options.ts';
import { Retainer } from './retention.ts';
import { reconnectingJournal, retryOnDisconnect } from './retry-on-disconnect.ts';
import { RunEventRelay, sendError } from './run-event-relay.ts';
import { SharedLimiter } from './shared-limiter.ts';
import { Takeovers } from './takeovers.ts';
import { resumeOfDeadWorkers, WorkerLease } from './worker-lease.ts';

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

/** Definitions that are kept parsed. */
const MAX_DEFINITIONS = 200;

/** A life of a worker: from one executor id to its end. One that was taken for dead begins another. */
interface Life {
  readonly lease: WorkerLease;
  readonly process: DbosProcess;
  readonly journal: SqlJournal;
  readonly parts: EngineParts;
  readonly limiter: SharedLimiter;
  readonly watch: RunWatch;
  readonly led: Map<string, ActiveRun>;
  readonly threads: Map<string, () => Promise<void>>;
}

/** A process that leads runs, as `runWorker` gives it. */
export class Worker implements EventSource<WorkflowEvents>, AsyncDisposable {
  readonly #options: WorkerOptions;
  readonly #names: DbosNames;
  readonly #module: DbosModule;
  readonly #storage: Storage;
  readonly #dispatch: Dispatch;
  readonly #relay: RunEventRelay;
  readonly #retainer: Retainer;
  readonly #takeovers: Takeovers;
  readonly #events: TypedEvents<WorkflowEvents>;
  readonly #definitions = new LruMap<string, DefinitionSnapshot>(MAX_DEFINITIONS);
  #life: Life | undefined;
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
      worker.#listening = await listen(options.url, names.channel, () =>
        worker.#life?.watch.look(),
      );
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
    await this.#storage.close();
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
            branch: async (id) => this.#life?.threads.get(id)?.(),
            fire: async (date, context) => {
              await beginning;
              await this.#fire(date, context);
            },
          },
        ),
      );
      const watch = new RunWatch(parts, led, undefined);
      this.#life = { lease, process, journal, parts, limiter, led, watch, threads: new Map() };
      begun();
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
    await resumeOfDeadWorkers(this.#storage, api, this.#names, isThorough);
    if (isThorough) this.#sweptAt = performance.now();
    await this.#enqueueAccepted(FORGOTTEN_MS);
    await this.#life?.limiter.freeLost();
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
  }

  /** Enqueues accepted runs whose starter died before it passed them to DBOS. */
  async #enqueueAccepted(olderThanMs: number): Promise<void> {
    for (const { id, attempt } of await this.#dispatch.accepted(olderThanMs)) {
      await this.#life?.process.enqueue(id, rootId(id, attempt));
    }
  }

  /** A failure while the worker ends is nothing that DBOS should write down of a run. */
  async #leadUnlessOver(runId: string, root: string): Promise<void> {
    const life = this.#life;
    try {
      await this.#lead(runId, root);
    } catch (error) {
      if (this.#closing || this.#life !== life) await never();
      throw error;
    }
  }

  /** Leads a run to its end, within its workflow of DBOS. */
  async #lead(runId: string, root: string): Promise<void> {
    const life = this.#life;
    if (!life) return never();
    const { lease, journal, process, parts, threads } = life;
    const isOver = (): boolean => this.#closing !== undefined || this.#life !== life;
    const claimed = await retryOnDisconnect(
      () => this.#dispatch.claim(runId, attemptOf(root, runId), lease.id),
      isOver,
    );
    if (!claimed) return;
    const run = await retryOnDisconnect(() => journal.run(runId), isOver);
    if (!run) return;
    const turn = await this.#takeovers.turnOf(claimed);
    if (isOver()) return never();
    const hear = this.#hearer(claimed.reader);
    const leading = leadDbosRun(
      { run, rootId: root, definition: await this.#definition(run, journal), dispatch: claimed },
      {
        process,
        parts,
        threads,
        assertAlive: () =>
          lease.isSure ? undefined : retryOnDisconnect(() => lease.assertAlive(runId), isOver),
        hear: (event) => {
          hear(event);
          turn.heard(event);
        },
        history: (id) => retryOnDisconnect(() => journal.history(id), isOver),
        takenOver: (steps) =>
          retryOnDisconnect(() => this.#takeovers.count(journal, runId, steps), isOver),
      },
    );
    const led = await leading.catch(async (error: unknown) => {
      turn.end();
      const end = await this.#takeovers.endOf(error, parts, runId);
      if (!end) throw error;
      hear({ type: 'run:ended', ...end });
      if (claimed.reader !== undefined) {
        this.#relay.publish(claimed.reader, { type: 'failed', runId, error: sendError(error) });
      }
      this.#retainer.ended();
      throw briefError(error);
    });
    life.led.set(runId, led);
    turn.endsWith(led.settled);
    life.watch.begun();
    void this.#forget(life, led);
    if (isOver()) led.stop(new WorkflowError('closed', 'the worker was closed'));
    try {
      await this.#follow(led, claimed.reader);
    } finally {
      this.#retainer.ended();
    }
  }

  async #forget({ led: all, watch }: Life, led: ActiveRun): Promise<void> {
    await led.settled;
    if (all.get(led.id) === led) all.delete(led.id);
    watch.ended();
  }

  /** Reports all events of a run to its reader. */
  #hearer(reader: string | undefined): (event: RunEvent) => void {
    if (reader === undefined) return () => undefined;
    return (event) => this.#relay.publish(reader, { type: 'event', event });
  }

  /** Reports to the reader how the run ended. */
  async #follow(led: ActiveRun, reader: string | undefined): Promise<void> {
    const { id: runId, run } = led;
    try {
      const result = await run.result;
      if (reader !== undefined) this.#relay.publish(reader, { type: 'done', runId, result });
    } catch (error) {
      await led.settled;
      // One that others continue with has not failed; one that was cancelled elsewhere has.
      const isOver = !isDropped(error) || (await this.#isCancelled(runId));
      if (!isOver) return await never();
      if (reader !== undefined) {
        this.#relay.publish(reader, { type: 'failed', runId, error: sendError(error) });
      }
      throw briefError(error);
    }
  }

  /** Checks whether the run was cancelled; otherwise it is left to the worker that takes it over. */
  async #isCancelled(runId: string): Promise<boolean> {
    if (this.#closing) return false;
    const run = await this.#life?.journal.run(runId).catch(() => undefined);
    return run?.status === 'cancelled';
  }

  async #definition({ hash }: StoredRun, journal: SqlJournal): Promise<DefinitionSnapshot> {
    const known = this.#definitions.get(hash);
    if (known) return known;
    const definition = await retryOnDisconnect(
      () => journal.definition(hash),
      () => this.#closing !== undefined,
    );
    if (!definition) {
      throw new WorkflowError('not-found', `the definition ${hash} is missing from the journal`);
    }
    this.#definitions.set(hash, definition);
    return definition;
  }
}
