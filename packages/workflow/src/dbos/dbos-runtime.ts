import { randomUUID } from 'node:crypto';
import {
  type Budget,
  type JsonValue,
  type Spending,
  type SqlExecutor,
  type Storage,
} from '@vizprompt/providers';
import type { DefinitionSnapshot } from '../definition/definition-snapshot.ts';
import { viewRun } from '../engine/view-run.ts';
import { cancelledBy, toErrorJson, WorkflowError } from '../errors.ts';
import {
  conflict,
  idTaken,
  type NewRun,
  queued,
  type RunHistory,
  type StoredRun,
  unwritable,
} from '../journal/journal.ts';
import { SqlJournal } from '../journal/sql-journal.ts';
import type {
  DurableRuntime,
  ResumeOptions,
  RunReader,
  RuntimeParts,
  WorkflowRuntime,
} from '../runtime/durable-runtime.ts';
import type { PinnedSchedule, RunningSchedules } from '../runtime/schedules.ts';
import type { WorkflowRun } from '../runtime/workflow-run.ts';
import { allSteps, assertPlainId, flowsOfRun, rootId, stepsOfFlows } from './dbos-history.ts';
import { type DbosClient, openDbosClient } from './dbos-process.ts';
import { applySchedules } from './dbos-schedules.ts';
import { Dispatch, type DispatchRow, NOW, openDispatch, queueLease, rowOfRun } from './dispatch.ts';
import { listen, type Listening } from './listen.ts';
import { checkDbosOptions, type DbosNames, type DbosOptions, namesOf } from './options.ts';
import { QueueNotifier } from './queue-notifier.ts';
import { RemoteRun } from './remote-run.ts';
import { Retainer } from './retention.ts';
import {
  channelOf,
  endedWith,
  pollEvents,
  receiveError,
  type RunMessage,
} from './run-event-relay.ts';

/** A transaction that does nothing for so long is that of a process that hangs, in milliseconds. */
const HANGS_MS = 15_000;

/**
 * Lets workers lead the runs of an engine: processes that were started with `runWorker`, of the same database and
 * namespace. The engine itself does no step, so that it needs neither models nor functions; when it is closed, the
 * runs continue.
 *
 * Opening the engine throws WorkflowError with the code `journal-unwritable`, and PeerError if `@dbos-inc/dbos-sdk` or
 * `pg` is not installed.
 *
 * @throws WorkflowError with the code `invalid-input`.
 *
 * @example
 * ```ts
 * await using engine = await WorkflowEngine.open({ files: 'flows.yaml', runtime: dbos({ url }) });
 * const run = await engine.start('story', 'a cat');
 * ```
 */
export function dbos(options: DbosOptions): WorkflowRuntime {
  checkDbosOptions(options);
  const { url } = options;
  const names = namesOf(options);
  return {
    name: 'dbos',
    async open(parts) {
      const storage = await openDispatch(options, names.namespace, HANGS_MS);
      try {
        const client = await openDbosClient(url, names);
        return await DbosRuntime.open({ url, names, storage, client, parts });
      } catch (error) {
        await storage.close();
        throw error;
      }
    },
  };
}

/** How often it is looked for what was not heard, in milliseconds. */
const LOOK_MS = 500;

/** The parts that a {@link DbosRuntime} needs. */
interface DbosRuntimeOptions {
  readonly url: string;
  readonly names: DbosNames;
  readonly storage: Storage;
  readonly client: DbosClient;
  readonly parts: RuntimeParts;
}

/** Runs that workers lead, as an engine starts and sees them. */
class DbosRuntime implements DurableRuntime {
  readonly isHere: boolean = false;
  readonly reader: RunReader;
  readonly #options: DbosRuntimeOptions;
  readonly #journal: SqlJournal;
  readonly #dispatch: Dispatch;
  readonly #retainer: Retainer;
  readonly #notifier: QueueNotifier;
  readonly #name = randomUUID();
  readonly #runs = new Map<string, RemoteRun>();
  readonly #starting = new Set<Promise<void>>();
  readonly #schedules = new Set<RunningSchedules>();
  #listening: Listening | undefined;
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> = Promise.resolve();
  #isSilent = true;
  #hasLook = false;
  #isClosed = false;

