import type { Database } from '@vizprompt/providers';
import { pruneRuns } from '../journal/prune-runs.ts';
import type { Retention } from '../options.ts';
import type { DbosApi } from './load-dbos.ts';
import { pruneDispatch } from './prune-dispatch.ts';

/** Runs that end within this time are removed together, in milliseconds. */
const GATHER_MS = 500;

/** Removes what is not kept, in the journal and in DBOS, soon after runs have ended. */
export class Retainer {
  readonly #database: Database;
  readonly #retention: Retention | undefined;
  readonly #api: () => DbosApi | undefined;
  #timer: NodeJS.Timeout | undefined;
  #pruning: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(
    database: Database,
    retention: Retention | undefined,
    api: () => DbosApi | undefined,
  ) {
    this.#database = database;
    this.#retention = retention;
    this.#api = api;
  }

  /** A run has ended. */
  ended(): void {
    if (!this.#retention || this.#isClosed) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.prune();
    }, GATHER_MS);
  }

  async prune(): Promise<void> {
    const retention = this.#retention;
    if (!retention) return;
    // What cannot be removed now is removed when the next run has ended.
    this.#pruning = this.#pruning.then(() => this.#prune(retention)).catch(() => undefined);
    await this.#pruning;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#pruning;
  }

  async #prune(retention: Retention): Promise<void> {
    const api = this.#api();
    if (!api || this.#isClosed) return;
    await pruneRuns(this.#database, retention, Date.now());
    await pruneDispatch(this.#database, api);
  }
}
