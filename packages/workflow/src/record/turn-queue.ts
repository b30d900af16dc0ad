import { messageOf, type Turn, type TurnRecorder } from '@vizprompt/providers';
import { WorkflowError } from '../errors.ts';

/** What a {@link TurnQueue} needs. */
export interface TurnQueueOptions {
  readonly recorder: TurnRecorder;
  readonly isRequired: boolean;
  /** Is told of each failure. */
  readonly failed: (error: unknown) => void;
}

/** How long the end of a run waits for a recorder that is not required, in milliseconds. */
const PATIENCE_MS = 10_000;

/**
 * Gives turns to a recorder, one at a time and in order, without keeping the run waiting: a turn that ends
 * before the recorder came to it is recorded once. A turn that could not be recorded is a hole, and what
 * followed it follows what came before.
 */
export class TurnQueue {
  readonly #options: TurnQueueOptions;
  readonly #waiting = new Map<string, Turn>();
  readonly #recorded = new Set<string>();
  readonly #holes = new Map<string, readonly string[]>();
  #working: Promise<void> | undefined;
  #failure: WorkflowError | undefined;

  constructor(options: TurnQueueOptions) {
    this.#options = options;
  }

  get isRequired(): boolean {
    return this.#options.isRequired;
  }

  /** Puts a turn behind those that wait, or in place of what it was when it began. */
  add(turn: Turn): void {
    this.#waiting.set(turn.id, turn);
    this.#working ??= this.#work();
  }

  /**
   * Waits until everything is recorded; for a recorder that is not required no longer than ten seconds, as one that
   * hangs must not keep the result of the run.
   *
   * @throws WorkflowError with the code `recorder-failed` if a required recorder failed.
   */
  async flush(): Promise<void> {
    if (this.#options.isRequired) await this.#working;
    else await this.#inTime();
    if (this.#failure) throw this.#failure;
  }

  async #inTime(): Promise<void> {
    if (!this.#working) return;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<'late'>((resolve) => {
      timer = setTimeout(resolve, PATIENCE_MS, 'late');
    });
    const end = await Promise.race([this.#working, late]);
    clearTimeout(timer);
    if (end !== 'late') return;
    this.#options.failed(
      new WorkflowError(
        'recorder-failed',
        `a recorder has not answered for ${PATIENCE_MS} ms: the run ends without it`,
      ),
    );
  }

  async #work(): Promise<void> {
    // What ends at once is recorded once.
    await Promise.resolve();
    for (const [id, turn] of this.#waiting) {
      this.#waiting.delete(id);
      await this.#record(turn);
    }
    this.#working = undefined;
  }

  async #record(turn: Turn): Promise<void> {
    const { recorder, isRequired, failed } = this.#options;
    const { id, follows } = turn;
    try {
      await recorder.record({ ...turn, follows: this.#reachable(follows) });
      this.#recorded.add(id);
      this.#holes.delete(id);
    } catch (error) {
      if (!this.#recorded.has(id)) this.#holes.set(id, follows);
      failed(error);
      if (!isRequired) return;
      this.#failure ??= new WorkflowError(
        'recorder-failed',
        `'${id}' could not be recorded: ${messageOf(error)}; \`resume\` records it again`,
        { cause: error, context: { path: id } },
      );
    }
  }

  #reachable(follows: readonly string[]): string[] {
    const found = new Set<string>();
    const open = [...follows];
    for (const id of open) {
      const before = this.#holes.get(id);
      if (before) open.push(...before);
      else found.add(id);
    }
    return [...found];
  }
}
