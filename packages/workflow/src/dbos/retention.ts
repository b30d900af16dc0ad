import type { Database } from '@vizprompt/providers';
import type { Retention } from '../journal/journal.ts';
import { pruneRuns } from '../journal/retention.ts';
import { flowsOfRun } from './dbos-history.ts';
import type { DbosApi } from './dbos-process.ts';
import { placeholders } from '@vizprompt/providers/internal';

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
    // Rows that cannot be removed now are removed when the next run has ended.
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

/** Runs whose traces are removed at a time. */
const AT_ONCE = 100;

/** Removes what DBOS and the dispatch keep of runs that the journal has removed: steps, results and all. */
async function pruneDispatch(database: Database, api: DbosApi): Promise<void> {
  for (;;) {
    const gone = await database.query<{ run_id: string }>(
      `SELECT run_id FROM dispatch_run d
        WHERE NOT EXISTS (SELECT 1 FROM workflow_run r WHERE r.id = d.run_id) LIMIT ?`,
      [AT_ONCE],
    );
    const ids = gone.map((row) => row.run_id);
    if (ids.length === 0) return;
    const flows = await Promise.all(ids.map((id) => flowsOfRun(api, id)));
    const all = flows.flat().map(({ id }) => id);
    if (all.length > 0) await api.deleteWorkflows(all);
    const marks = placeholders(ids.length);
    await database.execute(`DELETE FROM dispatch_run WHERE run_id IN (${marks})`, ids);
    if (ids.length < AT_ONCE) return;
  }
}
