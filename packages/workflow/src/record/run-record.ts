import type { Turn, TurnRecorder } from '@vizprompt/providers';
import type { WorkflowRecorder } from '../options.ts';
import { toTurn, type RunTurn, type TurnEnd } from './run-turn.ts';
import { TurnQueue } from './turn-queue.ts';

/** What a {@link RunRecord} needs. */
export interface RunRecordOptions {
  readonly runId: string;
  readonly recorders: readonly (TurnRecorder | WorkflowRecorder)[];
  /** Is told of each failure of a recorder. */
  readonly failed: (error: unknown) => void;
}

/**
 * Keeps a run in recorders: the run is a conversation, each piece of work a turn that follows what it came
 * after. After a resume the same turns are recorded again under the same ids, which changes nothing where they
 * already are. Runs wait for required recorders only.
 */
export class RunRecord {
  readonly #runId: string;
  readonly #queues: readonly TurnQueue[];

  constructor({ runId, recorders, failed }: RunRecordOptions) {
    this.#runId = runId;
    this.#queues = recorders.map((given) => {
      const { recorder, required = false } = 'record' in given ? { recorder: given } : given;
      return new TurnQueue({ recorder, isRequired: required, failed });
    });
  }

  /**
   * A piece of work began.
   *
   * @throws WorkflowError with the code `recorder-failed` if a required recorder fails.
   */
  async began(work: RunTurn): Promise<void> {
    await this.#add(toTurn(this.#runId, work));
  }

  /**
   * A piece of work ended, now or before the run was resumed.
   *
   * @throws WorkflowError with the code `recorder-failed` if a required recorder fails.
   */
  async ended(work: RunTurn, end: TurnEnd): Promise<void> {
    await this.#add(toTurn(this.#runId, work, end));
  }

  /**
   * Waits until every recorder has everything.
   *
   * @throws WorkflowError with the code `recorder-failed` if a required recorder failed.
   */
  async flush(): Promise<void> {
    for (const queue of this.#queues) await queue.flush();
  }

  async #add(turn: Turn): Promise<void> {
    for (const queue of this.#queues) queue.add(turn);
    for (const queue of this.#queues) {
      if (queue.isRequired) await queue.flush();
    }
  }
}
