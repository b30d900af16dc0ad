import { isFatal, toErrorJson } from '../errors.ts';
import type { RunEvent, WorkflowEvents } from '../events.ts';
import type { Journal } from '../journal/journal.ts';
import type { EngineParts } from '../runtime/active-run.ts';
import { MAX_TAKEOVERS, takenOverTooOften } from '../runtime/takeovers.ts';
import type { DispatchRow } from './dispatch.ts';

/** The time in which a run that was taken over begins alone. */
interface Turn {
  /** A step that the run has finished shows that it is harmless. */
  heard(event: RunEvent): void;
  /** Ends with the run, or when the worker has been alive for a while. */
  endsWith(settled: Promise<void>): void;
  end(): void;
}

/** Sees to it that a run that ends workers does not end all of them. */
export class Takeovers {
  readonly #quarantine = new Quarantine();
  readonly #max: number;
  readonly #turnMs: number;

  /** @param turnMs - After which a run that does not end its worker lets the next one begin. */
  constructor(max: number = MAX_TAKEOVERS, turnMs: number) {
    this.#max = max;
    this.#turnMs = turnMs;
  }

  /**
   * Waits until the run may begin: at once, unless it was taken over more than once.
   *
   * @param isOver - Checks whether nothing begins any more.
   * @returns `undefined` if the run may not begin: its turn goes to the next one.
   */
  async turnOf(
    { executions, takeovers }: Pick<DispatchRow, 'executions' | 'takeovers'>,
    isOver: () => boolean,
  ): Promise<Turn | undefined> {
    const isSuspect = executions > 1 && takeovers > 0;
    const end = isSuspect ? await this.#quarantine.enter(takeovers) : () => undefined;
    if (isOver()) {
      end();
      return undefined;
    }
    return {
      end,
      heard: (event) => {
        if (event.type === 'step:ended' && !event.isReplayed) end();
      },
      endsWith: (settled) => {
        if (!isSuspect) return;
        const timer = setTimeout(end, this.#turnMs);
        void settled.finally(() => {
          clearTimeout(timer);
          end();
        });
      },
    };
  }

  /** @throws WorkflowError with the code `limit` where the run was taken over too often. */
  async count(journal: Journal, runId: string, steps: number): Promise<void> {
    const takeovers = await journal.takenOver(runId, steps);
    if (takeovers > this.#max) throw takenOverTooOften(runId, takeovers);
  }

  /** Writes the end of a run that was taken over too often; `undefined` if another error kept it from beginning. */
  async endOf(
    error: unknown,
    { journal, services, events }: EngineParts,
    runId: string,
  ): Promise<WorkflowEvents['run:ended'] | undefined> {
    if (!isFatal(error) || error.code !== 'limit') return undefined;
    const at = services.now();
    const end = { status: 'failed', error: toErrorJson(error) } as const;
    await journal.write(runId, { type: 'ended', ...end, at });
    const event = { runId, at: new Date(at).toISOString(), ...end };
    events.emit('run:ended', event);
    return event;
  }
}

/** Delay for each takeover of a run before it takes its turn, so that others go first, in milliseconds. */
const COURTESY_MS = 200;

/** A run that waits for its turn. */
interface Suspect {
  readonly takeovers: number;
  begin(): void;
}

/**
 * Lets runs begin one after the other that were taken over more than once: one of them may be what ends workers, and the
 * others must not be counted with it. Those that were taken over less often go first.
 */
class Quarantine {
  readonly #waiting: Suspect[] = [];
  #isTaken = false;

  /**
   * Waits for its turn.
   *
   * @returns A function that gives the turn to the next, once the run has shown that it is harmless.
   */
  async enter(takeovers: number): Promise<() => void> {
    await new Promise((resolve) => setTimeout(resolve, takeovers * COURTESY_MS));
    await new Promise<void>((begin) => {
      this.#waiting.push({ takeovers, begin });
      this.#next();
    });
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.#isTaken = false;
      this.#next();
    };
  }

  #next(): void {
    if (this.#isTaken) return;
    const first = this.#waiting.toSorted((a, b) => a.takeovers - b.takeovers)[0];
    if (!first) return;
    this.#waiting.splice(this.#waiting.indexOf(first), 1);
    this.#isTaken = true;
    first.begin();
  }
}
