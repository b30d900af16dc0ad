import { fork, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { IndexingError } from '../errors.ts';
import type { IndexerAnswer, IndexerRequest } from './indexer-messages.ts';

/**
 * Where the built entry lies: beside the bundle that this module is part of. When the sources are run
 * as they are, there is none beside it, but perhaps a build of them.
 */
const ENTRIES = ['./indexer.js', '../../dist/indexer.js'].map((path) =>
  fileURLToPath(new URL(path, import.meta.url)),
);

/** Hears what the process tells. */
type AnswerListener = (answer: IndexerAnswer) => void | Promise<void>;

/** A request that is not done. */
interface Pending {
  resolve(): void;
  reject(error: unknown): void;
  readonly onAnswer: AnswerListener | undefined;
}

/** A process that indexes beside this one. */
export class Indexer {
  readonly #child: ChildProcess;
  readonly #pending: Pending[] = [];
  #handled = Promise.resolve();
  /** What was sent last, and what was sent before it. */
  #last = Promise.resolve();
  #beforeLast = Promise.resolve();
  /** Why nothing is asked of it any more. */
  #failure: { readonly error: unknown } | undefined;

  private constructor(child: ChildProcess) {
    this.#child = child;
    child.on('message', (answer: IndexerAnswer) => {
      this.#handled = this.#handled
        .then(() => this.#handle(answer))
        .catch((error: unknown) => this.#fail(error));
    });
    child.on('error', (cause) => {
      this.#fail(new IndexingError('the indexing process failed', { cause }));
    });
    child.on('exit', (code, signal) => {
      const how = signal ?? `code ${code}`;
      this.#fail(new IndexingError(`the indexing process ended with ${how} before it was done`));
    });
    // It must not keep the host alive when nothing is asked of it.
    child.unref();
    child.channel?.unref();
  }

  /**
   * Starts a process that indexes.
   *
   * @returns Nothing where there is no built entry.
   */
  static start(): Indexer | undefined {
    const entry = ENTRIES.find((path) => existsSync(path));
    if (entry === undefined) return undefined;
    const child = fork(entry, [], {
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      // It makes much that is soon garbage; V8 would rather keep it than look.
      execArgv: ['--max-semi-space-size=4', '--expose-gc'],
    });
    return new Indexer(child);
  }

  /** Whether nothing may be asked of it any more. */
  get hasFailed(): boolean {
    return this.#failure !== undefined;
  }

  /**
   * Sends a request and waits until it is done. Requests are done one after the other.
   *
   * @param onAnswer - Gets everything that it tells of this request but `ready` and `failed`. A promise is
   * waited for before the request counts as done.
   * @throws IndexingError if it or one before it failed, or the process died.
   */
  request(request: IndexerRequest, onAnswer?: AnswerListener): Promise<void> {
    const child = this.#child;
    return new Promise((resolve, reject) => {
      if (this.#failure) throw this.#failure.error;
      child.channel?.ref();
      const done = (): void => {
        if (this.#pending.length === 0) child.channel?.unref();
        resolve();
      };
      this.#pending.push({ resolve: done, reject, onAnswer });
      child.send(request, (cause) => {
        if (cause) this.#fail(new IndexingError('the indexing process is gone', { cause }));
      });
    });
  }

  /**
   * Sends a request when at most one other is not done: while one is, the next is made and waits there.
   *
   * @throws IndexingError if one before it has failed; if it fails itself, what comes next tells.
   */
  async send(request: IndexerRequest, onAnswer?: AnswerListener): Promise<void> {
    await this.#beforeLast;
    if (this.#failure) throw this.#failure.error;
    this.#beforeLast = this.#last;
    this.#last = this.request(request, onAnswer);
    this.#last.catch(() => undefined);
  }

  close(): void {
    this.#fail(new IndexingError('the indexing process was stopped'));
    const child = this.#child;
    child.removeAllListeners();
    // One that could not be started says so later, and has no number: a signal would go to all our group.
    child.on('error', () => undefined);
    if (child.pid !== undefined) child.kill();
  }

  async #handle(answer: IndexerAnswer): Promise<void> {
    if (answer.type === 'ready') this.#pending.shift()?.resolve();
    else if (answer.type === 'failed') {
      const code = answer.isCorrupt ? 'index-corrupt' : 'indexing-failed';
      const details = { context: { ...answer } };
      this.#fail(new IndexingError(`indexing failed: ${answer.message}`, details, code));
    } else await this.#pending[0]?.onAnswer?.(answer);
  }

  #fail(error: unknown): void {
    this.#failure ??= { error };
    for (const { reject } of this.#pending.splice(0)) reject(error);
  }
}
