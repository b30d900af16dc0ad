import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { MemoryError } from '../../errors.ts';
import type { PartsAnswer, PartsRequest, PartsTask } from './parts-messages.ts';
import type {
  PreparedBatch,
  PrepareRequest,
  TranscriptPart,
  TranscriptParts,
} from './transcript-parts.ts';

/**
 * Where the built entry lies: beside the bundle that this module is part of. When the sources are run
 * as they are, there is none beside it, but perhaps a build of them.
 */
const ENTRIES = ['./import-worker.js', '../../../dist/import-worker.js'].map((path) =>
  fileURLToPath(new URL(path, import.meta.url)),
);

/** What is new is soon garbage, and takes memory beside that of the host until it is looked at. */
const LIMITS = { maxYoungGenerationSizeMb: 32 };

/** A request that is not answered. */
interface Pending {
  resolve(answer: PartsAnswer): void;
  reject(error: unknown): void;
}

/** Reads and prepares in a thread of its own. */
export class WorkerParts implements TranscriptParts {
  readonly #worker: Worker;
  readonly #signal: AbortSignal | undefined;
  readonly #pending: Pending[] = [];
  /** Why nothing is asked of it any more. */
  #failure: { readonly error: unknown } | undefined;

  private constructor(worker: Worker, signal: AbortSignal | undefined) {
    this.#worker = worker;
    this.#signal = signal;
    worker.on('message', (answer: PartsAnswer) => this.#take(answer));
    worker.on('messageerror', (cause) => this.#fail(ended('could not tell what it read', cause)));
    worker.on('error', (cause) => this.#fail(ended(`failed: ${cause.message}`, cause)));
    worker.on('exit', (code) => this.#fail(ended(`ended with code ${code}`)));
    signal?.addEventListener('abort', this.#abort);
    if (signal?.aborted) this.#abort();
  }

  /**
   * Starts a thread.
   *
   * @returns Nothing where none can be started: there is no built entry, or threads are not allowed.
   */
  static async start(
    task: PartsTask,
    signal: AbortSignal | undefined,
  ): Promise<WorkerParts | undefined> {
    const entry = ENTRIES.find((path) => existsSync(path));
    if (entry === undefined) return undefined;
    let parts: WorkerParts | undefined;
    try {
      // What the host was started with, such as loaders, is not for it.
      const worker = new Worker(entry, { workerData: task, execArgv: [], resourceLimits: LIMITS });
      parts = new WorkerParts(worker, signal);
      await parts.#answered();
      return parts;
    } catch {
      await parts?.close();
      return undefined;
    }
  }

  async next(needed: number): Promise<TranscriptPart | undefined> {
    const answer = await this.#ask({ type: 'next', needed });
    return answer.type === 'part' ? answer.part : undefined;
  }

  async prepare(request: PrepareRequest): Promise<PreparedBatch> {
    const answer = await this.#ask({ type: 'prepare', request });
    if (answer.type === 'batch') return answer.batch;
    throw ended('answered something else');
  }

  async close(): Promise<void> {
    this.#fail(ended('was stopped'));
    this.#signal?.removeEventListener('abort', this.#abort);
    await this.#worker.terminate();
  }

  readonly #abort = (): void => this.#fail(this.#signal?.reason);

  async #ask(request: PartsRequest): Promise<PartsAnswer> {
    if (this.#failure) throw this.#failure.error;
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- to a thread, not a window
    this.#worker.postMessage(request);
    return this.#answered();
  }

  #answered(): Promise<PartsAnswer> {
    return new Promise((resolve, reject) => {
      if (this.#failure) throw this.#failure.error;
      this.#pending.push({ resolve, reject });
    });
  }

  #take(answer: PartsAnswer): void {
    const pending = this.#pending.shift();
    if (answer.type !== 'failed') pending?.resolve(answer);
    else pending?.reject(Object.assign(new Error(answer.message), answer.facts));
  }

  #fail(error: unknown): void {
    this.#failure ??= { error };
    for (const { reject } of this.#pending.splice(0)) reject(this.#failure.error);
  }
}

function ended(how: string, cause?: unknown): MemoryError {
  return new MemoryError(
    'import-failed',
    `the thread that reads transcripts ${how}: what was written stays, and importing again adds the rest`,
    { cause },
  );
}
