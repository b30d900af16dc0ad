import type { ErrorJson, JsonValue } from '@vizprompt/providers';
import type { RunRecord } from './run-record.ts';
import type { RunTurn, TurnEnd } from './run-turn.ts';

/** What a {@link WorkTurn} is made of. */
export interface WorkTurnOptions {
  readonly path: string;
  readonly follows: readonly string[];
  readonly kind?: 'turn' | 'aggregate';
  readonly speaker: string;
  /** What it is given; a prompt may turn out to be one that cannot be rendered. */
  input(): JsonValue;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
}

/** The turn of a piece of work, from its beginning to its end. */
export class WorkTurn {
  readonly #record: RunRecord;
  readonly #options: WorkTurnOptions;
  #hasBegun = false;

  constructor(record: RunRecord, options: WorkTurnOptions) {
    this.#record = record;
    this.#options = options;
  }

  /** @throws WorkflowError with the code `recorder-failed` if a required recorder fails. */
  async began(): Promise<void> {
    this.#hasBegun = true;
    await this.#record.began(this.#turn(this.#options.startedAt));
  }

  /**
   * @param times - When it was really done, which may have been before a resume; milliseconds since 1970.
   * @throws WorkflowError with the code `recorder-failed` if a required recorder fails.
   */
  async ended(
    end: Omit<TurnEnd, 'endedAt'>,
    times: { readonly startedAt: number; readonly endedAt: number },
  ): Promise<void> {
    this.#hasBegun = false;
    await this.#record.ended(this.#turn(times.startedAt), { ...end, endedAt: iso(times.endedAt) });
  }

  /** The run ends or goes on without it; why it does is known already. */
  async brokenOff(error: ErrorJson, endedAt: number): Promise<void> {
    if (!this.#hasBegun) return;
    const { startedAt } = this.#options;
    try {
      await this.ended({ status: 'aborted', error }, { startedAt, endedAt });
    } catch {
      // The reason that is known already comes first.
    }
  }

  #turn(startedAt: number): RunTurn {
    const { path, follows, kind = 'turn', speaker } = this.#options;
    return { path, follows, kind, speaker, input: this.#input(), startedAt: iso(startedAt) };
  }

  #input(): JsonValue {
    try {
      return this.#options.input();
    } catch {
      return null;
    }
  }
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