  private constructor(options: DbosRuntimeOptions) {
    const { storage, client, parts, names } = options;
    this.#options = options;
    this.#notifier = new QueueNotifier(storage, names);
    this.#journal = new SqlJournal(storage, queueLease);
    this.#dispatch = new Dispatch(storage.database);
    this.#retainer = new Retainer(storage.database, parts.retention, () => client.api);
    const journal = this.#journal;
    this.reader = {
      run: (id) => journal.run(id),
      definition: (hash) => journal.definition(hash),
      history: (id) => this.#history(id),
      waits: (id) => journal.waits(id),
      runs: (query) => journal.runs(query),
    };
  }

  static async open(options: DbosRuntimeOptions): Promise<DbosRuntime> {
    const runtime = new DbosRuntime(options);
    const { url, names } = options;
    const channel = channelOf(names.namespace, runtime.#name);
    runtime.#listening = await listen(url, channel, () => runtime.#look());
    await runtime.#retainer.prune();
    return runtime;
  }

  hears(runId: string): boolean {
    return this.#runs.has(runId);
  }

  start(run: NewRun, options: ResumeOptions): Promise<WorkflowRun> {
    const starting = this.#start(run, options);
    const over = starting.then(
      () => undefined,
      () => undefined,
    );
    this.#starting.add(over);
    void over.then(() => this.#starting.delete(over));
    return starting;
  }

  async #start(run: NewRun, options: ResumeOptions): Promise<WorkflowRun> {
    const { id } = run.run;
    assertPlainId(id);
    if (this.#runs.has(id)) throw idTaken(id);
    // A worker may find it before it is known here that it is written.
    const remote = this.#follow(id, options);
    try {
      await this.#journal.create(run, [rowOfRun(id, this.#name, options.budget?.remaining)]);
    } catch (error) {
      this.#forget(remote);
      throw error;
    }
    // Workers lead it from now on, whatever happens here: what does not come to the queue now, they put there.
    await this.#options.client.enqueue(id, id).catch(() => undefined);
    this.#notifier.notify();
    return remote.begun();
  }

  async resume(
    run: StoredRun,
    _definition: DefinitionSnapshot,
    options: ResumeOptions,
  ): Promise<WorkflowRun> {
    const { id } = run;
    const row = await this.#dispatch.find(id);
    if (!row) throw conflict(id);
    const before = this.#runs.get(id);
    const remote = this.#follow(id, options);
    try {
      await this.#claim(run, row, options.budget);
    } catch (error) {
      this.#forget(remote);
      if (before) this.#runs.set(id, before);
      throw WorkflowError.isInstance(error) ? error : unwritable(error);
    }
    this.#notifier.notify();
    before?.failed(conflict(id));
    return remote.begun();
  }

  async answer(runId: string, path: string, answer: JsonValue): Promise<boolean> {
    const isTaken = await this.#journal.answer(runId, path, answer);
    if (isTaken) await this.#tellWorkers();
    return isTaken;
  }

  async cancel(runId: string, why: WorkflowError): Promise<boolean> {
    const remote = this.#runs.get(runId);
    if (remote) remote.cancelled = why;
    const at = this.#options.parts.services.now();
    const error = toErrorJson(why);
    if (!(await this.#journal.cancel(runId, error, at))) return false;
    await this.#tellWorkers();
    const { api } = this.#options.client;
    const flows = await flowsOfRun(api, runId);
    const open = flows.filter(({ status }) => /PENDING|ENQUEUED|DELAYED/.test(status));
    if (open.length > 0) await api.cancelWorkflows(open.map(({ id }) => id));
    // The end of a run that no worker has begun is reported here only.
    const isWaiting = open.some(({ status }) => status !== 'PENDING');
    if (isWaiting) this.#cancelledHere(remote, why);
    await remote?.settled;
    return true;
  }

  async follow(schedules: readonly PinnedSchedule[]): Promise<RunningSchedules> {
    const { client, names } = this.#options;
    const followed = await applySchedules(client.schedules, names, schedules);
    this.#schedules.add(followed);
    return followed;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#schedules].map((one) => one.close()));
    clearInterval(this.#timer);
    for (const remote of this.#runs.values()) {
      remote.failed(new WorkflowError('closed', 'the engine was closed; its workers continue'));
    }
    this.#runs.clear();
    await Promise.all(this.#starting);
    await this.#listening?.close();
    await this.#looking;
    await this.#retainer.close();
    await this.#notifier.flush();
    const { client, storage } = this.#options;
    await client.close();
    await storage.close();
  }

  async #history(id: string): Promise<RunHistory> {
    const history = await this.#journal.history(id);
    const { api } = this.#options.client;
    const flows = await flowsOfRun(api, id);
    const ids = flows.map((flow) => flow.id);
    const steps = await stepsOfFlows(api, ids);
    return { ...history, steps: allSteps(history.steps, steps) };
  }

  /** Returns the most that a run may have used in all, when that much remains for it. */
  async #above(id: string, remaining: Spending): Promise<Spending> {
    const { spent } = await this.#journal.history(id);
    const { tokens, costUsd } = remaining;
    return {
      ...(tokens === undefined ? {} : { tokens: tokens + spent.tokens }),
      ...(costUsd === undefined ? {} : { costUsd: costUsd + spent.costUsd }),
    };
  }

  /**
   * Lets workers continue with a run that has no leader.
   *
   * @throws WorkflowError with the code `conflict`.
   */
  async #claim(run: StoredRun, row: DispatchRow, budget: Budget | undefined): Promise<void> {
    const { id, endedAt } = run;
    const { client } = this.#options;
    if (endedAt === undefined) return this.#takeOver(id, rootId(id, row.attempt));
    const allowance = budget && (await this.#above(id, budget.remaining));
    const attempt = await this.#dispatch.nextAttempt(id, row, this.#name, allowance);
    if (attempt === undefined) throw conflict(id);
    await this.#journal.claim(id);
    await client.enqueue(id, rootId(id, attempt));
  }

  async #takeOver(id: string, root: string): Promise<void> {
    const { client, storage, names } = this.#options;
    await storage.database.transaction(async (tx) => {
      await tx.query('SELECT pg_advisory_xact_lock(hashtextextended(?, 2)) AS locked', [id]);
      const [flow] = await client.api.listWorkflows({ workflowIDs: [root], loadInput: false });
      // The one that comes second finds it in the queue, or led; the one before continues hearing of it.
      if (flow && /ENQUEUED|DELAYED/.test(flow.status)) throw queued(id);
      if (flow && (flow.status !== 'PENDING' || (await isAlive(tx, flow.executorId ?? '')))) {
        throw conflict(id);
      }
      // Next to the transaction, which would wait for itself: the worker that begins the run must see it.
      await storage.cache.execute(
        `UPDATE "${names.namespace}".dispatch_run SET reader = ? WHERE run_id = ?`,
        [this.#name, id],
      );
      if (!flow) return client.enqueue(id, root);
      return void (await client.api.resumeWorkflows([root], { queueName: names.queue }));
    });
  }

  #follow(id: string, { signal, budget }: ResumeOptions): RemoteRun {
    const remote = new RemoteRun({
      id,
      signal,
      budget,
      cancel: (reason) => {
        this.cancel(id, cancelledBy(reason)).catch(() => undefined);
      },
    });
    this.#runs.set(id, remote);
    this.#timer ??= setInterval(() => this.#look(true), LOOK_MS);
    void this.#afterwards(remote);
    if (this.#isClosed) remote.failed(new WorkflowError('closed', 'the engine was closed'));
    return remote;
  }

  async #afterwards(remote: RemoteRun): Promise<void> {
    await remote.settled;
    if (this.#runs.get(remote.id) === remote) this.#runs.delete(remote.id);
    this.#retainer.ended();
  }

  #forget(remote: RemoteRun): void {
    if (this.#runs.get(remote.id) === remote) this.#runs.delete(remote.id);
    remote.failed(new WorkflowError('closed', 'the run did not begin'));
  }

  /** Fetches the messages; now and then it looks for runs whose end was not reported. */
  #look(alsoEnded = false): void {
    // A look that has not begun finds all messages so far.
    if (this.#hasLook && !alsoEnded) return;
    this.#hasLook = true;
    this.#looking = this.#looking
      .then(() => {
        this.#hasLook = false;
        return this.#deliver();
      })
      .then(() => (alsoEnded ? this.#findEnded() : undefined))
      // A database that does not answer now may answer next time.
      .catch(() => undefined);
  }

  async #deliver(): Promise<void> {
    if (this.#isClosed || this.#runs.size === 0) return;
    const messages = await pollEvents(this.#options.storage, this.#name);
    if (messages.length > 0) this.#isSilent = false;
    for (const delivery of messages) this.#read(delivery);
  }

  #read(delivery: RunMessage): void {
    if (delivery.type === 'event') {
      const { event } = delivery;
      this.#runs.get(event.runId)?.tell(event);
      this.#options.parts.events.emit(event.type, event);
      return;
    }
    const remote = this.#runs.get(delivery.runId);
    if (delivery.type === 'done') remote?.done(delivery.result);
    else if (remote) {
      if (remote.cancelled) this.#cancelledHere(remote, remote.cancelled);
      else remote.failed(receiveError(delivery.error));
    }
  }

  /** A run that was cancelled from here ends as one that is led here does. */
  #cancelledHere(remote: RemoteRun | undefined, why: WorkflowError): void {
    if (!remote) return;
    const at = new Date(this.#options.parts.services.now()).toISOString();
    const end = { runId: remote.id, at, status: 'cancelled', error: toErrorJson(why) } as const;
    remote.tell({ type: 'run:ended', ...end });
    this.#options.parts.events.emit('run:ended', end);
    remote.failed(why);
  }

  async #findEnded(): Promise<void> {
    if (this.#isClosed || this.#runs.size === 0) return;
    const isSilent = this.#isSilent;
    this.#isSilent = true;
    const ended = await this.#dispatch.endedOf([...this.#runs.keys()]);
    for (const id of ended) {
      const remote = this.#runs.get(id);
      if (remote?.seenEnded(isSilent)) await this.#endFromJournal(remote);
    }
  }

  async #endFromJournal(remote: RemoteRun): Promise<void> {
    const run = await this.#journal.run(remote.id);
    if (run && run.endedAt === undefined) return;
    if (run?.status === 'cancelled') {
      if (remote.cancelled) this.#cancelledHere(remote, remote.cancelled);
      else remote.failed(conflict(remote.id));
      return;
    }
    if (run?.error) return remote.failed(endedWith(run.error));
    const definition = run && (await this.#journal.definition(run.hash));
    if (!definition) {
      const message = `the run '${remote.id}' has ended and is not kept any more: see 'retention'`;
      return remote.failed(
        new WorkflowError('not-found', message, { context: { runId: remote.id } }),
      );
    }
    const history = await this.#history(remote.id);
    const { services } = this.#options.parts;
    const {
      output = null,
      variables,
      usage,
      costUsd,
    } = await viewRun(run, definition, history, services);
    remote.done({ output, variables, usage, ...(costUsd === undefined ? {} : { costUsd }) });
  }

  async #tellWorkers(): Promise<void> {
    const { storage, names } = this.#options;
    await storage.cache.query('SELECT pg_notify(?, ?)', [names.channel, '']);
  }
}

async function isAlive(tx: SqlExecutor, id: string): Promise<boolean> {
  const rows = await tx.query(
    `SELECT 1 AS found FROM dispatch_worker
      WHERE id = ? AND is_dead = 0 AND alive_at + lease_ms >= ${NOW}`,
    [id],
  );
  return rows.length > 0;
}
