import type { JsonValue } from '@vizprompt/providers';
import type { Journal, StepRecord } from '../journal/journal.ts';

/** How a runtime makes the steps of a run durable, and begins its threads. */
export interface StepKeeper {
  /** Lets a step be done and keeps what it left; resolves when that is durable. */
  keep(path: string, make: () => Promise<StepRecord>): Promise<StepRecord>;
  /** Runs a thread that goes on beside the one that begins it. */
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
