import {
  type JsonValue,
  messageOf,
  type Part,
  type Turn,
  type TurnRecorder,
  type Usage,
} from '@vizprompt/providers';
import type { ErrorJson, TurnStatus } from '@vizprompt/providers/internal';
import { WorkflowError } from '../errors.ts';

/** The parts that a {@link RunRecord} needs. */
interface RunRecordOptions {
  readonly runId: string;
  readonly recorders: readonly (TurnRecorder | WorkflowRecorder)[];
  /** Receives each failure of a recorder. */
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

/** A recorder, and whether runs depend on it. */
export interface WorkflowRecorder {
  readonly recorder: TurnRecorder;
  /** True if a failure ends the run instead of being an event. Default: `false`. */
  readonly required?: boolean | undefined;
}

/** The parts that a {@link TurnQueue} needs. */
interface TurnQueueOptions {
  readonly recorder: TurnRecorder;
  readonly isRequired: boolean;
  /** Receives each failure. */
  readonly failed: (error: unknown) => void;
}

/** How long the end of a run waits for a recorder that is not required, in milliseconds. */
const PATIENCE_MS = 10_000;

/**
 * Gives turns to a recorder, one at a time and in order, without keeping the run waiting: a turn that ends
 * before the recorder came to it is recorded once. A turn that could not be recorded is a hole, and what
 * followed it follows what came before.
 */
class TurnQueue {
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

  /** Puts a turn after those that wait, or in place of what it was when it began. */
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
    // A turn that ends at once is recorded once.
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

/** A piece of work of a run: an agent, an aggregate, a person, a function, a tool, a search or an activity. */
export interface RunTurn {
  /** The place in the run; it is the id of the turn. */
  readonly path: string;
  /** The paths of the work that it came after: several where branches come together. */
  readonly follows: readonly string[];
  readonly kind: 'turn' | 'aggregate';
  /** The agent, the function, the tool, ... */
  readonly speaker: string;
  /** The prompt as it was sent, or the named inputs. */
  readonly input: JsonValue;
  /** ISO 8601. */
  readonly startedAt: string;
}

/** How a piece of work ended. */
export interface TurnEnd {
  readonly status: Exclude<TurnStatus, 'pending'>;
  /** The output, or as much of an answer as there was. */
  readonly output?: JsonValue;
  readonly model?: string;
  readonly usage?: Usage;
  /** Why the answer is not whole. */
  readonly finishReason?: string;
  readonly error?: ErrorJson;
  /** ISO 8601. */
  readonly endedAt: string;
}

/** Returns the turn that recorders are given. */
function toTurn(runId: string, work: RunTurn, end?: TurnEnd): Turn {
  const { path, follows, kind, speaker, input, startedAt } = work;
  const { status = 'pending', output = null, ...more } = end ?? {};
  return {
    id: path,
    conversationId: runId,
    follows,
    kind,
    status,
    speaker,
    input: partsOf(input),
    output: partsOf(output),
    startedAt,
    ...more,
  };
}

/** Returns a text as it is, nothing as no part, and everything else as JSON that can be read. */
function partsOf(value: JsonValue): readonly Part[] {
  if (value === null || value === '') return [];
  return [
    { type: 'text', text: typeof value === 'string' ? value : JSON.stringify(value, null, 2) },
  ];
}

/** The parts of a {@link WorkTurn}. */
interface WorkTurnOptions {
  readonly path: string;
  readonly follows: readonly string[];
  readonly kind?: 'turn' | 'aggregate';
  readonly speaker: string;
  /** Its input; a prompt may turn out to be one that cannot be rendered. */
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

  /** The run ends or continues without it; why it does is known already. */
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

/**
 * All recorders as one, for activities that record turns of their own. It fails if a required one fails.
 *
 * @param failed - Receives the failures of the others.
 */
export function activityRecorder(
  recorders: readonly (TurnRecorder | WorkflowRecorder)[],
  failed: (error: unknown) => void,
): TurnRecorder | undefined {
  if (recorders.length === 0) return undefined;
  return {
    specVersion: 1,
    async record(turn) {
      for (const given of recorders) {
        const { recorder, required = false } = 'record' in given ? { recorder: given } : given;
        try {
          await recorder.record(turn);
        } catch (error) {
          failed(error);
          if (required) throw error;
        }
      }
    },
  };
}
